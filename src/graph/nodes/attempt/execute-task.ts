import type { Draft } from '../../../../packages/change/change.ts'
import { mayTry } from '../../../../packages/diagnosis/diagnosis.ts'
import type { Attempt, PlanPart } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  joinPatches,
  patchAttempt,
  startOf,
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
import { showFailures } from '../../../model/prompts/repair-test.ts'
import { awaitSetUp } from '../../../recovery/step/await-set-up.ts'
import {
  askForDraft,
  type DraftQuestion,
  draftForm,
  firstRequest,
  readAsked,
} from '../../parts/ask-for-draft.ts'
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
  const unprepared = await awaitSetUp(state, startOf(state), ports, ports.model.tryKey)
  if (unprepared !== null) return unprepared
  const part = nextPart(attempt)
  if (part !== null) return askForPart(state, part, ports)
  const question = firstQuestion(state, ports)
  const asked = await askForDraft(state, ports, question)
  if (asked.status === 'too_large') return askForLess(state, asked)
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
  const { draft, patch } = await readAsked(state, asked, question.request, ports)
  const after = changeState(state, patch)
  const remedies = settleScope(attemptOf(after), true)
  const attributed = await attribute(asked.text, draft, attemptOf(after), ports)
  return {
    outcome: draft.claimsDone ? 'claims_done' : 'drafted',
    patch: joinPatches(
      patch,
      patchAttempt(after, { draft, remedies, failure: null, ...attributed }),
    ),
  }
}

/** The first request; after a refuted claim, one that shows the red tests and offers no way out. */
function firstQuestion(state: RunState, ports: Pick<Ports, 'settings'>): DraftQuestion {
  const attempt = attemptOf(state)
  const form = draftForm(state, ports)
  const purpose = 'draft'
  const { failure } = attempt
  if (failure?.at === 'refuted') {
    const why = failure.message
    const defect = `You answered that there is nothing to do, but these tests fail:\n${showFailures(failure.failures)}`
    return { purpose, request: { rung: 'red_tests', form, sample: 0, why }, defect }
  }
  const endsWhenSilent = mayHalve(state, ports)
  return { purpose, request: firstRequest(form), endsWhenSilent }
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
  const { attributeReply } = await import('../../parts/attribute-reply.ts')
  const ids = members.map(({ id }) => id)
  return {
    attributed:
      (await attributeReply(answer, ids, draft, await aroundAttempt(attempt, ports))) ?? [],
  }
}

/** Asks for one part of the plan, and reads the answer. */
async function askForPart(
  state: RunState,
  part: PlanPart,
  ports: ModelPorts & Pick<Ports, 'workspace'>,
): Promise<StepOf<'execute_task'>> {
  const messages = await promptForPart(part, attemptOf(state), ports)
  const asked = await askModel(state, ports, { purpose: 'draft', messages })
  if (asked.status === 'too_large') return askForLess(state, asked)
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
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
