/** Reads runs from the shared state and trusts nothing: anyone with push access can write there. */
import { z } from 'zod'
import { oneLine } from '../../../packages/text/text.ts'
import { changeState } from '../../core/domain/change-state.ts'
import { type JournalEvent, readJournalLine } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { taskResultSchema } from '../../core/domain/verdict.ts'
import { resultsOf } from '../file-store/results-log.ts'
import { parseState } from '../file-store/state-files.ts'
import { learnedPath, runFolder } from './run-files.ts'
import { splitRecords } from './shared-log.ts'
import type { Shared } from './shared-state.ts'

export type SharedRun =
  | {
      readonly status: 'read'
      readonly state: RunState
      readonly events: readonly JournalEvent[]
      /** The problem with the newest state, if this is the previous one. */
      readonly restored: string | null
    }
  | { readonly status: 'damaged'; readonly detail: string }

const runPath = /^runs\/([A-Za-z0-9][A-Za-z0-9._-]{0,99})\//

/** Unfinished runs, newest first: their names begin with the time. */
export function runsIn({ paths }: Pick<Shared, 'paths'>): readonly string[] {
  const names = paths.flatMap((path) => runPath.exec(path)?.[1] ?? [])
  return [...new Set(names)].sort().reverse()
}

export const isFinished = ({ progress: { next, resumeAt } }: RunState): boolean =>
  next === 'END' && resumeAt === null

export async function readSharedRun(shared: Shared, run: string): Promise<SharedRun> {
  const folder = runFolder(run)
  const own = shared.paths.filter((path) => path.startsWith(`${folder}/`)).sort()
  const texts = await shared.read(own)
  const linesOf = (part: string) =>
    own
      .filter((path) => path.startsWith(`${folder}/${part}/`))
      .flatMap((path) => splitRecords(texts.get(path) ?? ''))
  const events = linesOf('journal')
    .flatMap((line) => readJournalLine(line) ?? [])
    .filter((event) => event.run === run)
    .toSorted((a, b) => a.seq - b.seq)
  const results = linesOf('results')
  const read = (name: string) => readState(texts.get(`${folder}/${name}`), run, results)
  try {
    return { status: 'read', state: read('state.json'), events, restored: null }
  } catch (error) {
    const detail = `${folder}/state.json: ${reasonOf(error)}`
    try {
      return { status: 'read', state: read('previous.json'), events, restored: detail }
    } catch {
      return { status: 'damaged', detail }
    }
  }
}

const referenceShape = z.object({ lines: z.int().nonnegative() })

/** @throws Error if any part differs from what was written */
function readState(text: string | undefined, run: string, lines: readonly string[]): RunState {
  if (text === undefined) throw new Error('it does not exist')
  const json: unknown = JSON.parse(text)
  const state = parseState(json, referenceShape)
  if (state.run.id !== run) throw new Error(`it belongs to ${state.run.id}`)
  const { results: expected } = state.tasks
  if (lines.length < expected.lines) throw new Error('its results are truncated')
  const results = resultsOf(lines.slice(0, expected.lines))
  return { ...state, tasks: { ...state.tasks, results } }
}

const learnedShape = z.record(z.string(), taskResultSchema)

export type Learned =
  | { readonly status: 'read'; readonly state: RunState }
  | { readonly status: 'none' }
  | { readonly status: 'damaged'; readonly detail: string }

/** Reads what earlier runs of this roadmap left for the next one. */
export async function readLearned(shared: Shared, roadmap: string): Promise<Learned> {
  const path = learnedPath(roadmap)
  if (!shared.paths.includes(path)) return { status: 'none' }
  try {
    const json: unknown = JSON.parse((await shared.read([path])).get(path) ?? '')
    const state = parseState(json, learnedShape)
    if (state.roadmap.path !== roadmap) throw new Error(`it belongs to ${state.roadmap.path}`)
    const ended = { progress: { next: 'END', resumeAt: null }, attempt: null } as const
    return { status: 'read', state: changeState(state, ended) }
  } catch (error) {
    return { status: 'damaged', detail: `${path}: ${reasonOf(error)}` }
  }
}

const reasonOf = (error: unknown): string =>
  oneLine(String(error instanceof Error ? error.message : error)).slice(0, 300)
