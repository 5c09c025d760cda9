/**
 * Results of finished tasks, one JSON line each, only ever appended: a save costs what changed, not
 * what was done before. A later line for a task replaces the earlier one; `null` takes it back. How
 * far the file counts is said by the state file, so a line torn by a kill is not part of any state.
 */
import { open, stat } from 'node:fs/promises'
import { z } from 'zod'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { type TaskResult, taskResultSchema } from '../../core/domain/verdict.ts'
import { readStored } from '../../core/parse-json.ts'
import type { PastTask } from '../../core/ports/store.ts'
import { readPlain, useFile } from '../plain-file.ts'

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

/** The lines that lead from one set of results to the next, compared by identity. */
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

/** Bytes; 0 when there is none yet. */
export async function logSize(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.size ?? 0
}

/** The results of a range. @throws when the file does not hold them whole */
export async function readResults(path: string, { from, to }: LogRange): Promise<Results> {
  if (from === to) return {}
  const bytes = Buffer.alloc(to - from)
  const { bytesRead } = await useFile(await open(path, 'r'), (file) =>
    file.read(bytes, 0, bytes.length, from),
  )
  if (bytesRead < bytes.length) throw new Error('results.jsonl is cut short')
  return resultsOf(bytes.toString('utf8').trimEnd().split('\n'))
}

/** What these lines lead to, in the order in which results were filed last. @throws Error for a damaged line */
export function resultsOf(lines: readonly string[]): Results {
  const results = new Map<string, TaskResult>()
  for (const line of lines) {
    const { id, result } = lineShape.parse(JSON.parse(line))
    results.delete(id)
    if (result !== null) results.set(id, result)
  }
  return Object.fromEntries(results)
}

/** Bytes of the log's end that are looked at: some thousands of tasks. */
const longestPast = 4_000_000

/**
 * The tasks that were finished, of this run and earlier ones; the last result of each task counts.
 * A log that is not there, or not readable, holds none, and a damaged line is passed over: this is
 * for estimates only.
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
