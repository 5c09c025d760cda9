import type { RunState } from '../../core/domain/run-state.ts'
import type { Task } from '../../core/domain/task.ts'

/** `.executor/todos.json`: every task of the roadmap, `completed` where it is done. */
export function writeTodos(tasks: readonly Task[], results: RunState['results']): string {
  const todos = tasks.map(({ id, title, status }) => ({
    id,
    title,
    status: statusOf(status, results[id]?.verdict),
  }))
  return `${JSON.stringify({ todos }, null, 2)}\n`
}

function statusOf(box: Task['status'], verdict: string | undefined): string {
  if (box === 'done' || verdict === 'done' || verdict === 'in_review' || verdict === 'unverified') {
    return 'completed'
  }
  return verdict ?? box
}
