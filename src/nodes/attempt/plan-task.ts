import { askModel, type ModelPorts } from '../../budget/ask-model.ts'
import { buildContext } from '../../context/build-context.ts'
import { attemptOf } from '../../domain/attempt.ts'
import type { RunState } from '../../domain/run-state.ts'
import { withoutAnswer } from '../../domain/unanswered.ts'
import type { ModelOutcome, Step } from '../../graph/step.ts'
import type { Ports } from '../../ports.ts'
import { planPrompt, readPlan } from '../../prompts/plan.ts'

/** Enough for the project map; code is shown when it is to be changed. */
const mapTokens = 600
const planTokens = 800

/** Asks for likely files, complexity and steps. A plan is a help: without one the task goes on. */
export async function planTask(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace'>,
): Promise<Step<'planned' | 'no_plan' | ModelOutcome>> {
  const { task, start } = attemptOf(state)
  const context = await buildContext({
    task: { ...task, files: [] },
    plan: null,
    files: await ports.workspace.listFiles(start.sha),
    read: (paths) => ports.workspace.readFiles(start.sha, paths),
    budgetTokens: mapTokens,
  })
  const asked = await askModel(state, ports, {
    purpose: 'plan',
    messages: planPrompt(task, context.status === 'built' ? context.map : ''),
    maxOutputTokens: planTokens,
    json: true,
  })
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
  const plan = readPlan(asked.text)
  const attempt = asked.patch.attempt && { ...asked.patch.attempt, plan }
  return { outcome: plan === null ? 'no_plan' : 'planned', patch: { ...asked.patch, attempt } }
}
