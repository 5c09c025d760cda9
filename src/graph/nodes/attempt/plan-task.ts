import {
  attemptOf,
  changeState,
  joinPatches,
  patchAttempt,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { OutcomeOf } from '../../../core/domain/steps.ts'
import { withoutAnswer } from '../../../core/domain/unanswered.ts'
import type { Ports } from '../../../core/ports.ts'
import type { ModelPorts } from '../../../model/ask/ask-model.ts'
import { askReadable } from '../../../model/ask/ask-readable.ts'
import { buildPromptContext } from '../../../model/context/build-context.ts'
import { shortenFile } from '../../../model/prompts/compose-prompt.ts'
import { planPrompt, readPlan } from '../../../model/prompts/plan.ts'
import { awaitSetUp } from '../../../recovery/step/await-set-up.ts'
import { startOf } from '../../../verify/run/baseline.ts'
import type { Step } from '../../step.ts'

/** Fits the project map; the prompt for the change shows the code. */
const mapTokens = 600
const planTokens = 800

/** Asks for likely files, complexity and steps. The plan is optional: without one the task continues. */
export async function planTask(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace' | 'sandbox'>,
): Promise<Step<OutcomeOf<'plan_task'>>> {
  const unprepared = await awaitSetUp(state, startOf(state), ports)
  if (unprepared !== null) return unprepared
  const { task, start } = attemptOf(state)
  const context = await buildPromptContext({
    task: { ...task, files: [] },
    plan: null,
    files: await ports.workspace.listFiles(start.sha),
    read: (paths) => ports.workspace.readFiles(start.sha, paths),
    budgetTokens: mapTokens,
  })
  const map = context.status === 'built' ? context.map : ''
  const question = {
    purpose: 'plan',
    messages: (share: number) => planPrompt(task, shortenFile(map, map.length * share)),
    maxOutputTokens: planTokens,
    json: true,
  } as const
  const asked = await askReadable(state, ports, question, readPlan)
  switch (asked.status) {
    case 'read': {
      const after = changeState(state, asked.patch)
      const plan = patchAttempt(after, { plan: asked.value })
      return { outcome: 'planned', patch: joinPatches(asked.patch, plan) }
    }
    case 'unreadable':
    case 'too_large':
      return { outcome: 'no_plan', patch: asked.patch }
    default:
      return withoutAnswer(state, asked)
  }
}
