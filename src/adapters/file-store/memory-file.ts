/**
 * Fixes that worked, in `.executor/memory.json`, replaced whole. What is damaged, too large or not ours
 * counts as nothing; it is kept beside the new file, once, as `memory.foreign.json`.
 */
import { constants } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { keepFresh, learnFix, usableFixes } from '../../core/learn-fix.ts'
import { readStored } from '../../core/parse-json.ts'
import { type KnownFix, knownFixSchema, type Memory } from '../../core/ports/memory.ts'
import type { Clock } from '../../core/ports.ts'
import { replaceFile, useFile } from './atomic-file.ts'
import { explained, takingTurns } from './in-turn.ts'
import { makeDirectory } from './state-files.ts'

const memoryName = 'memory.json'

/** Bytes; two hundred fixes take a fifth of it. */
const largestFile = 1_000_000

const fileShape = z.object({ version: z.literal(1), fixes: z.array(knownFixSchema) })

export const memoryText = (fixes: readonly KnownFix[]): string =>
  `${JSON.stringify({ version: 1, fixes }, null, 1)}\n`

/** `null` for what is no memory of ours. */
export const readMemory = (text: string): readonly KnownFix[] | null =>
  text.length > largestFile ? null : (readStored(fileShape, text)?.fixes ?? null)

export interface FileMemory extends Memory {
  /** Takes over what others learned; answers all that is kept then, fixes that were given up among it. */
  join(others: readonly KnownFix[]): Promise<readonly KnownFix[]>
}

/** `directory` is `.executor` itself; the first fix makes it. */
export function createFileMemory({
  directory,
  clock,
}: {
  readonly directory: string
  readonly clock: Pick<Clock, 'now'>
}): FileMemory {
  const path = join(directory, memoryName)
  // Each reads what the one before it wrote.
  const inTurn = takingTurns()
  const known = async () => keepFresh(readMemory(await readText(path)) ?? [], clock.now())
  async function write(fixes: readonly KnownFix[]): Promise<void> {
    await makeDirectory(directory)
    const found = await readText(path)
    if (found !== '' && readMemory(found) === null) {
      await rename(path, join(directory, 'memory.foreign.json'))
    }
    await replaceFile(path, memoryText(fixes))
  }
  return {
    recall: (signature) =>
      inTurn(
        async () => usableFixes(await known()).find((each) => each.signature === signature) ?? null,
      ),
    join: (others) =>
      inTurn(() =>
        explained(async () => {
          const before = await known()
          const after = keepFresh([...before, ...others], clock.now())
          if (others.length > 0 && memoryText(after) !== memoryText(before)) await write(after)
          return after
        }),
      ),
    learn: (outcome) =>
      inTurn(() =>
        explained(async () => {
          const before = await known()
          const after = learnFix(before, outcome, clock.now())
          if (after !== before) await write(after)
        }),
      ),
    all: () => inTurn(async () => usableFixes(await known())),
    clear: () =>
      inTurn(() =>
        explained(async () => {
          const before = await known()
          if (before.length > 0) await write([])
          return usableFixes(before)
        }),
      ),
  }
}

/** Empty where there is none; a link, a pipe or a file that is too large is none of ours either. */
async function readText(path: string): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    return await useFile(await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), async (file) => {
      const found = await file.stat()
      if (!found.isFile() || found.size > largestFile) return '?'
      return await file.readFile('utf8')
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') return ''
    return '?'
  }
}
