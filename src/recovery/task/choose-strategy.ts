import { depthOf } from '../../../packages/roadmap/roadmap.ts'
import { withSentence } from '../../../packages/text/text.ts'
import type { Attempt, FailureReason, Proposal, Strategy } from '../../core/domain/attempt.ts'
import type { ApprovalMode } from '../../core/domain/settings.ts'
import { broughtNothing, hadItsTries, isOnePiece } from './how-far.ts'

/** Advice to a person for these reasons, when the bot may not or cannot act itself. */
const advice = {
  REWRITE: 'The task should be rewritten with the files to change and a result to check.',
  DECOMPOSE: 'The task should be split into smaller ones.',
} as const

/** New tasks may be replaced once; their replacements may not. */
const deepest = 2

/**
 * Chooses the strategy for a classified failure. A task is deferred once; a failure that only a person can solve
 * escalates and says what to do.
 *
 * @param retried ids of deferred tasks that had their second try
 * @param fallback the model that takes over from one that had its tries; empty for none
 */
export function chooseStrategy(
  attempt: Attempt,
  retried: readonly string[],
  fallback = '',
): Proposal {
  const { task, classification, failure } = attempt
  const reason = classification?.reason ?? 'unknown'
  const explanation = classification?.explanation ?? failure?.message ?? 'It failed.'
  if (reason === 'missing_dependency' && !retried.includes(task.id)) {
    return { strategy: 'DEFER', reason, explanation, tasks: [] }
  }
  const strategy = strategies[reason]
  if (strategy === 'ESCALATE' && mayChangeModel(attempt, fallback)) {
    return withModel(task, reason, explanation, fallback)
  }
  if (strategy === 'DECOMPOSE' && isOnePiece(task)) return unsplit(reason, explanation)
  if ((strategy === 'REWRITE' || strategy === 'DECOMPOSE') && depthOf(task) >= deepest) {
    return escalation({ strategy, reason, explanation, tasks: [] })
  }
  return { strategy, reason, explanation, tasks: [] }
}

/** A task that names its model keeps it; another one may do what the run's could not. */
const mayChangeModel = (attempt: Attempt, fallback: string): boolean =>
  fallback !== '' &&
  attempt.task.model === null &&
  attempt.classification?.by === 'pattern' &&
  (hadItsTries(attempt) || broughtNothing(attempt))

const withModel = (
  { id, title }: Attempt['task'],
  reason: FailureReason,
  explanation: string,
  model: string,
): Proposal => ({
  strategy: 'REWRITE',
  reason,
  explanation: withSentence(explanation, `${model} may do it.`),
  tasks: [{ id, title, details: [], files: [], model }],
})

/** Splitting a task about one file or one function makes it no easier; a person can ask for it all the same. */
const unsplit = (reason: FailureReason, explanation: string): Proposal => ({
  strategy: 'ESCALATE',
  reason,
  explanation: withSentence(explanation, 'It is about one piece of code, so it was not split.'),
  tasks: [],
})

const strategies = {
  task_too_vague: 'REWRITE',
  task_too_complex: 'DECOMPOSE',
  missing_dependency: 'ESCALATE',
  environment_issue: 'SKIP',
  unknown: 'ESCALATE',
} as const satisfies Record<FailureReason, Strategy>

/**
 * True when a plan may send a task to be split before any code is written: recovery is on and may change the roadmap,
 * the task is about more than one piece of code, it is not the second replacement already, and it has not failed
 * before. Otherwise the plan is tried.
 */
export const maySplit = (
  { task, earlier }: Pick<Attempt, 'task' | 'earlier'>,
  settings: Parameters<typeof mustAsk>[1],
): boolean =>
  earlier === undefined &&
  !isOnePiece(task) &&
  depthOf(task) < deepest &&
  mustAsk({ strategy: 'DECOMPOSE' }, settings, false) !== 'log'

/** Turns a proposal into one that a person carries out, with advice. */
export function escalation({ strategy, reason, explanation }: Proposal): Proposal {
  const more = strategy === 'REWRITE' || strategy === 'DECOMPOSE' ? ` ${advice[strategy]}` : ''
  return { strategy: 'ESCALATE', reason, explanation: `${explanation}${more}`, tasks: [] }
}

/**
 * Whether a proposal needs an answer, is carried out, or is only logged (graph.md, approval modes). DEFER and SKIP
 * change nothing outside the run, so they are carried out when no person can answer; so is ESCALATE, whose pull
 * request is itself the question. New tasks in the roadmap wait for a person wherever the mode says so; tasks that a
 * person wished for wait except in `auto`. `review_only` publishes nothing unasked.
 */
export function mustAsk(
  { strategy, wish }: Pick<Proposal, 'strategy' | 'wish'>,
  settings: { readonly approvalMode: ApprovalMode; readonly recovery: boolean },
  present: boolean,
): 'ask' | 'go' | 'log' {
  const mode = settings.approvalMode
  if (wish !== undefined) return mode === 'auto' || strategy === 'DEFER' ? 'go' : 'ask'
  if (!settings.recovery) return 'log'
  if (strategy === 'DECOMPOSE' || strategy === 'REWRITE') {
    if (mode === 'review_only') return 'log'
    return mode === 'interactive' || (mode === 'approve_decompose' && strategy === 'DECOMPOSE')
      ? 'ask'
      : 'go'
  }
  if (mode === 'review_only') return strategy === 'ESCALATE' ? 'log' : 'go'
  return mode === 'interactive' && present ? 'ask' : 'go'
}
