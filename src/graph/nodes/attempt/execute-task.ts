import type { Attempt, Draft, PlanPart } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  joinPatches,
  patchAttempt,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { withoutAnswer, withoutRoom } from '../../../core/domain/unanswered.ts'
import type { Ports } from '../../../core/ports.ts'
import {
  aboutModel,
  askModel,
  type ModelAnswer,
  type ModelPorts,
} from '../../../model/ask/ask-model.ts'
import { contextBudgetOf, shownTokens } from '../../../model/budget/check-budget.ts'
import { aroundAttempt } from '../../../model/context/around-attempt.ts'
import { nextPart, promptForPart } from '../../../model/planning/parts.ts'
import { draftPrompt } from '../../../model/prompts/draft.ts'
import { chooseLesson } from '../../../model/prompts/examples/choose-lesson.ts'
import { withoutEcho } from '../../../model/prompts/examples/lessons.ts'
import { awaitSetUp } from '../../../recovery/step/await-set-up.ts'
import { mayTry } from '../../../text/diagnosis/remedy-table.ts'
import { startOf } from '../../../verify/run/baseline.ts'
import type { Step, StepOf } from '../../step.ts'

/**
 * Asks the model for the change and reads its answer into a change set in memory. Meanwhile the project's tests run
 * on the unchanged code: `verify_task` needs to know which failed before. Asks for the parts of a complex plan one by
 * one, an answer a step.
 */
export async function executeTask(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace' | 'sandbox'>,
): Promise<StepOf<'execute_task'>> {
  const attempt = attemptOf(state)
  const { task, plan, map, context, recalled, feedback, earlier = null, refinement } = attempt
  const unprepared = await awaitSetUp(state, startOf(state), ports)
  if (unprepared !== null) return unprepared
  const shown = { task, plan, map, files: context }
  const part = nextPart(attempt)
  const messages =
    part === null
      ? draftPrompt({ ...shown, recalled, history: earlier, feedback, refinement })
      : await promptForPart(part, attempt, ports)
  const endsWhenSilent = part === null && mayHalve(state, ports)
  const asked = await askModel(state, ports, { purpose: 'draft', messages, endsWhenSilent })
  if (asked.status === 'too_large') return askForLess(state, asked)
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
  if (part !== null) return takeAnswer(state, part, asked, ports)
  // Reading answers takes a tenth of the program's code: load it while the model thinks.
  const { readDraft } = await import('../../../changes/reply/read-draft.ts')
  const read = await readDraft(asked.text, {
    base: [],
    expectedPath: onlyPath(task.files),
    ...aroundAttempt(attemptOf(state), ports),
  })
  const used = withoutEcho(read, chooseLesson(shown))
  const draft = asked.finish === 'length' ? { ...used, isCut: true } : used
  const after = changeState(state, asked.patch)
  const remedies = settleScope(attemptOf(after), true)
  const attributed = await attribute(asked.text, draft, attemptOf(after), ports)
  return {
    outcome: draft.claimsDone ? 'claims_done' : 'drafted',
    patch: joinPatches(asked.patch, patchAttempt(after, { draft, remedies, ...attributed })),
  }
}

/** Which of a group's tasks the answer says each change is for. */
async function attribute(
  answer: string,
  draft: Draft,
  attempt: Attempt,
  ports: Pick<Ports, 'workspace'>,
): Promise<Pick<Attempt, 'attributed'>> {
  const { members } = attempt.task
  if (members === undefined || draft.claimsDone) return {}
  const { attributeReply } = await import('../../../changes/reply/attribute-reply.ts')
  const ids = members.map(({ id }) => id)
  return {
    attributed: (await attributeReply(answer, ids, draft, aroundAttempt(attempt, ports))) ?? [],
  }
}

/** Reads the answer for one part of the plan. */
async function takeAnswer(
  state: RunState,
  part: PlanPart,
  asked: Extract<ModelAnswer, { readonly status: 'answered' }>,
  ports: ModelPorts & Pick<Ports, 'workspace'>,
): Promise<StepOf<'execute_task'>> {
  const { takePart } = await import('../../parts/draft-part.ts')
  const after = changeState(state, asked.patch)
  const settled = patchAttempt(after, { remedies: settleScope(attemptOf(after), true) })
  return takePart(state, part, { ...asked, patch: joinPatches(asked.patch, settled) }, ports)
}

/** True if half of the budget would leave out some of the context. */
function mayHalve(state: RunState, { settings }: Pick<Ports, 'settings'>): boolean {
  const attempt = attemptOf(state)
  const isLarge = shownTokens(attempt) > contextBudgetOf(state, settings) / 2
  return isLarge && mayTry(attempt.remedies, 'timeout', 'smaller_scope')
}

/** Asks again with half of the context while retries remain. */
function askForLess(
  state: RunState,
  { reason, isSilent, patch }: Extract<ModelAnswer, { readonly status: 'too_large' }>,
): Step<'too_large' | 'silent' | 'failed'> {
  const after = changeState(state, patch)
  const remedies = settleScope(attemptOf(after), false)
  const type = isSilent ? 'timeout' : 'model_error'
  if (mayTry(remedies, type, 'smaller_scope')) {
    const fix = 'asked with half of the context'
    const tried = aboutModel(state, 'smaller_scope', reason, fix, type)
    const noted = patchAttempt(after, { remedies: [...remedies, tried] })
    return { outcome: isSilent ? 'silent' : 'too_large', patch: joinPatches(patch, noted) }
  }
  const settled = joinPatches(patch, patchAttempt(after, { remedies }))
  return { ...withoutRoom(state, { reason, patch: settled }), outcome: 'failed' }
}

/** Records whether the smaller context was small enough. */
const settleScope = ({ remedies }: Attempt, worked: boolean): Attempt['remedies'] =>
  remedies.map((each) =>
    each.strategy === 'smaller_scope' && each.node === 'execute_task' && each.worked === null
      ? { ...each, worked }
      : each,
  )

/** The file that a code block without a name must be. */
function onlyPath(files: readonly string[]): string | undefined {
  const [only, ...others] = files
  return others.length === 0 && only !== undefined && !only.includes('*') ? only : undefined
}
