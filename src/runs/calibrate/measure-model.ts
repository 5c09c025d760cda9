import { estimatePromptTokens } from '../../../packages/text/text.ts'
import { type Calibration, endpointAddress, type Share } from '../../core/domain/calibration.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { addUsage, dollarsFor, noUsage, priceOf, type Usage } from '../../core/domain/usage.ts'
import type { Ports } from '../../core/ports.ts'
import type { Judgement } from './judge-answers.ts'
import { type CalibrationQuestion, calibrationQuestions } from './questions.ts'

/** In tokens; the longest good answer has a third of it. */
const longestAnswer = 800

/** In tokens, of a usual answer. */
const usualAnswer = 150

/** What a calibration will cost, before it is paid for. */
export interface CalibrationCost {
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** `null` without a known price. */
  readonly dollars: number | null
}

type Needs = Pick<Ports, 'model' | 'syntax' | 'clock' | 'settings'>

export function foreseeCalibration(ports: Pick<Ports, 'settings' | 'syntax'>): CalibrationCost {
  const { name, prices } = ports.settings.model
  const asked = calibrationQuestions(ports.settings, ports).map(({ asks }) =>
    estimatePromptTokens(asks.messages, asks.tools),
  )
  const tokens = {
    promptTokens: asked.reduce((sum, each) => sum + each, 0),
    completionTokens: asked.length * usualAnswer,
  }
  const price = priceOf(name, prices)
  const dollars = price === null ? null : dollarsFor(tokens, price)
  return { requests: asked.length, ...tokens, dollars }
}

/** One answer, as it was judged. */
export interface JudgedAnswer extends Judgement, Pick<CalibrationQuestion, 'ability' | 'about'> {}

/**
 * Asks the model each question once and counts what could be used.
 *
 * @throws ExecutorError `model_unreachable` when it does not answer, `model_rejected` when it refuses
 */
export async function measureModel(
  ports: Needs,
  told: (answer: JudgedAnswer, done: number, all: number) => void,
): Promise<{ readonly calibration: Calibration; readonly usage: Usage }> {
  const { clock, settings } = ports
  const questions = calibrationQuestions(settings, ports)
  const answers: JudgedAnswer[] = []
  let usage = noUsage
  for (const question of questions) {
    const { ability, about } = question
    const asked = await ask(question, ports)
    usage = addUsage(usage, asked.usage)
    const answer = { ability, about, ...asked.judgement }
    answers.push(answer)
    told(answer, answers.length, questions.length)
  }
  const { name: model, baseUrl } = settings.model
  const found = { model, baseUrl: endpointAddress(baseUrl), at: clock.now(), ...sharesOf(answers) }
  return { calibration: found, usage }
}

async function ask(
  { asks, judge }: CalibrationQuestion,
  { model, settings }: Needs,
): Promise<{ readonly judgement: Judgement; readonly usage: Usage }> {
  const { name, maxOutputTokens } = settings.model
  const reply = await model.complete({
    ...{ ...asks, purpose: 'calibrate', model: name, continuations: 0 },
    maxOutputTokens: Math.min(longestAnswer, maxOutputTokens),
  })
  const { usage } = reply
  if (reply.status === 'unavailable' || reply.status === 'silent') {
    throw new ExecutorError('model_unreachable', reply.reason)
  }
  if (reply.status !== 'answered') {
    return { usage, judgement: { good: false, why: 'its context window is too small' } }
  }
  const isWhole = reply.finish === 'stop' && reply.runaway === undefined
  const judgement = isWhole ? await judge(reply.text) : { good: false, why: 'it does not end' }
  return { usage, judgement }
}

function sharesOf(answers: readonly JudgedAnswer[]) {
  const of = (...abilities: readonly string[]) =>
    answers.filter(({ ability }) => abilities.includes(ability))
  const share = (some: readonly JudgedAnswer[], is: (each: JudgedAnswer) => boolean): Share => ({
    good: some.filter(is).length,
    of: some.length,
  })
  const good = (ability: JudgedAnswer['ability']) => share(of(ability), (each) => each.good)
  const drafts = of('whole', 'edits', 'function')
  return {
    forms: { whole: good('whole'), edits: good('edits') },
    echoes: share(drafts, ({ isEcho }) => isEcho === true),
    claims: share(drafts, ({ isClaim }) => isClaim === true),
    ...{ json: good('json'), tools: good('tools'), repairs: good('repairs') },
  }
}
