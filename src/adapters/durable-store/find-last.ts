/** Where a run goes on: on this disk, or where another machine left it. */
import type { JournalEvent } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { LoadResult } from '../../core/ports/store.ts'
import { findRuns } from './find-history.ts'
import { isFinished, readLearned, readSharedRun, runsIn, type SharedRun } from './read-runs.ts'
import { joinLearned } from './run-files.ts'
import type { Shared } from './shared-state.ts'

export type Last =
  /** This disk has the newest. `isShared`: the repository has this run, too. */
  | { readonly status: 'here'; readonly found: LoadResult; readonly isShared: boolean }
  /** Not yet on this disk. */
  | {
      readonly status: 'there'
      readonly state: RunState
      readonly events: readonly JournalEvent[]
      readonly restored: string | null
    }

export interface Wish {
  readonly roadmap: string
  /** `undefined`: whatever was cut off. */
  readonly request: string | undefined
  /** What the disk has. */
  readonly here: LoadResult
  /** The number of the newest event that the disk has of a run; -1 without any. */
  readonly newestHere: (run: string) => Promise<number>
  /**
   * `taken` when no living run works on it; from then on this one does. `closed`: nothing can be written
   * there, so nobody could say how far that run went on since.
   */
  readonly take: (run: string) => Promise<'taken' | 'held' | 'closed'>
  readonly notice: (sentence: string) => void
}

/** The unfinished run of this request, else what the newest one learned of the roadmap. */
export async function findLast(shared: Shared, wish: Wish): Promise<Last> {
  const { here, roadmap, request, notice } = wish
  for (const { run, read } of await readRuns(shared, notice)) {
    const { state, events, restored } = read
    const isAsked = request === undefined || state.request === request
    if (!isAsked || state.roadmap !== roadmap || isFinished(state)) continue
    const taken = await wish.take(run)
    if (taken === 'closed') break
    if (taken === 'held') {
      notice(`${run} does the same work just now; this run does what that one leaves.`)
      continue
    }
    const isHere = here.status === 'loaded' && here.state.runId === run
    const newest = events.at(-1)?.seq ?? -1
    if (isHere && (await wish.newestHere(run)) >= newest) {
      return { status: 'here', found: here, isShared: true }
    }
    return { status: 'there', state, events, restored }
  }
  return { status: 'here', found: await withLearned(shared, wish), isShared: false }
}

/** Newest first; those that somebody asked for by name before all others: nobody asks again. */
async function readRuns(
  shared: Shared,
  notice: (sentence: string) => void,
): Promise<
  readonly { readonly run: string; readonly read: SharedRun & { readonly status: 'read' } }[]
> {
  const runs: { run: string; read: SharedRun & { readonly status: 'read' } }[] = []
  for (const run of runsIn(shared)) {
    const read = await readSharedRun(shared, run)
    if (read.status === 'read') runs.push({ run, read })
    else notice(`What the repository keeps of ${run} is damaged, and left alone: ${read.detail}.`)
  }
  const isNamed = ({ read }: { readonly read: { readonly state: RunState } }) =>
    read.state.only !== null
  return [...runs.filter(isNamed), ...runs.filter((each) => !isNamed(each))]
}

async function withLearned(shared: Shared, wish: Wish): Promise<LoadResult> {
  const { here, roadmap, request, notice } = wish
  const learned = await readLearned(shared, roadmap)
  if (learned.status === 'damaged') {
    notice(`What earlier runs learned is damaged, and learned anew: ${learned.detail}.`)
  }
  const known = learned.status === 'read' ? learned.state : null
  switch (here.status) {
    case 'none':
      return known === null ? here : { status: 'loaded', state: known, from: 'repository' }
    case 'corrupt':
      if (known === null) return here
      return { status: 'loaded', state: known, restored: here.detail, from: 'repository' }
    case 'loaded': {
      const { state } = here
      if (state.roadmap !== roadmap) {
        return known === null ? here : { status: 'loaded', state: known, from: 'repository' }
      }
      const isAsked = request === undefined || state.request === request
      const isOpen = isAsked && !isFinished(state)
      if (!isOpen) return known === null ? here : { ...here, state: joinLearned(state, known) }
      // Another machine took this run over and brought it to its end.
      if (known !== null && (await findRuns(shared)).includes(state.runId)) {
        return { status: 'loaded', state: known, from: 'repository' }
      }
      return here
    }
  }
}
