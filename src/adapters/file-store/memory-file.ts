/**
 * Fixes that worked, in `.executor/memory.json`, replaced whole. What is damaged, too large or not ours
 * counts as nothing; it is kept beside the new file, once, as `memory.foreign.json`.
 */
import { constants } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ExecutorError } from '../../core/domain/errors.ts'
import { errorTypes, remedies } from '../../core/domain/step-error.ts'
import { keepFresh, learnFix, usableFixes } from '../../core/learn-fix.ts'
import type { KnownFix, Memory } from '../../core/ports/memory.ts'
import type { Clock } from '../../core/ports.ts'
import { replaceFile, useFile } from './atomic-file.ts'
import { makeDirectory } from './state-files.ts'

const memoryName = 'memory.json'

/** Bytes; two hundred fixes take a fifth of it. */
const largestFile = 1_000_000

const text = z.string().min(1).max(400)
const count = z.int().nonnegative()

const fixShape: z.ZodType<KnownFix> = z.object({
  signature: text,
  type: z.enum(errorTypes),
  strategy: z.enum(remedies),
  fix: text,
  worked: count,
  failed: count,
  failedInARow: count,
  at: z.iso.datetime(),
})

const fileShape = z.object({ version: z.literal(1), fixes: z.array(fixShape) })

export const memoryText = (fixes: readonly KnownFix[]): string =>
  `${JSON.stringify({ version: 1, fixes }, null, 1)}\n`

/** `null` for what is no memory of ours. */
export function readMemory(text: string): readonly KnownFix[] | null {
  if (text.length > largestFile) return null
  try {
    const read = fileShape.safeParse(JSON.parse(text))
    return read.success ? read.data.fixes : null
  } catch {
    return null
  }
}

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
  let last: Promise<unknown> = Promise.resolve()
  /** One after the other: each reads what the one before it wrote. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
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

async function explained<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) {
      throw new ExecutorError('state_unwritable', cause.message, { cause })
    }
    throw cause
  }
}
