import type { Attempt, Classification, Failure } from '../../../core/domain/attempt.ts'
import { attemptOf, changeState, patchAttempt } from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Ports } from '../../../core/ports.ts'
import type { ModelPorts } from '../../../model/ask/ask-model.ts'
import { askReadable } from '../../../model/ask/ask-readable.ts'
import { classifyPrompt, readClassification } from '../../../model/prompts/classify.ts'
import { classifyByPattern, lookAround } from '../../../recovery/task/classify-by-pattern.ts'
import { loadOpenTasks } from '../../../roadmap/load-roadmap.ts'
import type { Step } from '../../step.ts'

const answerTokens = 300

/** Why the attempt failed: patterns first; the model only when they cannot tell. */
export async function classifyFailure(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace'>,
): Promise<Step<'classified'>> {
  const failure = failureOf(state)
  const { order } = await loadOpenTasks(state, ports)
  const around = await lookAround(attemptOf(state), order, ports)
  const known =
    classifyByPattern({ failure, ...around }) ?? classifyByPlan(attemptOf(state), failure)
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
  const { task } = attemptOf(state)
  const question = {
    purpose: 'classify',
    messages: (share: number) => classifyPrompt(task, failure, share),
    maxOutputTokens: answerTokens,
    json: true,
  } as const
  const asked = await askReadable(state, ports, question, readClassification)
  const answer = asked.status === 'read' ? asked.value : null
  const classification: Classification = {
    reason: answer?.reason ?? 'unknown',
    explanation: answer?.explanation ?? failure.message,
    by: answer === null ? 'none' : 'model',
    installCommand: null,
    suppliedBy: [],
  }
  const after = changeState(state, asked.patch)
  const { usage, calls } = after.spent
  const { windows } = after.learned
  return {
    outcome: 'classified',
    patch: {
      spent: { usage, calls },
      learned: { windows },
      ...patchAttempt(after, { failure, classification }),
    },
  }
}

function failureOf(state: RunState): Failure {
  const { failure } = attemptOf(state)
  if (failure === null) throw new Error('There is no failure to classify.')
  return failure
}
