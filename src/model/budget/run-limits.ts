import { countOf } from '../../../packages/text/text.ts'
import { branchOf } from '../../core/domain/branches.ts'
import { attemptsInLanes, type StateFacts, tasksInLanes } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import type { Forge } from '../../core/ports/forge.ts'

/**
 * Returns the patch that ends the run at a limit, or `null` when there is room for another task. The second try of a
 * deferred task `isCounted` already. With a forge, a task under way in a lane counts as proposed where it will be.
 */
export function reachedLimit(
  state: RunState,
  settings: Pick<Settings, 'limits'>,
  isCounted = false,
  forge: Pick<Forge, 'kind'> | null = null,
): StateFacts<'progress.limits' | 'progress.stopped'> | null {
  const proposing =
    forge?.kind === 'github' ? attemptsInLanes(state).map(({ task }) => task.id) : []
  const limit = limitOf(state, settings, isCounted, proposing)
  if (limit === null) return null
  const known = state.progress.limits.includes(limit.sentence)
  return {
    progress: {
      limits: known ? state.progress.limits : [...state.progress.limits, limit.sentence],
      stopped: limit.stops ? 'limit' : state.progress.stopped,
    },
  }
}

/** `stops`: the run ends before the requested tasks are done (exit code 4). */
interface Limit {
  readonly sentence: string
  readonly stops: boolean
}

function limitOf(
  state: RunState,
  { limits }: Pick<Settings, 'limits'>,
  isCounted: boolean,
  proposing: readonly string[],
): Limit | null {
  const tokens = totalTokens(state.spent.usage)
  if (state.progress.stopped === 'limit')
    return { sentence: state.progress.limits.at(-1) ?? 'a limit', stops: true }
  if (!isCounted && tasksLeft(state, { limits }) <= 0) {
    return { sentence: `${countOf(limits.tasks, 'task')} per run (max-tasks)`, stops: false }
  }
  const expected = proposing.filter((id) => state.tasks.heads[branchOf(id)] === undefined).length
  const open = openPullRequests(state) + expected
  const full = limits.openPullRequests > 0 && open >= limits.openPullRequests
  if (full && !isAskedFor(state)) {
    return { sentence: `${limits.openPullRequests} open pull requests (max-open-prs)`, stops: true }
  }
  if (limits.tokens !== null && tokens >= limits.tokens) {
    return { sentence: `${limits.tokens} tokens per run (max-tokens)`, stops: true }
  }
  if (limits.dollars !== null && state.spent.usage.dollars >= limits.dollars) {
    return { sentence: `$${limits.dollars} per run (max-cost)`, stops: true }
  }
  if (limits.minutes !== null && state.spent.seconds >= limits.minutes * 60) {
    return { sentence: `${limits.minutes} minutes per run (limits.minutes)`, stops: true }
  }
  return null
}

/** How many more tasks this run may try, besides those under way in lanes; infinite without a limit. */
export function tasksLeft(
  {
    tasks: { results, retried },
    lanes,
  }: Pick<RunState, 'lanes'> & StateFacts<'tasks.results' | 'tasks.retried'>,
  { limits }: Pick<Settings, 'limits'>,
): number {
  if (limits.tasks <= 0) return Number.POSITIVE_INFINITY
  const tried = Object.values(results).filter(({ thisRun, attempts }) => thisRun && attempts > 0)
  const underWay = tasksInLanes({ lanes })
  return limits.tasks - new Set([...[...tried, ...underWay].map(({ id }) => id), ...retried]).size
}

/** A person's answer about a task that has its pull request is carried out despite other open ones. */
const isAskedFor = ({ asked: { answers, feedback, grants } }: RunState): boolean =>
  [answers, feedback, grants].some((asked) => Object.keys(asked).length > 0)

/** Our pull requests that await a maintainer, of tasks and of proposals, from this run and earlier ones. */
function openPullRequests({
  tasks: { results },
  pullRequests: { open: before },
}: RunState): number {
  const opened = Object.values(results).flatMap(({ pullRequest, verdict, thisRun }) =>
    pullRequest !== null &&
    thisRun &&
    !['done', 'rejected', 'skipped', 'rolled_back'].includes(verdict)
      ? [pullRequest.number]
      : [],
  )
  return new Set([...before, ...opened]).size
}

/** The name in a limit's sentence, and the flag that raises the limit. */
const remedies: readonly (readonly [named: string, remedy: string])[] = [
  ['(max-cost)', '--max-cost'],
  ['(max-tokens)', '--max-tokens'],
  ['(its Budget line)', "the task's Budget line"],
  ...[
    'minutes',
    ...['call', 'task', 'day'].flatMap((scope) => [`tokens-per-${scope}`, `cost-per-${scope}`]),
  ].map((name) => [`(limits.${name})`, `limits.${name}`] as const),
]

/** Tells a person how to raise the limits that were met, or what else resumes the run; `null` when nothing does. */
export function howToGoOn(limits: readonly string[]): string | null {
  if (limits.some((limit) => limit.includes('(no_usable_answers)'))) {
    return 'Run again with another model (--model NAME): it starts these tasks from scratch.'
  }
  if (limits.some((limit) => limit.includes('(same_error)'))) {
    return 'Look at that error first: all of them meet it. Then run again, perhaps with another model (--model NAME).'
  }
  const raise = remedies
    .filter(([named]) => limits.some((limit) => limit.includes(named)))
    .map(([, remedy]) => remedy)
  if (raise.length === 0) return null
  return `Raise ${raise.join(' and ')}, then run again: it goes on where it stopped.`
}
