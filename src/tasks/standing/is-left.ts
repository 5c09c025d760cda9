import type { Task } from '../../../packages/task/task.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import type { TaskElsewhere } from '../../core/ports/elsewhere.ts'
import type { Ports } from '../../core/ports.ts'

/** Returns true for a task that the run includes and that has no verdict yet. */
export const isLeft = (
  { run: { only }, tasks: { results } }: StateFacts<'run.only' | 'tasks.results'>,
  id: string,
): boolean => (only === null || only.includes(id)) && results[id] === undefined

/** Why a task has to wait for one of another repository; `null` when it need not. */
export async function waitElsewhere(
  { elsewhere = [] }: Pick<Task, 'elsewhere'>,
  { elsewhere: others }: Pick<Ports, 'elsewhere'>,
): Promise<string | null> {
  for (const name of elsewhere) {
    if (others === undefined) {
      return `waits for ${name}, in another repository: executor workspace run works on both`
    }
    const reason = describe(name, await others.look(name))
    if (reason !== null) return reason
  }
  return null
}

function describe(name: string, found: TaskElsewhere): string | null {
  switch (found.status) {
    case 'done':
      return null
    case 'open':
      return `waits for ${name}`
    case 'failed':
      return `waits for ${name}, which is not done: ${found.reason}`
    case 'unknown':
      return `needs ${name}, which no repository of the workspace has`
  }
}
