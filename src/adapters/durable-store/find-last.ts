/** Finds the state to resume from: on this disk, or left by another machine. */
import type { JournalEvent } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { LoadResult } from '../../core/ports/store.ts'
import { isFinished, readLearned, readSharedRun, runsIn, type SharedRun } from './read-runs.ts'
import { joinLearned } from './run-files.ts'
import { findRuns } from './shared-log.ts'
import type { Shared } from './shared-state.ts'

export type Last =
  /** This disk has the newest state. `isShared`: the repository has this run too. */
  | { readonly status: 'here'; readonly found: LoadResult; readonly isShared: boolean }
  /** The repository has a state that is not on this disk. */
  | {
      readonly status: 'there'
      readonly state: RunState
      readonly events: readonly JournalEvent[]
      readonly restored: string | null
    }

export interface Wish {
  readonly roadmap: string
  /** `undefined` matches every interrupted run. */
  readonly request: string | undefined
  /** The state on this disk. */
  readonly here: LoadResult
  /** The number of a run's newest event on this disk; -1 without any. */
  readonly newestHere: (run: string) => Promise<number>
  /**
   * `taken`: no living run works on it, and now this one does. `closed`: the ref cannot be written,
   * so no one can tell how far that run got since.
   */
  readonly take: (run: string) => Promise<'taken' | 'held' | 'closed'>
  readonly notice: (sentence: string) => void
}

/** Finds the unfinished run of this request, otherwise what the newest run learned. */
export async function findLast(shared: Shared, wish: Wish): Promise<Last> {
  const { here, roadmap, request, notice } = wish
  for (const { run, state, events, restored } of await readRuns(shared, notice)) {
    const isAsked = request === undefined || state.run.request === request
    if (!isAsked || state.roadmap.path !== roadmap || isFinished(state)) continue
    const taken = await wish.take(run)
    if (taken === 'closed') break
    if (taken === 'held') {
      notice(`${run} is already doing this work; this run does the rest.`)
      continue
    }
    const isHere = here.status === 'loaded' && here.state.run.id === run
    const newest = events.at(-1)?.seq ?? -1
    if (isHere && (await wish.newestHere(run)) >= newest) {
      return { status: 'here', found: here, isShared: true }
    }
    return { status: 'there', state, events, restored }
  }
  return { status: 'here', found: await withLearned(shared, wish), isShared: false }
}

/** Newest first, after the runs that someone requested by name: no one requests them twice. */
async function readRuns(shared: Shared, notice: Wish['notice']): Promise<readonly FoundRun[]> {
  const runs: FoundRun[] = []
  for (const run of runsIn(shared)) {
    const read = await readSharedRun(shared, run)
    if (read.status === 'read') runs.push({ run, ...read })
    else notice(`The stored state of ${run} is damaged and left alone: ${read.detail}.`)
  }
  const isNamed = ({ state }: FoundRun) => state.run.only !== null
  return [...runs.filter(isNamed), ...runs.filter((each) => !isNamed(each))]
}

type FoundRun = Extract<SharedRun, { status: 'read' }> & { readonly run: string }

async function withLearned(shared: Shared, wish: Wish): Promise<LoadResult> {
  const { here, roadmap, request, notice } = wish
  const learned = await readLearned(shared, roadmap)
  if (learned.status === 'damaged') {
    notice(`The stored results of earlier runs are damaged and rebuilt: ${learned.detail}.`)
  }
  const known = learned.status === 'read' ? learned.state : null
  if (here.status === 'loaded' && here.state.roadmap.path === roadmap) {
    const { state } = here
    const isOpen = (request === undefined || state.run.request === request) && !isFinished(state)
    if (!isOpen) return known === null ? here : { ...here, state: joinLearned(state, known) }
    // Unless another machine took over this run and finished it.
    if (known === null || !(await findRuns(shared)).includes(state.run.id)) return here
  }
  if (known === null) return here
  const restored = here.status === 'corrupt' ? { restored: here.detail } : {}
  return { status: 'loaded', state: known, ...restored, from: 'repository' }
}
