import { describe, expect, it } from 'vitest'
import { estimatePromptTokens } from '../../../packages/text/words/words.ts'
import { changeState } from '../../../src/core/domain/change-state.ts'
import { mergeStates } from '../../../src/core/domain/merge-states.ts'
import { dollarsFor, noUsage, totalTokens, type Usage } from '../../../src/core/domain/usage.ts'
import type { Ports } from '../../../src/core/ports.ts'
import { askModel } from '../../../src/model/ask/ask-model.ts'
import { openLedger } from '../../../src/model/budget/ledger.ts'
import { anAttempt, aState, aTask, emptyStore, fakePorts, someSettings } from '../../fakes/facts.ts'
import { runs } from '../../property-runs.ts'

/** The constants of Numerical Recipes: the same numbers for the same seed. */
function diceOf(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const price = { prompt: 1, completion: 3 }

interface Schedule {
  readonly seed: number
  readonly lanes: number
  readonly limits: Parameters<typeof someSettings>[0]
}

/** Lanes that ask until nothing is left; each answer comes after some turns, and is as long as it may be, or shorter. */
async function play({ seed, lanes, limits }: Schedule) {
  const dice = diceOf(seed)
  let spent = noUsage
  let day = { tokens: 500, dollars: 0.001, unreadable: null }
  let [most, requests, together] = [0, 0, 0]
  const store: Ports['store'] = {
    ...emptyStore,
    spendingOn: async () => {
      const now = day
      for (let turn = dice(4); turn > 0; turn -= 1) await Promise.resolve()
      return now
    },
    recordSpending: async ({ tokens, dollars }) => {
      for (let turn = dice(4); turn > 0; turn -= 1) await Promise.resolve()
      day = { ...day, tokens: day.tokens + tokens, dollars: day.dollars + dollars }
    },
  }
  const model: Ports['model'] = {
    async complete({ messages, maxOutputTokens, continuations = 0 }) {
      requests += 1
      together += 1
      most = Math.max(most, together)
      for (let turn = 20 + dice(30); turn > 0; turn -= 1) await Promise.resolve()
      together -= 1
      if (dice(9) === 0) return { status: 'silent', reason: 'no data', usage: noUsage }
      const prompt = estimatePromptTokens(messages)
      const calls = dice(continuations + 1) + 1
      const output = maxOutputTokens - dice(2) * dice(maxOutputTokens)
      const tokens = {
        promptTokens: calls * prompt + ((calls - 1) * calls * output) / 2,
        completionTokens: calls * output,
      }
      const usage: Usage = { requests: calls, ...tokens, dollars: dollarsFor(tokens, price) }
      spent = {
        requests: spent.requests + calls,
        promptTokens: spent.promptTokens + tokens.promptTokens,
        completionTokens: spent.completionTokens + tokens.completionTokens,
        dollars: spent.dollars + usage.dollars,
      }
      return { status: 'answered', text: 'x', finish: 'stop', usage }
    },
  }
  const settings = someSettings(limits)
  const ports = fakePorts({
    store,
    model,
    settings: { ...settings, model: { ...settings.model, prices: { scripted: price } } },
    ledger: openLedger(noUsage),
  })
  let shared = aState({ progress: { next: 'execute_task' } })
  const ends = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      let attempt = anAttempt({ task: aTask({ id: `T-${lane}` }) })
      for (let question = 0; question < 6; question += 1) {
        const before = changeState(shared, { attempt })
        const content = 'word '.repeat(50 + dice(800))
        const asked = await askModel(before, ports, {
          purpose: 'draft',
          messages: [{ role: 'user', content }],
          maxOutputTokens: 300 + dice(2000),
        })
        const after = changeState(before, asked.patch)
        shared = mergeStates(before, after, shared)
        attempt = after.attempt ?? attempt
        if (asked.status === 'over_budget') return asked.reason
      }
      return 'asked all'
    }),
  )
  return { spent, day, shared, ends, most, requests }
}

const tight = { tokens: 20_000, dollars: null, tokensPerDay: null, dollarsPerDay: null }

describe('the budget that lanes share', () => {
  it.each([
    ['tokens of the run', tight],
    ['dollars of the run', { ...tight, tokens: null, dollars: 0.02 }],
    ['tokens of the day', { ...tight, tokens: null, tokensPerDay: 20_000 }],
    ['dollars of the day', { ...tight, tokens: null, dollarsPerDay: 0.02 }],
  ] as const)('is never exceeded by a token, in any order: %s', async (_, limits) => {
    const schedules = runs(1000)
    let met = 0
    for (let seed = 1; seed <= schedules; seed += 1) {
      const { spent, day, shared, ends } = await play({ seed, lanes: 2 + (seed % 3), limits })
      const about = `schedule ${seed}`
      if (limits.tokens !== null)
        expect(totalTokens(spent), about).toBeLessThanOrEqual(limits.tokens)
      if (limits.dollars !== null) expect(spent.dollars, about).toBeLessThanOrEqual(limits.dollars)
      if (limits.tokensPerDay !== null)
        expect(day.tokens, about).toBeLessThanOrEqual(limits.tokensPerDay)
      if (limits.dollarsPerDay !== null)
        expect(day.dollars, about).toBeLessThanOrEqual(limits.dollarsPerDay)
      expect(shared.spent.usage.promptTokens, about).toBeCloseTo(spent.promptTokens)
      if (ends.some((end) => end !== 'asked all')) met += 1
    }
    expect(met / schedules).toBeGreaterThan(0.9)
  })

  it('lets all lanes ask at the same time where nothing limits them', async () => {
    const { most, ends, requests } = await play({ seed: 3, lanes: 4, limits: {} })
    expect(most).toBe(4)
    expect(ends).toEqual(Array.from({ length: 4 }, () => 'asked all'))
    expect(requests).toBeGreaterThanOrEqual(24)
  })

  it('does not call too much what only waits for the answer of another lane', async () => {
    // Room for one whole request at a time, and for both.
    const ledger = openLedger(noUsage)
    const plan = async ({ reserved }: { reserved: { tokens: number } }) =>
      reserved.tokens > 0 ? null : { plan: 'mine', most: { tokens: 10, dollars: 0 } }
    const first = await ledger.reserve(plan)
    let isAdmitted = false
    const second = ledger.reserve(plan).then((reservation) => {
      isAdmitted = true
      return reservation
    })
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
    expect(isAdmitted).toBe(false)
    await first.settle(noUsage)
    expect((await second).plan).toBe('mine')
  })

  it('gives back what a request had reserved though its booking failed', async () => {
    const ledger = openLedger(noUsage)
    const plan = async ({ reserved }: { reserved: { tokens: number } }) => ({
      plan: reserved.tokens,
      most: { tokens: 10, dollars: 0 },
    })
    const first = await ledger.reserve(plan)
    const full = async () => Promise.reject(new Error('disk full'))
    await expect(first.settle(noUsage, full)).rejects.toThrow('disk full')
    expect((await ledger.reserve(plan)).plan).toBe(0)
  })
})
