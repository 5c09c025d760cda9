import { askModel, type ModelPorts } from '../../budget/ask-model.ts'
import { readDraft } from '../../changeset/read-draft.ts'
import { attemptOf, patchAttempt } from '../../domain/attempt.ts'
import type { RunState } from '../../domain/run-state.ts'
import { withoutAnswer } from '../../domain/unanswered.ts'
import type { ModelOutcome, Step } from '../../graph/step.ts'
import type { Ports } from '../../ports.ts'
import { draftPrompt } from '../../prompts/draft.ts'
import { chooseLesson } from '../../prompts/examples/choose-lesson.ts'
import { withoutEcho } from '../../prompts/examples/without-echo.ts'
import { startBaseline } from '../../verify/baseline.ts'

type Outcome = 'drafted' | 'claims_done' | ModelOutcome

/**
 * Asks the model for the change; the answer becomes a change set in memory. Meanwhile the
 * project's tests run on the unchanged code: `verify_task` needs to know what was red before.
 */
export async function executeTask(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace' | 'sandbox'>,
): Promise<Step<Outcome>> {
  const { task, plan, map, context, start, feedback } = attemptOf(state)
  startBaseline(state, ports)
  const shown = { task, plan, map, files: context }
  const asked = await askModel(state, ports, {
    purpose: 'draft',
    messages: draftPrompt({ ...shown, history: null, feedback }),
  })
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
  const read = await readDraft(asked.text, {
    base: [],
    expectedPath: onlyPath(task.files),
    read: (paths) => ports.workspace.readFiles(start.sha, paths),
  })
  const used = withoutEcho(read, chooseLesson(shown))
  const draft = asked.finish === 'length' ? { ...used, isCut: true } : used
  const after = { ...state, ...asked.patch }
  return {
    outcome: draft.claimsDone ? 'claims_done' : 'drafted',
    patch: { ...asked.patch, ...patchAttempt(after, { draft }) },
  }
}

/** A nameless code block can only be this file. */
function onlyPath(files: readonly string[]): string | undefined {
  const [only, ...others] = files
  return others.length === 0 && only !== undefined && !only.includes('*') ? only : undefined
}
