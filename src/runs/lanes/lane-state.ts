/**
 * The state of a run whose tasks are walked side by side: it stands between tasks, and each lane has its own position
 * and attempt. A lane's step sees its view of the state, and its change is merged into the state of that moment.
 */
import { changeState } from '../../core/domain/change-state.ts'
import { mergeStates } from '../../core/domain/merge-states.ts'
import type { Lane, RunState } from '../../core/domain/run-state.ts'

/** The walk that chooses tasks and does what concerns the whole run. */
export const dispatcher = 0

/** Ordinals of calls that each lane has for its task, so that no two calls of a run have the same. */
const callsOfTask = 100_000

/** The node at which a walk stands that cannot continue; the report follows when all others are done. */
const ending = 'generate_report'

const lanesOf = ({ lanes = [] }: RunState): readonly Lane[] => lanes

/** The lanes whose tasks can continue. */
export const lanesUnderWay = (state: RunState): readonly Lane[] =>
  lanesOf(state).filter(({ next }) => next !== ending)

/** The same state with its attempt, if it has one, in a lane of its own. */
export function openLanes(state: RunState): RunState {
  const { attempt, progress } = state
  if (attempt === null) return { ...state, lanes: lanesOf(state) }
  const { next } = progress
  if (next === 'END') return state
  const between = changeState(state, {
    attempt: null,
    progress: { next: next === ending ? ending : 'pick_task' },
  })
  return openLane(between, { next, attempt })
}

/** The lanes of an interrupted run, each where it continues. */
export function resumeLanes(state: RunState): RunState {
  if (state.lanes === undefined) return state
  const lanes = state.lanes.map(({ resumeAt, next, ...lane }) => ({
    ...lane,
    next: resumeAt ?? next,
    resumeAt: null,
  }))
  return { ...state, lanes }
}

/**
 * The lane whose task continues alone: after a crash, the tasks that were under way do so one at a time, since only the
 * one at work is to blame for another crash.
 */
export const suspectIn = (state: RunState): Lane | undefined =>
  lanesUnderWay(state).find(({ attempt }) => attempt.starts > 1)

/** Counts a crash against the tasks that may have caused it, by `count`, which changes the view of a lane. */
export function countCrash(state: RunState, count: (view: RunState) => RunState): RunState {
  const suspect = suspectIn(state)
  const lanes = suspect === undefined ? lanesUnderWay(state) : [suspect]
  return lanes.reduce((now, { lane }) => {
    const view = viewFor(now, lane)
    return mergeStep(now, lane, view, count(view))
  }, state)
}

/** Opens the first free lane. */
function openLane(state: RunState, { next, attempt }: Pick<Lane, 'next' | 'attempt'>): RunState {
  const lanes = lanesOf(state)
  const taken = new Set(lanes.map(({ lane }) => lane))
  let lane = 1
  while (taken.has(lane)) lane += 1
  const { calls } = state.spent
  return changeState(state, {
    spent: { calls: calls + callsOfTask },
    lanes: [...lanes, { lane, next, resumeAt: null, calls, attempt }],
  })
}

/** The state as this walk sees it: `lanes` are the others. */
export function viewFor(state: RunState, walk: number): RunState {
  const own = lanesOf(state).find(({ lane }) => lane === walk)
  if (own === undefined) return state
  const { next, calls, attempt } = own
  return changeState(state, {
    attempt,
    progress: { next, resumeAt: null },
    spent: { calls },
    lanes: lanesOf(state).filter((lane) => lane !== own),
  })
}

/** Merges a walk's step, from `before` to `after`, into the state of this moment. */
export function mergeStep(
  now: RunState,
  walk: number,
  before: RunState,
  after: RunState,
): RunState {
  const merged = mergeStates(before, after, now)
  return walk === dispatcher ? dispatched(merged, before, after) : moved(merged, walk, after)
}

/** A task that the dispatcher picked gets a lane; otherwise the dispatcher itself moves. */
function dispatched(state: RunState, before: RunState, after: RunState): RunState {
  const { attempt, spent } = after
  const { next, resumeAt } = after.progress
  if (attempt !== null && next !== 'END') return openLane(state, { next, attempt })
  // Meanwhile, a lane has decided that the run ends.
  if (state.progress.next !== before.progress.next) return state
  const there = changeState(state, { progress: { next, resumeAt }, spent: { calls: spent.calls } })
  return next === 'END' ? closeLanes(there) : there
}

/** Moves the lane, or closes it after its task. */
function moved(state: RunState, walk: number, after: RunState): RunState {
  const { attempt, progress, spent } = after
  const { next, resumeAt } = progress
  if (next === 'END') throw new Error(`Lane ${walk} came to the end of the run.`)
  const ends = { progress: { next: ending } } as const
  if (attempt === null) {
    const lanes = lanesOf(state).filter(({ lane }) => lane !== walk)
    return changeState(state, { lanes }, next === 'pick_task' ? {} : ends)
  }
  const lanes = lanesOf(state).map((lane) =>
    lane.lane === walk ? { lane: walk, next, resumeAt, calls: spent.calls, attempt } : lane,
  )
  if (next !== ending) return changeState(state, { lanes })
  const waits = resumeAt === null ? {} : ({ progress: { resumeAt: 'pick_task' } } as const)
  return changeState(state, { lanes }, ends, waits)
}

/** At the end of a run only those lanes stay in which the next run resumes. */
function closeLanes(state: RunState): RunState {
  const lanes = lanesOf(state).filter(({ resumeAt }) => resumeAt !== null)
  return { ...state, lanes: lanes.length > 0 ? lanes : undefined }
}
