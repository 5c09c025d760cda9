import type { Attempt, Plan } from '../core/domain/attempt.ts'
import type { JournalEntry, Recorded } from '../core/domain/journal-event.ts'
import type { RunState } from '../core/domain/run-state.ts'
import type { NodeName, OutcomeOf } from '../core/domain/steps.ts'
import { subtractUsage } from '../core/domain/usage.ts'
import { shownTokens } from '../model/budget/check-budget.ts'
import { chooseLesson, nameLesson } from '../model/prompts/examples/lessons.ts'
import { errorsBetween } from '../recovery/step/errors-between.ts'

/** One step of a run, as the interpreter recorded it. */
export interface StepTaken {
  readonly node: NodeName
  readonly outcome: OutcomeOf<NodeName>
  readonly seconds: number
}

/** Derives the journal's events from the states before and after a step, so that nodes need not know the journal. */
export function eventsBetween(
  before: RunState,
  after: RunState,
  { node, outcome, seconds }: StepTaken,
): readonly JournalEntry[] {
  const attempt = after.attempt ?? before.attempt
  const stepped: JournalEntry = {
    kind: 'stepped',
    node,
    outcome,
    task: attempt?.task.id ?? null,
    attempt: attempt?.number ?? null,
    seconds,
    usage: subtractUsage(after.spent.usage, before.spent.usage),
    ...sizesBetween(before.attempt, after.attempt),
  }
  return [
    stepped,
    ...routesBetween(before.attempt, after.attempt),
    ...thoughtsBetween(before.attempt, after.attempt),
    ...errorsBetween(before, after, { node, outcome }),
    ...recoveriesBetween(before, after),
    ...resultsBetween(before, after),
  ]
}

/** Facts about the size of the task that this step established. */
function sizesBetween(
  before: Attempt | null,
  after: Attempt | null,
): Pick<
  Recorded<'stepped'>,
  'files' | 'complexity' | 'shape' | 'refinement' | 'lesson' | 'contextTokens' | 'request'
> {
  const draft = after?.draft ?? null
  const plan = after?.plan ?? null
  return {
    ...(after !== null && !isSame(before, after) && begun(after)),
    ...(draft !== null && draft !== before?.draft && { files: draft.changes.length }),
    ...(after !== null && draft !== null && (before?.draft ?? null) === null && shownTo(after)),
    ...(plan !== null && plan !== before?.plan && { complexity: plan.complexity }),
    ...requestBetween(before, after),
  }
}

/** How this step asked for all of a change. */
function requestBetween(
  before: Attempt | null,
  after: Attempt | null,
): Pick<Recorded<'stepped'>, 'request'> {
  const request = after?.requests.at(-1)
  const isNew = request !== undefined && request !== before?.requests.at(-1)
  return isNew ? { request } : {}
}

const begun = ({ size, refinement }: Attempt) => ({
  ...size,
  ...(refinement !== undefined && { refinement }),
})

/** What the request for the first draft showed. */
function shownTo(attempt: Attempt): Pick<Recorded<'stepped'>, 'lesson' | 'contextTokens'> {
  const { task, plan, map, context, loop, refinement } = attempt
  const contextTokens = shownTokens(attempt)
  // A loop of tools has no worked example.
  if (loop !== null) return { contextTokens }
  const lesson = nameLesson(chooseLesson({ task, plan, map, files: context }))
  return { lesson: refinement === 'no_lesson' ? 'none' : lesson, contextTokens }
}

const isSame = (before: Attempt | null, after: Attempt): boolean =>
  before?.task.id === after.task.id && before.number === after.number

/** The way that this step chose for a new attempt. */
function routesBetween(before: Attempt | null, after: Attempt | null): readonly JournalEntry[] {
  if (after?.route === undefined || isSame(before, after)) return []
  const { task, number: attempt, route } = after
  const hasFailed = before?.task.id === task.id && before.failure !== null
  const { fingerprint } = task
  const lost = hasFailed
    ? { attempt: before.number, fingerprint, reason: before.failure?.message ?? '' }
    : null
  return [{ kind: 'routed', task: task.id, attempt, ...route, after: lost }]
}

const planned = (
  { complexity, files, steps }: Plan,
  whose: { readonly task: string; readonly attempt: number },
): JournalEntry => ({ kind: 'planned', ...whose, complexity, files, steps })

/** The plan and the reflection that this step added. */
function thoughtsBetween(before: Attempt | null, after: Attempt | null): readonly JournalEntry[] {
  if (after === null) return []
  const { plan, reflections } = after
  const isNew = plan !== null && plan !== before?.plan
  const whose = { task: after.task.id, attempt: after.number }
  const known = isSame(before, after) ? (before?.reflections.length ?? 0) : 0
  const said = reflections.slice(known).filter((each) => each !== '')
  return [
    ...(isNew ? [planned(plan, whose)] : []),
    ...said.map((each) => ({ kind: 'reflected', ...whose, lines: each.split('\n') }) as const),
  ]
}

const recoveriesBetween = (before: RunState, after: RunState): readonly JournalEntry[] =>
  after.record.recoveries
    .filter((record) => !before.record.recoveries.includes(record))
    .map((record) => ({ kind: 'recovered', record }))

function resultsBetween(before: RunState, after: RunState): readonly JournalEntry[] {
  if (before.tasks.results === after.tasks.results) return []
  const reopened = Object.keys(before.tasks.results)
    .filter((id) => !Object.hasOwn(after.tasks.results, id))
    .map((task): JournalEntry => ({ kind: 'reopened', task }))
  const filed = Object.entries(after.tasks.results)
    .filter(([id, result]) => before.tasks.results[id] !== result && result.thisRun)
    .map(([, result]): JournalEntry => ({ kind: 'filed', result }))
  return [...reopened, ...filed]
}
