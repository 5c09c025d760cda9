/**
 * Fixes that worked, in `.executor/memory.json`, replaced as a whole. A damaged, oversized or
 * foreign file counts as empty and is kept once as `memory.foreign.json`.
 */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { keepFresh, learnFix, usableFixes } from '../../core/learn-fix.ts'
import { readStored } from '../../core/parse-json.ts'
import { type KnownFix, knownFixSchema, type Memory } from '../../core/ports/memory.ts'
import type { Clock } from '../../core/ports.ts'
import { explainState } from '../explain-disk.ts'
import { takingTurns } from '../in-turn.ts'
import { readPlain, replaceFile } from '../plain-file.ts'
import { makeDirectory } from './state-files.ts'

const memoryName = 'memory.json'

/** In bytes; two hundred fixes take a fifth of it. */
const largestFile = 1_000_000

const fileShape = z.object({ version: z.literal(1), fixes: z.array(knownFixSchema) })

export const memoryText = (fixes: readonly KnownFix[]): string =>
  `${JSON.stringify({ version: 1, fixes }, null, 1)}\n`

/** Returns `null` for a text that is not a memory file. */
export const readMemory = (text: string): readonly KnownFix[] | null =>
  text.length > largestFile ? null : (readStored(fileShape, text)?.fixes ?? null)

export interface FileMemory extends Memory {
  /** Takes over other fixes and returns all that are kept, including those that were given up. */
  join(others: readonly KnownFix[]): Promise<readonly KnownFix[]>
}

/** @param directory `.executor` itself; the first fix creates it */
export function createFileMemory({
  directory,
  clock,
}: {
  readonly directory: string
  readonly clock: Pick<Clock, 'now'>
}): FileMemory {
  const path = join(directory, memoryName)
  // Each call sees the result of the previous one.
  const inTurn = takingTurns()
  const known = async () =>
    keepFresh(readMemory((await readPlain(path, largestFile)).text) ?? [], clock.now())
  async function write(fixes: readonly KnownFix[]): Promise<void> {
    await makeDirectory(directory)
    const { text, problem } = await readPlain(path, largestFile)
    if (problem !== null || (text !== '' && readMemory(text) === null)) {
      await rename(path, join(directory, 'memory.foreign.json'))
    }
    await replaceFile(path, memoryText(fixes))
  }
  /** Writes what `change` returns, unless that is its argument itself. */
  const update = (change: (before: readonly KnownFix[]) => readonly KnownFix[]) =>
    inTurn(() =>
      explainState(async () => {
        const before = await known()
        const after = change(before)
        if (after !== before) await write(after)
        return { before, after }
      }),
    )
  return {
    async recall(signature) {
      const fixes = usableFixes(await inTurn(known))
      return fixes.find((each) => each.signature === signature) ?? null
    },
    async join(others) {
      const { after } = await update((before) => {
        const both = keepFresh([...before, ...others], clock.now())
        return memoryText(both) === memoryText(before) ? before : both
      })
      return after
    },
    async learn(outcome) {
      await update((before) => learnFix(before, outcome, clock.now()))
    },
    all: async () => usableFixes(await inTurn(known)),
    async clear() {
      const { before } = await update((fixes) => (fixes.length > 0 ? [] : fixes))
      return usableFixes(before)
    },
  }
}
