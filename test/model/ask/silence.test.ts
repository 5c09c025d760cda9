import { describe, expect, it } from 'vitest'
import type { TriedRemedy } from '../../../src/core/domain/attempt.ts'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import { aboutModel, askModel, type ModelQuestion } from '../../../src/model/ask/ask-model.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryStore, type MemoryStore } from '../../fakes/memory-store.ts'
import { createScriptedModel, type ScriptedReply } from '../../fakes/scripted-model.ts'
import { settingsWith, stateWith } from '../budget/spending-state.ts'

const reason = 'host: no data for 60 seconds'
const silence: ScriptedReply = { silent: reason }

/** 4,000 characters of which half may go. */
const messages = (share: number) => [
  { role: 'user' as const, content: 'x'.repeat(2_000) + 'y'.repeat(2_000 * share) },
]

async function ask(
  replies: readonly ScriptedReply[],
  asked: Partial<ModelQuestion> = {},
  { store = createMemoryStore(), remedies = [] as readonly TriedRemedy[] } = {},
) {
  const model = createScriptedModel(replies)
  const before = stateWith()
  const state: RunState = changeState(before, {
    attempt: before.attempt && { ...before.attempt, remedies },
  })
  const ports = { store, clock: createFakeClock(), model, settings: settingsWith() }
  const answer = await askModel(state, ports, { purpose: 'plan', messages, ...asked })
  const lengths = model.requests.map(({ messages: [first] }) => first?.content.length)
  return { answer, lengths, model, store, state, after: changeState(state, answer.patch) }
}

const kindsIn = ({ events }: MemoryStore) => events.map(({ kind }) => kind)

describe('a silent endpoint', () => {
  it('is asked once more, with half of the context, and the journal tells it', async () => {
    const { answer, lengths, model, store, after } = await ask([silence, 'one'])
    expect(answer).toMatchObject({ status: 'answered', text: 'one' })
    expect(lengths).toEqual([4_000, 3_000])
    expect(model.requests.map(({ endsWhenSilent = false }) => endsWhenSilent)).toEqual([
      true,
      false,
    ])
    expect(kindsIn(store)).toEqual(['silent', 'answered'])
    expect(store.events[0]).toMatchObject({ call: 0, model: 'priced', purpose: 'plan', reason })
    expect(after).toMatchObject({ spent: { calls: 1, usage: { requests: 2 } } })
    expect(after.attempt?.remedies).toMatchObject([
      { type: 'timeout', strategy: 'smaller_scope', message: reason, worked: true },
    ])
  })

  it('is unavailable when it is silent again', async () => {
    const { answer, lengths, after } = await ask([silence, silence])
    expect(answer).toMatchObject({ status: 'unavailable', reason })
    expect(lengths).toEqual([4_000, 3_000])
    expect(after.attempt?.remedies).toMatchObject([{ worked: false }])
  })

  const spent = Array.from({ length: 3 }, () =>
    aboutModel(stateWith(), 'smaller_scope', reason, '', 'timeout'),
  )
  it.each<[string, Partial<ModelQuestion>, readonly TriedRemedy[]]>([
    ['that cannot be halved', { messages: messages(1) }, []],
    ['whose half is as long', { messages: () => messages(1) }, []],
    ['after three such tries', {}, spent],
  ])('ends no question %s', async (_, asked, remedies) => {
    const { answer, model } = await ask([silence], asked, { remedies })
    expect(answer.status).toBe('unavailable')
    expect(model.requests).toHaveLength(1)
  })

  it('leaves the halving to a caller that wants it', async () => {
    const asked = { messages: messages(1), endsWhenSilent: true }
    const { answer, model } = await ask([silence], asked)
    expect(answer).toMatchObject({ status: 'too_large', isSilent: true, wasAsked: true, reason })
    expect(model.requests).toHaveLength(1)
  })

  it.each([
    ['before the second answer', 1, ['one'], [3_000]],
    ['after it', 2, [], []],
  ] as const)(
    'is not asked for the whole again by a run killed %s',
    async (_, kept, replies, sent) => {
      const first = await ask([silence, 'one'])
      const store = createMemoryStore()
      await store.restore(first.state, first.store.events.slice(0, kept))
      const resumed = await ask(replies, {}, { store })
      expect(resumed.lengths).toEqual(sent)
      expect(resumed.answer).toEqual(first.answer)
    },
  )
})

it('records a question that the endpoint refuses, and passes the error on', async () => {
  const store = createMemoryStore()
  const refused = ask([{ rejected: 'answered 400: no such model' }], {}, { store })
  await expect(refused).rejects.toMatchObject({ code: 'model_rejected' })
  expect(store.events).toMatchObject([
    { kind: 'refused', purpose: 'plan', model: 'priced', task: 'T-1', call: 0 },
  ])
})
