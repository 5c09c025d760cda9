/**
 * Results of finished tasks, one JSON line each, append-only: the cost of a save depends on the
 * change, not on earlier work. A later line for a task replaces an earlier one; `null` removes it.
 * The state file says how far the log counts, so a torn line is not part of any state.
 */
import { open, stat } from 'node:fs/promises'
import { z } from 'zod'
import { readPlain, useFile } from '../../../packages/files/files.ts'
import { readStored } from '../../../packages/text/text.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { type TaskResult, taskResultSchema } from '../../core/domain/verdict.ts'
import type { PastTask } from '../../core/ports/store.ts'

type Results = RunState['tasks']['results']

/** The bytes of the log that belong to one run, as of one save. */
export interface LogRange {
  readonly from: number
  readonly to: number
}

export const logRangeShape: z.ZodType<LogRange> = z.object({
  from: z.int().nonnegative(),
  to: z.int().nonnegative(),
})

const lineShape = z.object({ id: z.string(), result: taskResultSchema.nullable() })

/** Returns the lines that turn one set of results into the next, compared by identity. */
export function changedLines(before: Results, after: Results): string {
  if (before === after) return ''
  const lines = Object.entries(after)
    .filter(([id, result]) => before[id] !== result)
    .map(([id, result]) => ({ id, result }))
  const gone = Object.keys(before).filter((id) => !Object.hasOwn(after, id))
  return [...gone.map((id) => ({ id, result: null })), ...lines]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

/** In bytes; 0 without a log. */
export async function logSize(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.size ?? 0
}

/** Reads the results of a range. @throws Error if the file does not contain all of it */
export async function readResults(path: string, { from, to }: LogRange): Promise<Results> {
  if (from === to) return {}
  const bytes = Buffer.alloc(to - from)
  const { bytesRead } = await useFile(await open(path, 'r'), (file) =>
    file.read(bytes, 0, bytes.length, from),
  )
  if (bytesRead < bytes.length) throw new Error('results.jsonl is truncated')
  return resultsOf(bytes.toString('utf8').trimEnd().split('\n'))
}

/**
 * Applies these lines; the last change of a task sets its order. @throws Error for a damaged line
 */
export function resultsOf(lines: readonly string[]): Results {
  const results = new Map<string, TaskResult>()
  for (const line of lines) {
    const { id, result } = lineShape.parse(JSON.parse(line))
    results.delete(id)
    if (result !== null) results.set(id, result)
  }
  return Object.fromEntries(results)
}

/** Maximum bytes read from the end of the log: several thousand tasks. */
const longestPast = 4_000_000

/**
 * Reads the finished tasks of this and earlier runs; the last result of each task counts. A missing
 * or unreadable log counts as empty and a damaged line is skipped, since this only feeds estimates.
 */
export async function readPastTasks(path: string): Promise<readonly PastTask[]> {
  const { text } = await readPlain(path, longestPast, 'end')
  return pastTasksOf(text.split('\n').flatMap((line) => readStored(lineShape, line)?.result ?? []))
}

export function pastTasksOf(results: readonly TaskResult[]): readonly PastTask[] {
  const tasks = new Map<string, PastTask>()
  for (const { id, thisRun, forecastTokens, usage } of results) {
    const tokens = totalTokens(usage)
    if (thisRun && forecastTokens !== null && tokens > 0) tasks.set(id, { tokens, forecastTokens })
  }
  return [...tasks.values()]
}
