/**
 * What outlives a run and cannot be derived, in `.executor/memory.json`, replaced as a whole: fixes that worked, and
 * ids that a person wants forgotten. A damaged, oversized or foreign file counts as empty and is kept once as
 * `memory.foreign.json`; a fix that is not one plain line is left out.
 */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readPlain, replaceFile } from '../../../packages/files/files.ts'
import { readStored, takingTurns } from '../../../packages/text/text.ts'
import {
  forgottenSchema,
  isPlainFix,
  type KnownFix,
  knownFixSchema,
} from '../../core/domain/known-fix.ts'
import { joinMemories, learnFix, type MemoryContent, usableFixes } from '../../core/learn-fix.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Memory } from '../../core/ports/memory.ts'
import { explainState } from '../explain-disk.ts'
import { makeDirectory } from './state-files.ts'

const memoryName = 'memory.json'

/** In bytes; two hundred fixes take a fifth of it. */
const largestFile = 1_000_000

const fileShape = z.object({
  version: z.literal(1),
  fixes: z.array(knownFixSchema),
  /** Absent when an older version wrote the file. */
  forgotten: z.array(forgottenSchema).default([]),
})

export const memoryText = ({ fixes, forgotten }: MemoryContent): string => {
  const kept = forgotten.length === 0 ? {} : { forgotten }
  return `${JSON.stringify({ version: 1, fixes, ...kept }, null, 1)}\n`
}

const nothing: MemoryContent = { fixes: [], forgotten: [] }

/** Returns `null` for a text that is not a memory file; `ignored` counts fixes that are not one plain line. */
export function readMemory(text: string): (MemoryContent & { readonly ignored: number }) | null {
  const read = text.length > largestFile ? null : readStored(fileShape, text)
  if (read === null) return null
  const fixes = read.fixes.filter(isPlainFix)
  return { fixes, forgotten: read.forgotten, ignored: read.fixes.length - fixes.length }
}

/** Why fixes of a memory file are ignored. */
export const notPlain = 'fixes with invisible characters or several lines are ignored'

export interface FileMemory extends Memory {
  /** Takes over what another memory has; returns all that is kept, including fixes that were given up. */
  join(other: MemoryContent): Promise<MemoryContent>
  /** Forgets facts and fixes for good; returns the fixes among them. */
  forget(ids: readonly string[]): Promise<readonly KnownFix[]>
  /** Replaces the text of a fix that a person corrected. */
  correct(known: KnownFix, fix: string): Promise<void>
}

/** @param directory `.executor` itself; the first fix creates it */
export function createFileMemory(options: {
  readonly directory: string
  readonly clock: Pick<Clock, 'now'>
  /** Says once that a file is ignored, and why. */
  readonly notice?: (sentence: string) => void
}): FileMemory {
  const { directory, clock, notice } = options
  const path = join(directory, memoryName)
  // Each call sees the result of the previous one.
  const inTurn = takingTurns()
  let isSaid = false
  const say = (why: string) => {
    if (!isSaid) notice?.(`.executor/${memoryName}: ${why}.`)
    isSaid = true
  }
  async function known(): Promise<MemoryContent> {
    const { text, problem } = await readPlain(path, largestFile)
    const read = readMemory(text)
    if (problem !== null) say(`it is ignored, ${problem.message}`)
    else if (read === null && text !== '') say('it is ignored, it is not a memory of this program')
    if ((read?.ignored ?? 0) > 0) say(notPlain)
    return joinMemories(read ?? nothing, nothing, clock.now())
  }
  async function write(remembered: MemoryContent): Promise<void> {
    await makeDirectory(directory)
    const { text, problem } = await readPlain(path, largestFile)
    if (problem !== null || (text !== '' && readMemory(text) === null)) {
      await rename(path, join(directory, 'memory.foreign.json'))
    }
    await replaceFile(path, memoryText(remembered))
  }
  /** Writes what `change` returns, unless it is the same. */
  const update = (change: (before: MemoryContent) => MemoryContent) =>
    inTurn(() =>
      explainState(async () => {
        const before = await known()
        const after = change(before)
        if (memoryText(after) !== memoryText(before)) await write(after)
        return { before, after }
      }),
    )
  const usable = async () => usableFixes((await inTurn(known)).fixes)
  return {
    recall: async (signature) =>
      (await usable()).find((each) => each.signature === signature) ?? null,
    async join(other) {
      const { after } = await update((before) => joinMemories(before, other, clock.now()))
      return after
    },
    async learn(outcome) {
      await update((before) => ({
        ...before,
        fixes: learnFix(before.fixes, outcome, clock.now()),
      }))
    },
    all: usable,
    forgotten: async () => (await inTurn(known)).forgotten.map(({ id }) => id),
    async forget(ids) {
      const at = clock.now()
      const wishes = ids.map((id) => ({ id, at }))
      const { before, after } = await update((all) =>
        joinMemories(all, { fixes: [], forgotten: wishes }, at),
      )
      return before.fixes.filter((fix) => !after.fixes.includes(fix))
    },
    async correct(old, fix) {
      const at = clock.now()
      const corrected = knownFixSchema.parse({ ...old, fix, at })
      await update(({ fixes, forgotten }) => {
        const others = fixes.filter(({ signature }) => signature !== old.signature)
        return { fixes: [corrected, ...others], forgotten }
      })
    },
  }
}
