import { askModel } from '../../budget/ask-model.ts'
import type { RunError, RunState } from '../../domain/run-state.ts'
import { withoutAnswer } from '../../domain/unanswered.ts'
import type { ModelOutcome, Step } from '../../graph/step.ts'
import type { Ports } from '../../ports.ts'
import { normalizePrompt, readListedTasks } from '../../prompts/normalize.ts'
import { groundMarks, sourceOf } from '../../roadmap/unboxed/ground-marks.ts'

type Outcome = 'normalized' | 'no_tasks' | ModelOutcome

const charactersPerToken = 4
const answerTokens = 4_000

/**
 * Asks which words of a roadmap without boxes are its tasks. They are kept in the state, never
 * written into the file, and taken only where the document has them word for word.
 */
export async function normalizeRoadmap(
  state: RunState,
  ports: Pick<Ports, 'model' | 'workspace' | 'settings' | 'clock' | 'store'>,
): Promise<Step<Outcome>> {
  const files = await ports.workspace.readFiles(state.base.sha, [state.roadmap])
  const text = files.get(state.roadmap) ?? ''
  const limit = ports.settings.limits.contextTokens * charactersPerToken
  const asked = await askModel(state, ports, {
    purpose: 'normalize',
    messages: normalizePrompt(text, limit),
    maxOutputTokens: answerTokens,
    json: false,
  })
  if (asked.status === 'over_budget') return { outcome: 'over_budget', patch: asked.patch }
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
  const listed = readListedTasks(asked.text)
  const { marks, invented } = groundMarks(text, listed ?? [])
  const patch = { ...asked.patch, normalized: { source: sourceOf(text), marks } }
  if (marks.length > 0) return { outcome: 'normalized', patch }
  // A document that is no list of work: there is nothing to do, and nothing wrong.
  if (listed?.length === 0) return { outcome: 'no_tasks', patch }
  const error = nothingFound(state.roadmap, listed === null, invented)
  return { outcome: 'no_tasks', patch: { ...patch, errors: [...state.errors, error] } }
}

function nothingFound(path: string, unreadable: boolean, invented: readonly string[]): RunError {
  const why = unreadable
    ? "the model's answer was no list"
    : `what the model listed is not in it: ${invented.slice(0, 3).join('; ')}`
  return {
    code: 'no_tasks_found',
    message: `${path} has no check boxes, and no tasks were found in its text: ${why}.`,
    next: 'Write tasks as - [ ] Add a login page, or run executor normalize with another model.',
    taskId: null,
  }
}
