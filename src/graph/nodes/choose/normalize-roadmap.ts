import { groundMarks, groundSource } from '../../../../packages/roadmap/roadmap.ts'
import type { TaskMark } from '../../../../packages/task/task.ts'
import { charactersPerToken } from '../../../../packages/text/text.ts'
import { joinPatches } from '../../../core/domain/change-state.ts'
import type { RunError, RunState } from '../../../core/domain/run-state.ts'
import { withoutAnswer } from '../../../core/domain/unanswered.ts'
import type { Ports } from '../../../core/ports.ts'
import { askReadable } from '../../../model/ask/ask-readable.ts'
import { normalizePrompt, readListedTasks } from '../../../model/prompts/normalize.ts'
import type { JsonReading } from '../../../model/prompts/read-json.ts'
import { awaitSetUp } from '../../../recovery/step/await-set-up.ts'
import type { StepOf } from '../../step.ts'

const answerTokens = 4_000

/**
 * Asks which words of a roadmap without check boxes are its tasks. Keeps them in the state, never writes them into
 * the file, and discards anything not quoted verbatim from the document.
 */
export async function normalizeRoadmap(
  state: RunState,
  ports: Pick<Ports, 'model' | 'workspace' | 'sandbox' | 'settings' | 'clock' | 'store'>,
): Promise<StepOf<'normalize_roadmap'>> {
  const { sha } = state.roadmap.base
  const start = { sha, task: { verify: null, accept: [] } }
  const unprepared = await awaitSetUp(state, start, ports, ports.model.tryKey)
  if (unprepared !== null) return unprepared
  const files = await ports.workspace.readFiles(state.roadmap.base.sha, [state.roadmap.path])
  const text = files.get(state.roadmap.path) ?? ''
  const most = ports.settings.limits.contextTokens * charactersPerToken
  const limit = Math.min(most, text.length)
  const question = {
    purpose: 'normalize',
    messages: (share: number) => normalizePrompt(text, limit * share),
    maxOutputTokens: answerTokens,
    json: false,
  } as const
  const asked = await askReadable(state, ports, question, (answer) => readTasks(answer, text))
  const source = groundSource(text)
  switch (asked.status) {
    case 'over_budget':
      return { outcome: 'over_budget', patch: asked.patch }
    case 'unavailable':
      return withoutAnswer(state, asked)
    case 'read': {
      // A document that is not a list of work has nothing to do, and nothing wrong.
      const outcome = asked.value.length > 0 ? 'normalized' : 'no_tasks'
      return {
        outcome,
        patch: joinPatches(asked.patch, {
          roadmap: { normalized: { source, marks: asked.value } },
        }),
      }
    }
    default: {
      const why =
        asked.status === 'too_large' ? asked.reason : `the model's answer: ${asked.problem}`
      const errors = [...state.record.errors, nothingFound(state.roadmap.path, why)]
      return {
        outcome: 'no_tasks',
        patch: joinPatches(asked.patch, {
          roadmap: { normalized: { source, marks: [] } },
          record: { errors },
        }),
      }
    }
  }
}

function readTasks(answer: string, text: string): JsonReading<readonly TaskMark[]> {
  const listed = readListedTasks(answer)
  if ('problem' in listed) return listed
  const { marks, invented } = groundMarks(text, listed.value)
  if (marks.length > 0 || listed.value.length === 0) return { value: marks }
  return {
    problem: `what it lists is not in the document: ${invented.slice(0, 3).join('; ')}`,
  }
}

function nothingFound(path: string, why: string): RunError {
  return {
    code: 'no_tasks_found',
    message: `${path} has no check boxes, and no tasks were found in its text: ${why}.`,
    next: 'Write tasks as - [ ] Add a login page, or run executor normalize with another model.',
    taskId: null,
  }
}
