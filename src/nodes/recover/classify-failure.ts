import { askModel, type ModelPorts } from '../../budget/ask-model.ts'
import { attemptOf, patchAttempt } from '../../domain/attempt.ts'
import type { Attempt, Classification, Failure, RunState } from '../../domain/run-state.ts'
import type { Step } from '../../graph/step.ts'
import type { Ports } from '../../ports.ts'
import { classifyPrompt, readClassification } from '../../prompts/classify.ts'
import { loadOpenTasks } from '../../reconcile/load-roadmap.ts'
import { classifyByPattern } from '../../recovery/classify-by-pattern.ts'

const answerTokens = 300

/** Why the attempt failed: patterns first; the model only when they cannot tell. */
export async function classifyFailure(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace'>,
): Promise<Step<'classified'>> {
  const { task, start, draft } = attemptOf(state)
  const failure = failureOf(state)
  const files = await ports.workspace.listFiles(start.sha)
  const written = (draft?.changes ?? []).map((change) => change.path)
  const paths = new Set([...files.map((file) => file.path), ...written])
  const { order } = await loadOpenTasks(state, ports)
  const others = order.filter(({ id }) => id !== task.id)
  const known =
    classifyByPattern({ failure, others, paths }) ?? classifyByPlan(attemptOf(state), failure)
  if (known !== null) {
    return { outcome: 'classified', patch: patchAttempt(state, { failure, classification: known }) }
  }
  return askWhy(state, failure, ports)
}

/** A plan that foresaw a task of high complexity was right when repairs did not get it right. */
function classifyByPlan({ plan }: Attempt, failure: Failure): Classification | null {
  if (plan?.complexity !== 'high' || failure.at !== 'repairs_spent') return null
  return {
    reason: 'task_too_complex',
    explanation: `The plan called it a task of high complexity, and repairs did not get it right: ${failure.message}`,
    by: 'pattern',
    installCommand: null,
    suppliedBy: [],
  }
}

/** A dead model, an empty budget or an answer that says nothing: the reason stays unknown. */
async function askWhy(
  state: RunState,
  failure: Failure,
  ports: ModelPorts,
): Promise<Step<'classified'>> {
  const asked = await askModel(state, ports, {
    purpose: 'classify',
    messages: classifyPrompt(attemptOf(state).task, failure),
    maxOutputTokens: answerTokens,
    json: true,
  })
  const answer = asked.status === 'answered' ? readClassification(asked.text) : null
  const classification: Classification = {
    reason: answer?.reason ?? 'unknown',
    explanation: answer?.explanation ?? failure.message,
    by: answer === null ? 'none' : 'model',
    installCommand: null,
    suppliedBy: [],
  }
  const { usage, attempt, calls = state.calls } = asked.patch
  const after = { ...state, ...(usage && { usage }), ...(attempt && { attempt }) }
  return {
    outcome: 'classified',
    patch: { usage: after.usage, calls, ...patchAttempt(after, { failure, classification }) },
  }
}

function failureOf(state: RunState): Failure {
  const { failure } = attemptOf(state)
  if (failure === null) throw new Error('There is no failure to classify.')
  return failure
}
