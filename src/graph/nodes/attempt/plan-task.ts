import { openTree } from '../../../../packages/change/change.ts'
import { openPolicyGate } from '../../../../packages/judge/judge.ts'
import type { Plan } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  failureAt,
  joinPatches,
  patchAttempt,
  type StatePatch,
  startOf,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { withoutAnswer } from '../../../core/domain/unanswered.ts'
import type { Ports } from '../../../core/ports.ts'
import type { ModelPorts } from '../../../model/ask/ask-model.ts'
import { askReadable } from '../../../model/ask/ask-readable.ts'
import { buildPromptContext } from '../../../model/context/build-context.ts'
import { choosePlan } from '../../../model/planning/choose-plan.ts'
import {
  comparePlans,
  type JudgedPlan,
  judgePlan,
  type PlanGround,
} from '../../../model/planning/judge-plan.ts'
import { shortenFile } from '../../../model/prompts/compose-prompt.ts'
import { planPrompt, readPlan } from '../../../model/prompts/plan.ts'
import type { JsonReading } from '../../../model/prompts/read-json.ts'
import { whyTooComplex } from '../../../model/size/complexity.ts'
import { awaitSetUp } from '../../../recovery/step/await-set-up.ts'
import { maySplit } from '../../../recovery/task/choose-strategy.ts'
import type { Step, StepOf } from '../../step.ts'

/** Fits the project map; the prompt for the change shows the code. */
const mapTokens = 600
const planTokens = 800

/**
 * Asks for likely files, complexity and steps. Sends a plan that breaks a rule back once, with the reasons, and then
 * uses its good parts. With `critic`, compares the plan of a complex task with three others. The plan is optional:
 * without one the task continues.
 */
export async function planTask(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace' | 'sandbox'>,
): Promise<StepOf<'plan_task'>> {
  const unprepared = await awaitSetUp(state, startOf(state), ports, ports.model.tryKey)
  if (unprepared !== null) return unprepared
  const { task, start, grants } = attemptOf(state)
  const tree = await openTree(start.sha, ports.workspace)
  const context = await buildPromptContext({
    task: { ...task, files: [] },
    plan: null,
    files: tree.files,
    roadmap: ports.settings.roadmap,
    read: tree.read,
    budgetTokens: mapTokens,
  })
  const map = context.status === 'built' ? context.map : ''
  const question = {
    purpose: 'plan',
    messages: (share: number) => planPrompt(task, shortenFile(map, map.length * share)),
    maxOutputTokens: planTokens,
    json: true,
  } as const
  const ground = { task, gate: openPolicyGate(tree, { task, grants }, ports.settings) }
  const judge = judgeTwice(ground)
  const asked = await askReadable(state, ports, question, judge.read)
  if (asked.status === 'over_budget' || asked.status === 'unavailable') {
    return withoutAnswer(state, asked)
  }
  const first = judge.best()?.plan ?? null
  if (first === null) return { outcome: 'no_plan', patch: asked.patch }
  const after: RunState = changeState(state, asked.patch)
  const isCompared = ports.settings.critic && first.complexity === 'high'
  const chosen = isCompared
    ? await choosePlan(after, ports, { first, map, ground })
    : { plan: first, patch: {} }
  return settle(state, chosen.plan, joinPatches(asked.patch, chosen.patch), ports)
}

/** Uses the plan, unless it shows that the task should be split before money is spent on code. */
function settle(
  state: RunState,
  plan: Plan,
  spent: StatePatch,
  { settings }: Pick<Ports, 'settings'>,
): Step<'planned' | 'too_complex'> {
  const after: RunState = changeState(state, spent)
  const reason = maySplit(attemptOf(after), settings) ? whyTooComplex(plan) : null
  if (reason === null) {
    return { outcome: 'planned', patch: joinPatches(spent, patchAttempt(after, { plan })) }
  }
  const failure = failureAt('too_complex', reason)
  const patch = patchAttempt(after, { plan, failure })
  return { outcome: 'too_complex', patch: joinPatches(spent, patch) }
}

/**
 * Reads the first answer strictly and the second as it is; remembers the better of the two plans. A simple plan is
 * not sent back: that costs as much as the change.
 */
function judgeTwice(ground: PlanGround) {
  let answers = 0
  let best: JudgedPlan | null = null
  const read = (answer: string): JsonReading<JudgedPlan> => {
    answers += 1
    const reading = readPlan(answer)
    if ('problem' in reading) return reading
    const judged = judgePlan(reading.value, ground)
    if (best === null || comparePlans(judged, best) <= 0) best = judged
    const isSimple = reading.value.complexity === 'low'
    const isFinal = judged.faults.length === 0 || isSimple || answers > 1
    return isFinal ? { value: best } : { problem: judged.faults.join('; ') }
  }
  return { read, best: (): JudgedPlan | null => best }
}
