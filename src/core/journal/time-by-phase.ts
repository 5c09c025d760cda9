import { secondsOf } from '../domain/instant.ts'
import type { JournalEvent, Recorded } from '../domain/journal-event.ts'
import type { NodeName } from '../domain/steps.ts'

export const phaseNames = ['model', 'repair', 'tests', 'installing', 'waiting', 'other'] as const

/** What time went into. `waiting`: a person is asked; `other`: git, GitHub, and our own computing. */
export type PhaseName = (typeof phaseNames)[number]

/** `at` is in seconds since the run's start. */
export interface Phase {
  readonly phase: PhaseName
  readonly at: number
  readonly seconds: number
}

/** Phases in the order in which they began; under `null`, what belongs to no task. */
export type PhasesByTask = ReadonlyMap<string | null, readonly Phase[]>

const phaseOf: Readonly<Partial<Record<NodeName, PhaseName>>> = {
  normalize_roadmap: 'model',
  plan_task: 'model',
  execute_task: 'model',
  run_agent: 'model',
  think: 'model',
  use_tool: 'tests',
  reflect: 'model',
  classify_failure: 'model',
  propose_recovery: 'model',
  repair_code: 'repair',
  repair_test: 'repair',
  verify_task: 'tests',
  await_approval: 'waiting',
}

/** Phases of one kind with less than this between them are one, in seconds. */
const leastPause = 0.25

/** The most phases kept of a task; time outside of tests and model calls is dropped first. */
const mostPhases = 60

/**
 * When each task was worked on, and on what, from the journal of its run. An installation overlaps the model's
 * work, which it does not wait for.
 *
 * @param startedAt when the run began, ISO time
 * @param endsAt when it ended: a task that waits for a person waits until then
 */
export function timeByPhase(
  events: readonly JournalEvent[],
  { startedAt, endsAt }: { readonly startedAt: string; readonly endsAt: string },
): PhasesByTask {
  const start = secondsOf(startedAt)
  const end = secondsOf(endsAt)
  if (start === null) return new Map()
  const phases = new Map<string | null, Phase[]>()
  const waitsSince = new Map<string, number>()
  const add = (task: string | null, phase: PhaseName, from: number, to: number): void => {
    const at = Math.max(0, from - start)
    const seconds = to - start - at
    if (!(seconds > 0)) return
    const known = phases.get(task) ?? []
    phases.set(task, known)
    known.push({ phase, at, seconds })
  }
  let current: string | null = null
  for (const event of events) {
    const to = secondsOf(event.at)
    if (to === null) continue
    if (event.kind === 'installed') add(current, 'installing', to - event.seconds, to)
    if (event.kind !== 'stepped') continue
    const { task, node, seconds } = event
    current = task
    const since = task === null ? undefined : waitsSince.get(task)
    // The run decides about its next task while this one waits.
    if (task !== null && since !== undefined && node !== 'decide_next') {
      add(task, 'waiting', since, to - seconds)
      waitsSince.delete(task)
    }
    const isAsked = asksLater(event)
    add(task, isAsked ? 'other' : (phaseOf[node] ?? 'other'), to - seconds, to)
    if (task !== null && isAsked) waitsSince.set(task, to)
  }
  for (const [task, since] of waitsSince) if (end !== null) add(task, 'waiting', since, end)
  return new Map(
    [...phases].map(([task, known]) => [task, bound(joined(apartFromInstalls(known)))]),
  )
}

/** The question was written where people answer later, on a pull request: only that took this step's time. */
const asksLater = ({ node, outcome }: Recorded<'stepped'>): boolean =>
  node === 'await_approval' && outcome === 'waiting'

/** Tests wait for an installation: its time is not theirs. */
function apartFromInstalls(phases: readonly Phase[]): readonly Phase[] {
  const installs = phases.filter(({ phase }) => phase === 'installing')
  if (installs.length === 0) return phases
  return phases.flatMap((each) =>
    each.phase === 'tests'
      ? installs.reduce<readonly Phase[]>(
          (parts, install) => parts.flatMap((part) => without(part, install)),
          [each],
        )
      : [each],
  )
}

/** The parts of a phase before and after another one. */
function without(phase: Phase, other: Phase): readonly Phase[] {
  const [from, to] = [phase.at, phaseEnd(phase)]
  const before = { ...phase, seconds: Math.min(to, other.at) - from }
  const at = Math.max(from, phaseEnd(other))
  return [before, { ...phase, at, seconds: to - at }].filter(({ seconds }) => seconds > 0)
}

function joined(phases: readonly Phase[]): readonly Phase[] {
  const inOrder = phases.toSorted((a, b) => a.at - b.at)
  const all: Phase[] = []
  const newest = new Map<PhaseName, number>()
  for (const phase of inOrder) {
    const index = newest.get(phase.phase) ?? -1
    const before = all[index]
    const isNext = index === all.length - 1 || phase.phase === 'installing'
    if (before !== undefined && isNext && phase.at - phaseEnd(before) < leastPause) {
      const end = Math.max(phaseEnd(before), phaseEnd(phase))
      all[index] = { ...before, seconds: end - before.at }
      continue
    }
    newest.set(phase.phase, all.length)
    all.push(phase)
  }
  return all
}

function bound(phases: readonly Phase[]): readonly Phase[] {
  const told = phases.length > mostPhases ? phases.filter(({ phase }) => phase !== 'other') : phases
  const longest = told.toSorted((a, b) => b.seconds - a.seconds).slice(0, mostPhases)
  const kept = new Set(longest)
  return told.filter((phase) => kept.has(phase)).map(rounded)
}

export const phaseEnd = ({ at, seconds }: Phase): number => at + seconds

const rounded = ({ phase, at, seconds }: Phase): Phase => ({
  phase,
  at: toMilliseconds(at),
  seconds: toMilliseconds(seconds),
})

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000
