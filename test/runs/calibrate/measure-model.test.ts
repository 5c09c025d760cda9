import { afterAll, describe, expect, it } from 'vitest'
import { createWasmSyntaxChecker } from '../../../packages/source/wasm-syntax-checker.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import type { ModelReply, ModelRequest } from '../../../src/core/ports/model.ts'
import {
  foreseeCalibration,
  type JudgedAnswer,
  measureModel,
} from '../../../src/runs/calibrate/measure-model.ts'
import { codeTasks } from '../../../src/runs/calibrate/small-tasks.ts'
import { someSettings } from '../../fakes/facts.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'
import { answersWell } from './answers-well.ts'

const syntax = createWasmSyntaxChecker()
afterAll(() => syntax.close())

const settings = someSettings()
const clock = createFakeClock('2026-11-28T10:00:00.000Z')
const usage = { ...noUsage, promptTokens: 100, completionTokens: 10 }

const said = (
  text: string,
  facts: { readonly finish?: 'length'; readonly runaway?: true } = {},
): ModelReply => ({ status: 'answered', text, finish: 'stop', usage, ...facts })

async function measure(answer: (request: ModelRequest) => ModelReply) {
  const asked: ModelRequest[] = []
  const told: (readonly [JudgedAnswer, number, number])[] = []
  const complete = async (request: ModelRequest) => {
    asked.push(request)
    return answer(request)
  }
  const ports = { settings, clock, syntax, model: { complete } }
  const measured = await measureModel(ports, (...one) => told.push(one))
  return { ...measured, asked, told }
}

const all = { good: 5, of: 5 }
const one = { good: 1, of: 1 }
const noneOf = (of: number) => ({ good: 0, of })

describe('measureModel', () => {
  it('finds that a model can do everything that it does', async () => {
    const {
      calibration,
      asked,
      told,
      usage: paid,
    } = await measure((request) => said(answersWell(request)))
    expect(told.filter(([{ good }]) => !good)).toEqual([])
    expect(calibration).toEqual({
      ...{ model: settings.model.name, baseUrl: settings.model.baseUrl.replace(/\/$/, '') },
      at: '2026-11-28T10:00:00.000Z',
      forms: { whole: all, edits: all },
      ...{ echoes: noneOf(10), claims: noneOf(10), json: one, tools: one, repairs: one },
    })
    expect(asked).toHaveLength(13)
    expect(told.map(([, done, of]) => `${done}/${of}`)).toEqual(
      asked.map((_, index) => `${index + 1}/13`),
    )
    expect(paid.promptTokens).toBe(1_300)
  })

  it('asks as often as it says, for no more than it says', async () => {
    const { asked } = await measure(() => said('Sure!'))
    const foreseen = foreseeCalibration({ settings, syntax })
    expect(foreseen.requests).toBe(asked.length)
    expect(asked.every(({ maxOutputTokens }) => maxOutputTokens <= 800)).toBe(true)
    expect(foreseen.promptTokens).toBeGreaterThan(asked.length * 100)
  })

  it.each<[string, (request: ModelRequest) => ModelReply]>([
    ['only talks', () => said('I would write a loop.')],
    ['never ends', () => said('def f():\n', { finish: 'length' })],
    ['repeats itself', () => said('the the the', { runaway: true })],
    [
      'has no room for a prompt',
      () => ({ status: 'too_large', reason: 'n_ctx', window: null, promptTokens: null, usage }),
    ],
  ])('a model that %s can do nothing, and the calibration ends', async (_, answer) => {
    const { calibration } = await measure(answer)
    const { forms, json, tools, repairs } = calibration
    expect({ forms, json, tools, repairs }).toEqual({
      forms: { whole: noneOf(5), edits: noneOf(5) },
      ...{ json: noneOf(1), tools: noneOf(1), repairs: noneOf(1) },
    })
  })

  it('counts echoes and claims apart', async () => {
    const isEdit = ({ messages }: ModelRequest) => JSON.stringify(messages).includes('SEARCH')
    const echo = (request: ModelRequest) => {
      const shown = JSON.stringify(request.messages)
      const task = codeTasks.find(({ test }) => shown.includes(test.path))
      return task ? `${task.test.path}\n\`\`\`\n${task.test.text}\`\`\`\n` : ''
    }
    const { calibration } = await measure((request) =>
      said(isEdit(request) ? 'NOTHING_TO_DO' : echo(request)),
    )
    expect(calibration).toMatchObject({
      ...{ echoes: { good: 5, of: 10 }, claims: { good: 5, of: 10 } },
      forms: { whole: noneOf(5), edits: noneOf(5) },
    })
  })

  it.each<ModelReply>([
    { status: 'unavailable', reason: 'connection refused', retryAt: null, usage: noUsage },
    { status: 'silent', reason: 'connection refused', usage: noUsage },
  ])('gives up when the model is $status', async (reply) => {
    let requests = 0
    const answer = () => {
      requests += 1
      return reply
    }
    await expect(measure(answer)).rejects.toMatchObject({ code: 'model_unreachable' })
    expect(requests).toBe(1)
  })
})
