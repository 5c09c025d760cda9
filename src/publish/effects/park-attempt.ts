import type { Attempt } from '../../core/domain/run-state.ts'
import { isTaskId } from '../../core/domain/task-id.ts'
import type { PublishResult, Workspace } from '../../core/ports/workspace.ts'
import { readParkedAttempt, writeParked } from '../../recovery/task/parked-attempt.ts'

/** Keeps an attempt in the repository until a person answers: the next run starts from nothing. */
export function parkAttempt(attempt: Attempt, workspace: Workspace): Promise<PublishResult> {
  return workspace.park(attempt.task.id, writeParked(attempt))
}

/** At most so many are cleared away at once: each is a push. */
const mostCleared = 20

/**
 * The attempts that are kept, by task. Those that nobody can ask for any more are cleared away;
 * what cannot be read stays where it is, and is none.
 */
export async function readParkedAttempts(
  workspace: Workspace,
  isWanted: (id: string) => boolean,
): Promise<Readonly<Record<string, Attempt>>> {
  const texts = [...(await workspace.parked())].filter(([name]) => isTaskId(name))
  const over = texts.filter(([id]) => !isWanted(id)).slice(0, mostCleared)
  for (const [id] of over) await workspace.park(id, null)
  const kept = texts.flatMap(([id, text]) => {
    const attempt = isWanted(id) ? readParkedAttempt(id, text) : null
    return attempt === null ? [] : [[id, attempt] as const]
  })
  return Object.fromEntries(kept)
}
