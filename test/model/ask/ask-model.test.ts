import { describe, expect, it } from 'vitest'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import type { Settings } from '../../../src/core/domain/settings.ts'
import type { Model } from '../../../src/core/ports/model.ts'
import type { Spending } from '../../../src/core/ports/store.ts'
import { askModel } from '../../../src/model/ask/ask-model.ts'
import { anAttempt, emptyStore } from '../../fakes/facts.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryStore } from '../../fakes/memory-store.ts'
import { createScriptedModel, type ScriptedReply } from '../../fakes/scripted-model.ts'
import { settingsWith, stateWith, tokensUsed } from '../budget/spending-state.ts'

const question = {
  purpose: 'draft',
  messages: [{ role: 'user', content: 'x'.repeat(4000) }],
} as const

const around = { store: emptyStore, clock: createFakeClock() }

const cost = { requests: 1, promptTokens: 1004, completionTokens: 5, dollars: 0.25 }

describe('askModel', () => {
  it('asks the model of the run, or of the task, and books what it used', async () => {
    const model = createScriptedModel([
      { text: 'one', usage: cost },
      { text: 'two', finish: 'length', usage: cost },
    ])
    const store = createMemoryStore()
    const ports = { ...around, store, model, settings: settingsWith() }
    const before = stateWith({ run: tokensUsed(100), task: tokensUsed(10) })
    const first = await askModel(before, ports, question)
    expect(first).toEqual({
      status: 'answered',
      text: 'one',
      finish: 'stop',
      patch: {
        spent: { usage: { ...cost, promptTokens: 1104 }, calls: 1 },
        attempt: {
          ...before.attempt,
          usage: { ...cost, promptTokens: 1014 },
          asked: [expect.stringMatching(/^[0-9a-f]{12}$/)],
        },
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

  it.each([
    ['the same words', 'Fix line 3 of a.js', [0, 1]],
    ['words that differ in numbers alone', 'Fix line 41 of a.js', [0, 1]],
    ['other words', 'Fix the last line of a.js', [0, 0]],
  ])('sends no request twice in an attempt: %s', async (_, next, samples) => {
    const model = createScriptedModel(['one', 'two', 'three'])
    const ports = { ...around, model, settings: settingsWith() }
    const ask = (state: RunState, content: string) =>
      askModel(state, ports, { purpose: 'draft', messages: [{ role: 'user', content }] })
    const state = stateWith({})
    const first = await ask(state, 'Fix line 3 of a.js')
    const second = await ask(changeState(state, first.patch), next)
    expect(model.requests.map(({ sample = 0 }) => sample)).toEqual(samples)
    expect(changeState(state, second.patch).attempt?.asked).toHaveLength(2)
    // Another attempt may ask the same.
    const anew = changeState(state, { attempt: { ...anAttempt(), number: 2 } })
    await ask(anew, 'Fix line 3 of a.js')
    expect(model.requests.at(-1)?.sample).toBeUndefined()
  })

  it.each([
    ['that an answer ran away', { finish: 'length', runaway: true }],
    ['why an answer is a part', { finish: 'length', why: 'a filter ended it' }],
  ] as const)('says %s, and says the same when it resumes', async (_, end) => {
    const store = createMemoryStore()
    const model = createScriptedModel([{ text: 'x x x', ...end }])
    const ports = { ...around, store, model, settings: settingsWith() }
    const first = await askModel(stateWith({}), ports, question)
    expect(first).toMatchObject({ status: 'answered', ...end })
    expect(await askModel(stateWith({}), ports, question)).toEqual(first)
    expect(model.requests).toHaveLength(1)
  })

  it('knows how fast a server nearby reads, and knows the same when it resumes', async () => {
    const store = createMemoryStore()
    const reply = { status: 'answered', text: 'one', finish: 'stop', usage: cost } as const
    const model: Model = { complete: async () => ({ ...reply, promptSpeed: 61.5 }) }
    const ports = { ...around, store, model, settings: settingsWith() }
    const state = changeState(stateWith({}), { learned: { speeds: { other: 9 } } })
    const first = await askModel(state, ports, question)
    expect(first.patch.learned).toEqual({ speeds: { other: 9, priced: 61.5 } })
    const silent = { ...ports, model: createScriptedModel([]) }
    expect(await askModel(state, silent, question)).toEqual(first)
  })

  it('keeps a row of each time that the endpoint had to be asked again', async () => {
    const store = createMemoryStore()
    const reply = { status: 'answered', text: 'one', finish: 'stop', usage: cost } as const
    const setbacks = [
      { reason: 'host: answered 429: Slow down.', seconds: 2.25 },
      { reason: 'host: said nothing for 60 s', seconds: 1 },
    ]
    const model: Model = { complete: async () => ({ ...reply, setbacks }) }
    const state = stateWith({})
    await askModel(state, { ...around, store, model, settings: settingsWith() }, question)
    const rows = (await store.journal(state.run.id)).filter(({ kind }) => kind === 'failed')
    expect(rows).toMatchObject([
      { node: state.progress.next, task: state.attempt?.task.id, error: { type: 'rate_limit' } },
      { message: 'host: said nothing for 60 s' },
    ])
    const waits = (await store.journal(state.run.id)).filter(({ kind }) => kind === 'remedied')
    expect(waits).toMatchObject([
      { strategy: 'back_off', type: 'rate_limit', fix: 'waited 2.3 s', worked: false },
      { strategy: 'back_off', fix: 'waited 1.0 s', worked: true },
    ])
  })

  it.each<[string, Record<string, number>, ScriptedReply, object, number[], number | undefined]>([
    ['says its window', {}, { tooLarge: 'x', window: 800 }, { status: 'too_large' }, [4000], 800],
    ['does not say it', {}, { tooLarge: 'x' }, { status: 'too_large' }, [4000], 1259],
    [
      'has room for a shorter answer',
      {},
      { tooLarge: 'x', window: 2000, promptTokens: 1100 },
      { status: 'answered', text: 'short' },
      [4000, 900],
      2000,
    ],
    ['is known to be small', { priced: 2000 }, 'fine', { status: 'answered' }, [996], 2000],
    ['is known to be too small', { priced: 1200 }, 'never', { status: 'too_large' }, [], undefined],
    ['is another', { other: 10 }, 'fine', { status: 'answered' }, [4000], undefined],
  ])('keeps to the window of a model that %s', async (_, windows, reply, answer, asked, learnt) => {
    const model = createScriptedModel([reply, 'short'])
    const ports = { ...around, model, settings: settingsWith() }
    const state = changeState(stateWith({}), { learned: { windows } })
    const heard = await askModel(state, ports, question)
    expect(heard).toMatchObject(answer)
    expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual(asked)
    const known = changeState(state, heard.patch).learned.windows.priced
    expect(known).toBe(learnt ?? windows.priced)
  })

  it.each([
    ['the same call, asked the same', { spent: { calls: 1 } }, question, 'one', 1, 0],
    ['another question', { spent: { calls: 1 } }, { ...question, json: true }, 'two', 2, 0.25],
    ['the next call with the same question', { spent: { calls: 2 } }, question, 'two', 2, 0.25],
    ['another run', { spent: { calls: 1 }, run: { id: 'run-2' } }, question, 'two', 2, 0.25],
  ] as const)(
    'pays once for what was answered: %s',
    async (_, changed, asked, text, requests, spent) => {
      const model = createScriptedModel([
        { text: 'one', usage: cost },
        { text: 'two', usage: cost },
      ])
      const store = createMemoryStore()
      const ports = { ...around, store, model, settings: settingsWith() }
      const before = changeState(stateWith(), { spent: { calls: 1 } })
      const first = await askModel(before, ports, question)
      const answer = await askModel(changeState(before, changed), ports, asked)
      expect(answer).toMatchObject({
        status: 'answered',
        text,
        patch: { spent: { calls: changed.spent.calls + 1 } },
      })
      // What the state books is the same, whether it was paid now or before it was killed.
      if (text === 'one') expect(answer).toEqual(first)
      expect(model.requests).toHaveLength(requests)
      expect(store.spent.slice(1).reduce((sum, { dollars }) => sum + dollars, 0)).toBe(spent)
      expect(store.events[0]).toMatchObject({ kind: 'answered', call: 1, text: 'one', exact: true })
    },
  )

  it('books every call on its day, also one that failed half-way', async () => {
    const model = createScriptedModel([
      { text: 'one', usage: cost },
      { unavailable: 'the answer ended early', usage: cost },
    ])
    const store = createMemoryStore()
    const clock = createFakeClock('2026-01-31T23:59:59.000Z')
    const ports = { store, clock, model, settings: settingsWith() }
    await askModel(stateWith(), ports, question)
    clock.advance(1)
    await askModel(changeState(stateWith(), { spent: { calls: 1 } }), ports, question)
    expect(store.spent).toEqual([
      { at: '2026-01-31T23:59:59.000Z', tokens: 1009, dollars: 0.25 },
      { at: '2026-02-01T00:00:00.000Z', tokens: 1009, dollars: 0.25 },
    ])
  })

  it('asks for less when less is left', async () => {
    const model = createScriptedModel(['short'])
    await askModel(
      stateWith(),
      { ...around, model, settings: settingsWith({ tokens: 2004 }) },
      question,
    )
    expect(model.requests).toMatchObject([{ maxOutputTokens: 1000, continuations: 0 }])
  })

  it('asks nothing over budget, and says the limit once', async () => {
    const model = createScriptedModel([])
    const ports = { ...around, model, settings: settingsWith({ tokensPerTask: 500 }) }
    const state = stateWith()
    const asked = await askModel(state, ports, question)
    if (asked.status !== 'over_budget') throw new Error(asked.status)
    expect(asked.reason).toMatch(/^Task T-1 may use 500 tokens/)
    expect(asked.patch).toEqual({ progress: { limits: [asked.reason] } })
    const again = await askModel(changeState(state, asked.patch), ports, question)
    expect(again.patch).toEqual({ progress: { limits: [asked.reason] } })
    expect(model.requests).toEqual([])
  })

  it('stops the run at a limit of the run', async () => {
    const ports = {
      ...around,
      model: createScriptedModel([]),
      settings: settingsWith({ tokens: 500 }),
    }
    const asked = await askModel(stateWith(), ports, question)
    expect(asked.patch).toMatchObject({
      progress: { stopped: 'limit', limits: [expect.any(String)] },
    })
  })

  it('stops the run when the model is away, with the time to come back', async () => {
    const retryAt = '2026-01-02T04:00:00.000Z'
    const model = createScriptedModel([{ unavailable: 'host answered 429', retryAt }])
    const state = stateWith()
    const asked = await askModel(state, { ...around, model, settings: settingsWith() }, question)
    expect(asked).toEqual({
      status: 'unavailable',
      reason: 'host answered 429',
      retryAt,
      patch: {
        spent: { usage: { ...state.spent.usage, requests: 1 } },
        attempt: { ...state.attempt, usage: { ...state.spent.usage, requests: 1 } },
        progress: { retryAt, stopped: 'unavailable' },
        record: {
          errors: [
            {
              code: 'model_unavailable',
              message: 'The model is not available: host answered 429',
              next: `Run it again after ${retryAt}; finished work is kept.`,
              taskId: 'T-1',
            },
          ],
        },
      },
    })
  })

  it('books the forecast of a dry run, which gets no answer', async () => {
    const model: Model = { complete: async () => ({ status: 'withheld', usage: cost }) }
    const asked = await askModel(
      stateWith(),
      { ...around, model, settings: settingsWith() },
      question,
    )
    expect(asked).toMatchObject({ status: 'over_budget', patch: { spent: { usage: cost } } })
    expect(asked.patch.progress?.limits).toBeUndefined()
  })
})

describe('a limit of the day', () => {
  const evening = '2026-12-31T23:50:00.000Z'

  async function ask(
    limits: Partial<Settings['limits']>,
    spent: readonly Spending[],
    at = evening,
  ) {
    const store = createMemoryStore()
    for (const each of spent) await store.recordSpending(each)
    const model = createScriptedModel([{ text: 'one', usage: cost }])
    const clock = createFakeClock(at)
    const ports = { store, clock, model, settings: settingsWith(limits) }
    return { asked: await askModel(stateWith(), ports, question), store, clock, ports, model }
  }
  const earlier = (tokens: number, dollars: number, at = '2026-12-31T00:00:00.000Z') => [
    { at, tokens, dollars },
  ]

  it('counts what earlier runs used, and stops this one until midnight', async () => {
    const { asked, model } = await ask({ dollarsPerDay: 1 }, earlier(0, 0.997))
    expect(asked).toMatchObject({
      status: 'over_budget',
      reason:
        'All runs of one day may use $1.00 (limits.cost-per-day): $0.997 are used, and the next request needs at least $0.0036. It resets at 00:00 UTC.',
      patch: { progress: { stopped: 'limit' } },
    })
    expect(model.requests).toEqual([])
  })

  it.each([
    ['the last second of the day before', '2026-12-30T23:59:59.999Z'],
    ['the first of the next', '2027-01-01T00:00:00.000Z'],
  ])('does not count %s', async (_, at) => {
    const { asked } = await ask({ tokensPerDay: 30_000 }, earlier(1e9, 1e9, at))
    expect(asked.status).toBe('answered')
  })

  it('counts the tools that a request offers', async () => {
    const description = 'It shows a file. '.repeat(100)
    const tools = [{ name: 'read_file', description, parameters: {} }]
    const asked = await ask({ tokensPerDay: 2_600 }, [])
    const ports = { ...asked.ports, model: createScriptedModel([{ text: 'two', usage: cost }]) }
    const next = changeState(stateWith(), { spent: { calls: 1 } })
    expect((await askModel(next, ports, { ...question, tools })).status).toBe('over_budget')
    expect((await askModel(next, ports, question)).status).toBe('answered')
  })

  it('is anew after midnight, in the middle of a run', async () => {
    const { asked, clock, ports } = await ask({ tokensPerDay: 2300 }, earlier(1000, 0))
    expect(asked.status).toBe('answered')
    const again = await askModel(changeState(stateWith(), { spent: { calls: 1 } }), ports, question)
    expect(again.status).toBe('over_budget')
    clock.advance(600)
    const model = createScriptedModel([{ text: 'two', usage: cost }])
    const next = await askModel(stateWith(), { ...ports, model }, question)
    expect(next.status).toBe('answered')
  })

  it('may be reached exactly, continuations included', async () => {
    // The prompt is 1,004 tokens; an answer of 4,000, continued twice, is 27,012 in all.
    const { model } = await ask({ tokensPerDay: 28_012 }, earlier(1000, 0))
    expect(model.requests[0]).toMatchObject({ maxOutputTokens: 4000, continuations: 2 })
    const less = await ask({ tokensPerDay: 28_011 }, earlier(1000, 0))
    expect(less.model.requests[0]).toMatchObject({ maxOutputTokens: 4000, continuations: 1 })
  })

  it('says what it could not count, once', async () => {
    const unreadable = 'spending/2026-12-31.jsonl: 2 lines cannot be read'
    const spendingOn = async () => ({ tokens: 7, dollars: 0, unreadable })
    const model = createScriptedModel([
      { text: 'one', usage: cost },
      { text: 'two', usage: cost },
    ])
    const store = { ...emptyStore, spendingOn }
    const ports = { ...around, model, store, settings: settingsWith({ tokensPerDay: 1e6 }) }
    const first = await askModel(stateWith(), ports, question)
    expect(first.patch.progress?.limits).toEqual([
      `What was spent today is known only in part: ${unreadable}.`,
    ])
    const second = await askModel(changeState(stateWith(), first.patch), ports, question)
    expect(second.patch.progress?.limits).toBeUndefined()
  })

  it('reads no file where there is none', async () => {
    const spendingOn = async (): Promise<never> => {
      throw new Error('nobody asked')
    }
    const model = createScriptedModel([{ text: 'one', usage: cost }])
    const ports = {
      ...around,
      model,
      store: { ...emptyStore, spendingOn },
      settings: settingsWith(),
    }
    expect((await askModel(stateWith(), ports, question)).status).toBe('answered')
  })
})
