import { clip, countOf } from '../../../packages/text/text.ts'
import type { Plan } from '../../core/domain/attempt.ts'
import { changeState, joinPatches, type StatePatch } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import {
  askModel,
  type ModelAnswer,
  type ModelPorts,
  type ModelQuestion,
  unlessRejected,
} from '../ask/ask-model.ts'
import { shortenFile } from '../prompts/compose-prompt.ts'
import { choosePlanPrompt, plansPrompt, readChoice, readPlans } from '../prompts/plan.ts'
import { comparePlans, type JudgedPlan, judgePlan, type PlanGround } from './judge-plan.ts'

/** Three short plans, and the number of one. */
const plansTokens = 1_600
const choiceTokens = 20

/** A judged plan of which something is left. */
interface Candidate extends JudgedPlan {
  readonly plan: Plan
}

/**
 * Compares the first plan of a complex task with three others, asked for in one request. The rules of `judgePlan`
 * choose; where plans tie at the top, the model does, in one short request. Both questions are optional: without an
 * answer the first of the best plans is used. The plan returned lists the others in a line each.
 */
export async function choosePlan(
  state: RunState,
  ports: ModelPorts,
  given: { readonly first: Plan; readonly map: string; readonly ground: PlanGround },
): Promise<{ readonly plan: Plan; readonly patch: StatePatch }> {
  const { first, map, ground } = given
  const asked = await askMaybe(state, ports, {
    purpose: 'plan',
    messages: (share) => plansPrompt(ground.task, shortenFile(map, map.length * share)),
    maxOutputTokens: plansTokens,
    json: true,
  })
  const said = asked.text === null ? [] : readPlans(asked.text)
  const judged = [first, ...said].map((plan) => judgePlan(plan, ground)).filter(hasPlan)
  const plans = distinct(judged).sort(comparePlans)
  const [best] = plans
  const top = best === undefined ? [] : plans.filter((each) => comparePlans(each, best) === 0)
  const now: RunState = changeState(state, asked.patch)
  const tie = top.length < 2 ? { text: '1', patch: {} } : await askWhich(now, ports, top, ground)
  const chosen = top[(readChoice(tie.text ?? '') ?? 1) - 1]?.plan ?? best?.plan ?? first
  const others = plans.flatMap(({ plan }) => (plan === chosen ? [] : [describePlan(plan)]))
  return {
    plan: { ...chosen, complexity: first.complexity, ...(others.length > 0 && { others }) },
    patch: joinPatches(asked.patch, tie.patch),
  }
}

const hasPlan = (judged: JudgedPlan): judged is Candidate => judged.plan !== null

/** Of two equal plans the first stays. */
function distinct(plans: readonly Candidate[]): Candidate[] {
  const keys = plans.map(({ plan: { files, steps } }) =>
    JSON.stringify([files.toSorted(), steps.map((step) => step.toLowerCase())]),
  )
  return plans.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
}

const askWhich = (
  state: RunState,
  ports: ModelPorts,
  top: readonly Candidate[],
  { task }: PlanGround,
) => {
  const described = top.map(({ plan }) => describePlan(plan))
  const messages = choosePlanPrompt(task, described)
  return askMaybe(state, ports, { purpose: 'choose_plan', messages, maxOutputTokens: choiceTokens })
}

/**
 * Asks an optional question: the text of the answer or `null`, and what it cost. A limit or an unreachable model ends
 * the task or the run at the next question that is needed, so that the answers so far are not asked for again.
 */
async function askMaybe(
  state: RunState,
  ports: ModelPorts,
  question: ModelQuestion,
): Promise<{ readonly text: string | null; readonly patch: StatePatch }> {
  const asked: ModelAnswer | null = await unlessRejected(askModel(state, ports, question))
  if (asked === null) return { text: null, patch: {} }
  const after: RunState = changeState(state, asked.patch)
  const { usage, calls } = after.spent
  const { windows } = after.learned
  const patch = { spent: { usage, calls }, learned: { windows }, attempt: after.attempt }
  return { text: asked.status === 'answered' ? asked.text : null, patch }
}

/** In characters, of a plan in a line. */
const longestLine = 400

/** `2 files (src/a.js, test/a.test.js), 2 steps: write it; test it`. */
function describePlan({ files, steps }: Plan): string {
  const where = files.length === 0 ? '' : `${countOf(files.length, 'file')} (${files.join(', ')}), `
  const line = `${where}${countOf(steps.length, 'step')}: ${steps.join('; ')}`
  return clip(line.replaceAll(/\s+/g, ' '), longestLine)
}
