import { describe, expect, it } from 'vitest'
import { askModel } from '../../src/budget/ask-model.ts'
import type { Model } from '../../src/ports.ts'
import { createScriptedModel } from '../fakes/scripted-model.ts'
import { settingsWith, stateWith, tokensUsed } from './spending-state.ts'

const question = {
  purpose: 'draft',
  messages: [{ role: 'user', content: 'x'.repeat(4000) }],
} as const

const cost = { requests: 1, promptTokens: 1004, completionTokens: 5, dollars: 0.25 }

describe('askModel', () => {
  it('asks the model of the run, or of the task, and books what it used', async () => {
    const model = createScriptedModel([
      { text: 'one', usage: cost },
      { text: 'two', finish: 'length', usage: cost },
    ])
    const ports = { model, settings: settingsWith() }
    const before = stateWith({ run: tokensUsed(100), task: tokensUsed(10) })
    const first = await askModel(before, ports, question)
    expect(first).toEqual({
      status: 'answered',
      text: 'one',
      finish: 'stop',
      patch: {
        usage: { ...cost, promptTokens: 1104 },
        attempt: { ...before.attempt, usage: { ...cost, promptTokens: 1014 } },
      },
    })
    const asked = { ...question, json: true, maxOutputTokens: 300 }
    const second = await askModel(stateWith({ model: 'own-model' }), ports, asked)
    expect(second).toMatchObject({ text: 'two', finish: 'length' })
    expect(model.requests).toEqual([
      { ...question, model: 'priced', maxOutputTokens: 4000, continuations: 2, json: false },
      { ...question, model: 'own-model', maxOutputTokens: 300, continuations: 2, json: true },
    ])
  })

  it('asks for less when less is left', async () => {
    const model = createScriptedModel(['short'])
    await askModel(stateWith(), { model, settings: settingsWith({ tokens: 2004 }) }, question)
    expect(model.requests).toMatchObject([{ maxOutputTokens: 1000, continuations: 0 }])
  })

  it('asks nothing over budget, and says the limit once', async () => {
    const model = createScriptedModel([])
    const ports = { model, settings: settingsWith({ tokensPerTask: 500 }) }
    const state = stateWith()
    const asked = await askModel(state, ports, question)
    if (asked.status !== 'over_budget') throw new Error(asked.status)
    expect(asked.limit).toMatch(/^Task T-1 may use 500 tokens/)
    expect(asked.patch).toEqual({ limits: [asked.limit] })
    const again = await askModel({ ...state, ...asked.patch }, ports, question)
    expect(again.patch).toEqual({ limits: [asked.limit] })
    expect(model.requests).toEqual([])
  })

  it('stops the run at a limit of the run', async () => {
    const ports = { model: createScriptedModel([]), settings: settingsWith({ tokens: 500 }) }
    const asked = await askModel(stateWith(), ports, question)
    expect(asked.patch).toMatchObject({ stopped: 'limit', limits: [expect.any(String)] })
  })

  it('stops the run when the model is away, with the time to come back', async () => {
    const retryAt = '2026-01-02T04:00:00.000Z'
    const model = createScriptedModel([{ unavailable: 'host answered 429', retryAt }])
    const state = stateWith()
    const asked = await askModel(state, { model, settings: settingsWith() }, question)
    expect(asked).toEqual({
      status: 'unavailable',
      reason: 'host answered 429',
      retryAt,
      patch: {
        usage: { ...state.usage, requests: 1 },
        attempt: { ...state.attempt, usage: { ...state.usage, requests: 1 } },
        retryAt,
        stopped: 'unavailable',
        errors: [
          {
            code: 'model_unavailable',
            message: 'The model is not available: host answered 429',
            next: `Run it again after ${retryAt}; finished work is kept.`,
            taskId: 'T-1',
          },
        ],
      },
    })
  })

  it('books the forecast of a dry run, which gets no answer', async () => {
    const model: Model = { complete: async () => ({ status: 'withheld', usage: cost }) }
    const asked = await askModel(stateWith(), { model, settings: settingsWith() }, question)
    expect(asked).toMatchObject({ status: 'over_budget', patch: { usage: cost } })
    expect(asked.patch).not.toHaveProperty('limits')
  })
})
