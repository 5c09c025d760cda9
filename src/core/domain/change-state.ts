import type { CodeProblem, Draft } from '../../../packages/change/change.ts'
import type { Receipt } from '../../../packages/judge/judge.ts'
import { membersOf, type Task } from '../../../packages/task/task.ts'
import type { TriedRequest } from './answer-form.ts'
import type { Attempt, Failure } from './attempt.ts'
import type { TaskWay } from './route.ts'
import type { RunError, RunState } from './run-state.ts'
import type { Settings } from './settings.ts'
import type { NodeName } from './steps.ts'
import { shareOf, shareUsage } from './usage.ts'
import type { TaskResult, Verdict } from './verdict.ts'

/** The parts of a state that consist of facts. */
export type FactGroup = Exclude<keyof RunState, 'version' | 'attempt' | 'lanes'>

/** The changes of a step: a whole attempt, all lanes, and some facts of any other group. */
export type StatePatch = {
  readonly [Group in FactGroup]?: Partial<RunState[Group]>
} & { readonly attempt?: RunState['attempt']; readonly lanes?: RunState['lanes'] }

/** Joins patches; later ones win. */
export function joinPatches(...patches: readonly (StatePatch | undefined)[]): StatePatch {
  const joined: Record<string, unknown> = {}
  for (const patch of patches) {
    for (const [group, facts] of Object.entries(patch ?? {})) {
      const isWhole = group === 'attempt' || group === 'lanes'
      joined[group] = isWhole ? facts : { ...Object(joined[group]), ...facts }
    }
  }
  return joined
}

/** Applies the patches to the state. */
export const changeState = (
  { version, ...groups }: RunState,
  ...patches: readonly (StatePatch | undefined)[]
): RunState => ({ version, ...joinPatches(groups, ...patches) }) as RunState

/** Returns a patch that records these errors. */
export const noteErrors = (
  { record }: StateFacts<'record.errors'>,
  ...errors: readonly (RunError | null)[]
): StatePatch => ({
  record: { errors: [...record.errors, ...errors.filter((error) => error !== null)] },
})

/** The current attempt. Only nodes after `pick_task` may call this. */
export function attemptOf(state: RunState): Attempt {
  if (state.attempt === null)
    throw new Error(`${state.progress.next} needs an attempt, and there is none.`)
  return state.attempt
}

/** The commit that the attempt starts from, with its task. */
export const startOf = (state: RunState): { readonly sha: string; readonly task: Task } => {
  const { start, task } = attemptOf(state)
  return { sha: start.sha, task }
}

/** The attempts under way in lanes; in the state that a lane's step sees, those of the others. */
export const attemptsInLanes = ({ lanes = [] }: Pick<RunState, 'lanes'>): readonly Attempt[] =>
  lanes.map(({ attempt }) => attempt)

/** Their tasks, each member of a group for itself. */
export const tasksInLanes = (state: Pick<RunState, 'lanes'>): readonly Task[] =>
  attemptsInLanes(state).flatMap(({ task }) => membersOf(task))

/** All attempts under way, of one walk or of several lanes. */
export const attemptsOf = (state: Pick<RunState, 'attempt' | 'lanes'>): readonly Attempt[] => [
  ...(state.attempt === null ? [] : [state.attempt]),
  ...attemptsInLanes(state),
]

/** The current node. A finished run has none. */
export function nodeOf({ progress: { next } }: StateFacts<'progress.next'>): NodeName {
  if (next === 'END') throw new Error('The run has ended: no node is at work.')
  return next
}

/** Returns a patch that changes some facts of the current attempt. */
export function patchAttempt(
  state: RunState,
  change: Partial<Attempt>,
): { readonly attempt: Attempt } {
  return { attempt: { ...attemptOf(state), ...change } }
}

/** Adds the draft's warnings to the receipt, the only part that a report shows. */
function receiptOf({ receipt, draft }: Attempt): Receipt | null {
  const left = draft?.warnings ?? []
  if (receipt === null || left.length === 0) return receipt
  return { ...receipt, warnings: [...new Set([...(receipt.warnings ?? []), ...left])] }
}

/**
 * Returns a patch that ends the current attempt with a verdict. Results keep the order of their last verdict.
 * `decide_next` adds the cost of the last step and closes the attempt.
 */
export function fileVerdict(
  state: RunState,
  verdict: Verdict,
  facts: Partial<Pick<TaskResult, 'reason' | 'branch' | 'sha' | 'pullRequest' | 'overtaken'>> = {},
): StatePatch {
  const attempt = attemptOf(state)
  const members = membersOf(attempt.task)
  const filed = members.map((member, index) => {
    const result = resultOf(attempt, member, { verdict, ...facts })
    return [member.id, { ...result, ...shareCost(attempt, members.length, index) }] as const
  })
  const ids = new Set(filed.map(([id]) => id))
  const others = Object.entries(state.tasks.results).filter(([id]) => !ids.has(id))
  return { tasks: { results: Object.fromEntries([...others, ...filed]) } }
}

/** A task's share of the cost of its attempt: all of it, unless it is one of a group. */
export const shareCost = (
  { usage, seconds }: Pick<Attempt, 'usage' | 'seconds'>,
  many: number,
  index: number,
): Pick<TaskResult, 'usage' | 'seconds'> =>
  many === 1
    ? { usage, seconds }
    : { usage: shareUsage(usage, many, index), seconds: shareOf(seconds, many, index) }

function resultOf(
  attempt: Attempt,
  { id, title, fingerprint }: Task,
  facts: Pick<TaskResult, 'verdict'> & Partial<TaskResult>,
): TaskResult {
  return {
    ...{ id, title, fingerprint },
    reason: '',
    branch: null,
    sha: null,
    start: attempt.start.sha,
    pullRequest: null,
    attempts: attempt.number,
    repairs: attempt.validationRepairs + attempt.testRepairs + (attempt.loop?.failures ?? 0),
    usage: attempt.usage,
    seconds: attempt.seconds,
    receipt: receiptOf(attempt),
    forecastTokens: null,
    ...(attempt.route && { route: `${attempt.route.way}: ${attempt.route.reason}` }),
    ...describeRequest(attempt),
    thisRun: true,
    ...facts,
  }
}

/** The request that the result answers, unless it is the first. */
function describeRequest({ requests }: Attempt): Pick<TaskResult, 'request'> {
  const last = requests.at(-1)
  if (last === undefined || last.rung === 'first') return {}
  return { request: `${askedFor[last.rung](last)}, because ${last.why}` }
}

const askedFor: Readonly<Record<TriedRequest['rung'], (request: TriedRequest) => string>> = {
  first: () => 'first request',
  red_tests: () => 'request with the red tests',
  other_form: ({ form }) => `request in another form (${form})`,
  sample: ({ sample, form }) => `sample ${sample} (${form})`,
}

/** The way of this attempt: the one that `strategy: auto` chose for it, or the configured one. */
export const wayOf = (
  { route }: Pick<Attempt, 'route'>,
  strategy: Settings['strategy'],
): TaskWay | 'agent' => (strategy === 'auto' ? (route?.way ?? 'single') : strategy)

/** The common start of a fresh and of a repeated attempt: nothing drafted, tested or judged yet. */
export const untried = {
  parts: null,
  draft: null,
  requests: [],
  asked: [],
  best: null,
  problems: [],
  validationRepairs: 0,
  testRepairs: 0,
  emptyRepairs: 0,
  tests: null,
  receipt: null,
  broken: [],
  remedies: [],
  reflections: [],
  loop: null,
  failure: null,
  classification: null,
  proposal: null,
  destructive: [],
  allowed: [],
} as const satisfies Partial<Attempt>

/** Why an attempt ends; omitted fields are empty. */
export const failureAt = (
  at: Failure['at'],
  message: string,
  told: Partial<Failure> = {},
): Failure => ({ at, message, problems: [], failures: [], output: '', ...told })

/** Returns a repaired draft with the notes of earlier drafts, each once. */
export function withEarlierNotes(draft: Draft, before: Draft | null): Draft {
  const notes = [...new Set([...(before?.notes ?? []), ...draft.notes])]
  const warnings = [...new Set([...(before?.warnings ?? []), ...(draft.warnings ?? [])])]
  return { ...draft, notes, warnings }
}

/** Leaves out files that may not be changed, because asking again cannot make them allowed. A person reads which. */
export function withoutPaths(draft: Draft, problems: readonly CodeProblem[]): Draft {
  const stays = ({ path }: { readonly path: string }) =>
    !problems.some((each) => each.path === path)
  const [changes, refusals] = [draft.changes.filter(stays), draft.refusals.filter(stays)]
  const left = problems.map(
    ({ path, message }) => `${path} was left out: ${message.replace(/^is /, 'it is ')}`,
  )
  const withLeft = (known: readonly string[] = []) => [...new Set([...known, ...left])]
  return {
    ...draft,
    changes,
    refusals,
    notes: withLeft(draft.notes),
    warnings: withLeft(draft.warnings),
  }
}

/** Sentences about the files that were left out of a draft, since the task may not change them. */
export const leftOutOf = (draft: Draft | null): readonly string[] =>
  (draft?.warnings ?? []).filter((warning) => warning.includes(' was left out: '))

type GroupOf<Path> = Path extends `${infer Group extends keyof RunState}.${string}` ? Group : never
type NameIn<Path, Group extends string> = Path extends `${Group}.${infer Name}` ? Name : never

/** Some facts of a state: `StateFacts<'run.id' | 'tasks.results'>`. */
export type StateFacts<Path extends string> = {
  readonly [Group in GroupOf<Path>]: Pick<
    RunState[Group],
    Extract<keyof RunState[Group], NameIn<Path, Group>>
  >
}
