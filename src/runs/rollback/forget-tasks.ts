import type { RunState } from '../../core/domain/run-state.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'

/** Steps that need no attempt. */
const betweenTasks: readonly RunState['next'][] = [
  'parse_roadmap',
  'normalize_roadmap',
  'pick_task',
  'retry_deferred',
  'generate_report',
  'END',
]

/**
 * The state without what it knows of these tasks: the run, or the next one, picks them as if they had
 * never been tried. The very same state where it knows nothing of them.
 */
export function forgetTasks(
  state: RunState,
  tasks: readonly string[],
  branches: readonly BranchTip[],
): RunState {
  const { attempt } = state
  const isForgotten = (id: string) => tasks.includes(id)
  const drops = attempt !== null && isForgotten(attempt.task.id)
  const knows =
    drops ||
    [state.results, state.parked, state.questions, state.answers].some((record) =>
      Object.keys(record).some(isForgotten),
    ) ||
    state.amendments.some(({ task }) => isForgotten(task.id))
  if (!knows) return state
  return {
    ...state,
    results: without(state.results, isForgotten),
    parked: without(state.parked, isForgotten),
    questions: without(state.questions, isForgotten),
    answers: without(state.answers, isForgotten),
    amendments: state.amendments.filter(({ task }) => !isForgotten(task.id)),
    retried: state.retried.filter((id) => !isForgotten(id)),
    heads: {
      ...state.heads,
      ...Object.fromEntries(branches.map(({ name, sha }) => [name, sha])),
    },
    attempt: drops ? null : attempt,
    next: drops ? between(state.next) : state.next,
    resumeAt: drops && state.resumeAt !== null ? between(state.resumeAt) : state.resumeAt,
  }
}

const between = (node: RunState['next']): RunState['next'] =>
  betweenTasks.includes(node) ? node : 'pick_task'

function without<T>(
  record: Readonly<Record<string, T>>,
  isLeftOut: (key: string) => boolean,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !isLeftOut(key)))
}
