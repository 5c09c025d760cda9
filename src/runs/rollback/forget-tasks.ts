import { changeState } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'

/** Steps that need no attempt. */
const betweenTasks: readonly RunState['progress']['next'][] = [
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
    [state.tasks.results, state.tasks.parked, state.tasks.questions, state.asked.answers].some(
      (record) => Object.keys(record).some(isForgotten),
    ) ||
    state.roadmap.amendments.some(({ task }) => isForgotten(task.id))
  if (!knows) return state
  return changeState(state, {
    tasks: {
      results: without(state.tasks.results, isForgotten),
      parked: without(state.tasks.parked, isForgotten),
      questions: without(state.tasks.questions, isForgotten),
      retried: state.tasks.retried.filter((id) => !isForgotten(id)),
      heads: {
        ...state.tasks.heads,
        ...Object.fromEntries(branches.map(({ name, sha }) => [name, sha])),
      },
    },
    asked: { answers: without(state.asked.answers, isForgotten) },
    roadmap: { amendments: state.roadmap.amendments.filter(({ task }) => !isForgotten(task.id)) },
    attempt: drops ? null : attempt,
    progress: {
      next: drops ? between(state.progress.next) : state.progress.next,
      resumeAt:
        drops && state.progress.resumeAt !== null
          ? between(state.progress.resumeAt)
          : state.progress.resumeAt,
    },
  })
}

const between = (node: RunState['progress']['next']): RunState['progress']['next'] =>
  betweenTasks.includes(node) ? node : 'pick_task'

function without<T>(
  record: Readonly<Record<string, T>>,
  isLeftOut: (key: string) => boolean,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !isLeftOut(key)))
}
