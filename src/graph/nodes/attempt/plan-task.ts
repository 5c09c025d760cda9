import { gateRules } from '../../../changes/gate/gate.ts'
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
import {
  comparePlans,
  type JudgedPlan,
  judgePlan,
  type PlanGround,
} from '../../../model/planning/judge-plan.ts'
import { shortenFile } from '../../../model/prompts/compose-prompt.ts'
import { planPrompt, readPlan } from '../../../model/prompts/plan.ts'
import type { JsonReading } from '../../../model/prompts/read-json.ts'
import { awaitSetUp } from '../../../recovery/step/await-set-up.ts'
import { startOf } from '../../../verify/run/baseline.ts'
import type { Step } from '../../step.ts'

/** Fits the project map; the prompt for the change shows the code. */
const mapTokens = 600
const planTokens = 800

/**
 * Asks for likely files, complexity and steps. Sends a plan that breaks a rule back once, with the reasons, and then
 * uses its good parts. The plan is optional: without one the task continues.
 */
export async function planTask(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace' | 'sandbox'>,
): Promise<Step<OutcomeOf<'plan_task'>>> {
  const unprepared = await awaitSetUp(state, startOf(state), ports)
  if (unprepared !== null) return unprepared
  const { task, start, grants } = attemptOf(state)
  const files = await ports.workspace.listFiles(start.sha)
  const context = await buildPromptContext({
    task: { ...task, files: [] },
    plan: null,
    files,
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
  const judge = judgeTwice({ task, rules: gateRules({ task, grants }, files, ports.settings) })
  const asked = await askReadable(state, ports, question, judge.read)
  if (asked.status === 'over_budget' || asked.status === 'unavailable') {
    return withoutAnswer(state, asked)
  }
  const plan = judge.best()?.plan ?? null
  if (plan === null) return { outcome: 'no_plan', patch: asked.patch }
  const after = changeState(state, asked.patch)
  return { outcome: 'planned', patch: joinPatches(asked.patch, patchAttempt(after, { plan })) }
}

/** Reads the first answer strictly and the second as it is; remembers the better of the two plans. */
function judgeTwice(ground: PlanGround) {
  let answers = 0
  let best: JudgedPlan | null = null
  const read = (answer: string): JsonReading<JudgedPlan> => {
    answers += 1
    const reading = readPlan(answer)
    if ('problem' in reading) return reading
    const judged = judgePlan(reading.value, ground)
    if (best === null || comparePlans(judged, best) <= 0) best = judged
    const isFinal = judged.faults.length === 0 || answers > 1
    return isFinal ? { value: best } : { problem: judged.faults.join('; ') }
  }
  return { read, best: (): JudgedPlan | null => best }
}
