import { ExecutorError } from '../../core/domain/errors.ts'
import type { RunError, RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'

const marker = '<!-- executor:settled -->'

/**
 * Ends what asked people about a task that is decided now: each pull request is told why and closed,
 * and the attempt that was kept for the answer goes. Asks nothing of the outside where nothing asked.
 */
export async function settleQuestions(
  id: string,
  state: Pick<RunState, 'questions' | 'errors'>,
  ports: Pick<Ports, 'forge' | 'workspace'>,
  how: {
    /** Why, for people: Markdown of our own. */
    readonly said: string
    /** The pull request that is the decision's own. */
    readonly except?: number
    readonly label?: string
  },
): Promise<Pick<RunState, 'questions' | 'errors'>> {
  const { [id]: asked = [], ...questions } = state.questions
  const errors: RunError[] = []
  for (const { number } of asked) {
    if (number === how.except) continue
    await ports.forge.upsertComment(number, marker, how.said)
    if (how.label !== undefined) await ports.forge.label(number, { add: [how.label] })
    const closed = await ports.forge.close(number)
    if (closed.status === 'refused') {
      errors.push(new ExecutorError(closed.code, closed.detail).toRecord(id))
    }
  }
  if (asked.length > 0) await ports.workspace.park(id, null)
  return { questions, errors: [...state.errors, ...errors] }
}
