import { describe, expect, it, test } from 'vitest'
import type { AgentWork } from '../../../src/core/domain/agent-work.ts'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { Settings } from '../../../src/core/domain/settings.ts'
import type { Relay } from '../../../src/core/ports/relay.ts'
import { askAgent } from '../../../src/model/ask/ask-agent.ts'
import { openLedger } from '../../../src/model/budget/ledger.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryStore } from '../../fakes/memory-store.ts'
import { createScriptedRelay, type ScriptedRequest } from '../../fakes/scripted-relay.ts'
import { settingsWith, stateWith, tokensUsed } from '../budget/spending-state.ts'

const work: AgentWork = {
  changes: [{ action: 'create', path: 'a.js', content: 'a\n' }],
  ...{ summary: 'Done.', notes: [], problem: null, output: '', reached: null },
}
const nothing: AgentWork = { ...work, changes: [] }
const broken: AgentWork = { ...nothing, problem: 'the agent ended with exit code 1' }

/** A session with these requests; `again` asks once more with the same journal. */
function bench(
  requests: readonly ScriptedRequest[],
  { limits = {}, left = work }: { limits?: Partial<Settings['limits']>; left?: AgentWork } = {},
) {
  const store = createMemoryStore()
  const clock = createFakeClock()
  const performed: string[] = []
  const state = stateWith({})
  const ask = async (at = state, ledger?: ReturnType<typeof openLedger>) => {
    const relay = createScriptedRelay([requests])
    const ports = { relay, store, clock, ledger, settings: settingsWith(limits) }
    return askAgent(at, ports, 'Do it.\u202e', async (_, prompt) => {
      performed.push(prompt)
      return left
    })
  }
  return { ask, store, state, performed }
}

const requests: readonly ScriptedRequest[] = [{}, {}]
const used = { requests: 2, promptTokens: 200, completionTokens: 20, dollars: 0 }

describe('askAgent', () => {
  it('books every request on the attempt, the run and the day, and keeps the work', async () => {
    const { ask, store, state, performed } = bench(requests)
    const asked = await ask()
    expect(asked).toMatchObject({ status: 'answered', work })
    const after = changeState(state, asked.patch)
    expect(after.spent).toMatchObject({ usage: used, calls: 1 })
    expect(after.attempt?.usage).toEqual(used)
    expect(store.spent.map(({ tokens }) => tokens)).toEqual([110, 110])
    expect(store.events.map(({ kind }) => kind)).toEqual(['relayed', 'relayed', 'answered'])
    expect(performed).toEqual(['Do it.'])
  })

  it('takes the work of a session that ended before a kill', async () => {
    const { ask, state, performed } = bench(requests)
    const first = await ask()
    const again = await ask()
    expect(again).toEqual(first)
    expect(performed).toHaveLength(1)
    expect(changeState(state, again.patch).spent.usage).toEqual(used)
  })

  it('begins a killed session again, and counts what it used', async () => {
    const { ask, store, state, performed } = bench([{}])
    const killed = { kind: 'relayed', task: 'T-1', attempt: 1, call: 0, model: 'priced' } as const
    const usage = { requests: 1, promptTokens: 5000, completionTokens: 0, dollars: 0 }
    await store.record(state.run.id, [
      { ...killed, usage, status: 200, seconds: 1 },
      { ...killed, usage, status: 200, seconds: 1, call: 7 },
    ])
    const asked = await ask()
    expect(performed).toHaveLength(1)
    expect(changeState(state, asked.patch).spent.usage).toMatchObject({
      requests: 2,
      promptTokens: 5100,
    })
  })

  it('never counts an ended session for the next one', async () => {
    const { ask, state } = bench([{}], { left: broken })
    const first = changeState(state, (await ask()).patch)
    const second = changeState(first, (await ask(first)).patch)
    expect(second.spent).toMatchObject({ calls: 2, usage: { requests: 2, promptTokens: 200 } })
  })

  test.each<[string, Partial<Settings['limits']>, RegExp, string | null]>([
    ['the task', { tokensPerTask: 300 }, /^Task T-1 may use 300 tokens/, null],
    ['the run', { tokens: 300 }, /^The run may use 300 tokens/, 'limit'],
    ['the day', { tokensPerDay: 300 }, /^All runs of one day may use 300 tokens/, 'limit'],
    ['a call', { tokensPerCall: 100 }, /^One request may use 100 tokens/, null],
  ])('is over the budget of %s', async (_, limits, reason, stopped) => {
    const { ask, state, store } = bench([{}, {}, {}, {}], { limits })
    const asked = await ask()
    expect(asked).toMatchObject({ status: 'over_budget', reason: expect.stringMatching(reason) })
    const after = changeState(state, asked.patch)
    const spent = store.spent.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(spent).toBeLessThanOrEqual(300)
    expect(after.spent.usage.promptTokens + after.spent.usage.completionTokens).toBe(spent)
    expect(after.progress.stopped).toBe(stopped)
    expect(after.progress.limits).toEqual([expect.stringMatching(reason)])
    expect(store.events.map(({ kind }) => kind)).not.toContain('answered')
  })

  it('counts the minutes of the session', async () => {
    const clock = createFakeClock()
    const relay: Relay = {
      async open(...given) {
        clock.advance(61)
        return createScriptedRelay([[{}]]).open(...given)
      },
    }
    const ports = { relay, clock, store: createMemoryStore() }
    const settings = settingsWith({ minutes: 1 })
    const asked = await askAgent(stateWith({}), { ...ports, settings }, 'Do it.', async () => work)
    expect(asked).toMatchObject({ status: 'over_budget' })
  })

  it('shares a budget with other lanes', async () => {
    const { ask, state, store } = bench([{}, {}, {}, {}], { limits: { tokens: 400 } })
    const ledger = openLedger(tokensUsed(250))
    const asked = await ask(state, ledger)
    expect(asked).toMatchObject({ status: 'over_budget' })
    expect(store.spent.reduce((sum, { tokens }) => sum + tokens, 250)).toBeLessThanOrEqual(400)
  })

  const failing = (status: number): readonly ScriptedRequest[] => [
    { ended: { status }, failure: { status, reason: `host answers ${status}` } },
  ]
  test.each<[string, number, AgentWork, string]>([
    ['overload and no work', 429, broken, 'unavailable'],
    ['silence and no change', 0, nothing, 'unavailable'],
    ['overload at the end of good work', 503, work, 'answered'],
    ['a request that is too large', 400, nothing, 'answered'],
    ['a refused key', 401, broken, 'model_rejected'],
    ['an unknown model', 404, broken, 'model_rejected'],
  ])('%s (%d)', async (_, status, left, outcome) => {
    const { ask, state, store } = bench(failing(status), { left })
    const asked = await ask().catch((error: unknown) => error)
    if (outcome === 'model_rejected') expect(asked).toMatchObject({ code: outcome })
    else expect(asked).toMatchObject({ status: outcome })
    expect(store.events.some(({ kind }) => kind === 'answered')).toBe(outcome === 'answered')
    if (outcome !== 'unavailable') return
    const { patch } = asked as Awaited<ReturnType<typeof ask>>
    expect(changeState(state, patch)).toMatchObject({
      progress: { stopped: 'unavailable' },
      spent: { calls: 1 },
    })
  })

  it('keeps nothing of a cancelled session', async () => {
    const store = createMemoryStore()
    const relay = createScriptedRelay([[{}]], AbortSignal.abort(new Error('cancelled')))
    const ports = { relay, store, clock: createFakeClock(), settings: settingsWith() }
    await expect(askAgent(stateWith({}), ports, 'Do it.', async () => broken)).rejects.toThrow()
    expect(store.events.map(({ kind }) => kind)).toEqual(['relayed'])
  })
})
