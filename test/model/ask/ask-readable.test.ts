import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { changeState } from '../../../src/core/domain/change-state.ts'
import { aboutModel } from '../../../src/model/ask/ask-model.ts'
import { askReadable } from '../../../src/model/ask/ask-readable.ts'
import { readJsonObject } from '../../../src/model/prompts/read-json.ts'
import { anAttempt, aState, fakePorts } from '../../fakes/facts.ts'
import { createScriptedModel, type ScriptedReply } from '../../fakes/scripted-model.ts'

async function ask(
  replies: readonly ScriptedReply[],
  { attempt = {}, limits = {} }: { attempt?: Partial<Attempt> | null; limits?: object } = {},
) {
  const state = aState({ attempt: attempt && anAttempt(attempt), progress: { next: 'plan_task' } })
  const model = createScriptedModel(replies)
  const question = {
    purpose: 'plan',
    messages: (share: number) => [{ role: 'user', content: 'word '.repeat(400 * share) }] as const,
    maxOutputTokens: 300,
    json: true,
    form: '{"a": 1}',
  } as const
  const answer = await askReadable(state, fakePorts({ model }, limits), question, readObject)
  const turns = model.requests.map(({ messages }) => messages.map(({ role }) => role).join(' '))
  return { answer, turns, model, after: changeState(state, answer.patch) }
}

const readObject = (answer: string) => readJsonObject(answer, (value) => ({ value }))

const spent = aboutModel(aState(), 'ask_again', 'x', '')

describe('an answer of a certain form', () => {
  it('is asked for once more, with what is wrong, in the same conversation', async () => {
    const { answer, turns, model, after } = await ask(['{"a": 1', '{"a": 1}'])
    expect(answer).toMatchObject({ status: 'read', value: { a: 1 } })
    expect(turns).toEqual(['user', 'user assistant user'])
    expect(model.requests[1]?.messages.slice(1).map(({ content }) => content)).toEqual([
      '{"a": 1',
      'Reply once more, in another way, with nothing but {"a": 1}\nYour last answer cannot be used: its JSON object has no end.',
    ])
    expect(after).toMatchObject({ spent: { calls: 2, usage: { requests: 2 } } })
    expect(after.attempt?.usage).toEqual(after.spent.usage)
    expect(after.attempt?.remedies).toEqual([
      {
        ...{ node: 'plan_task', type: 'model_error', strategy: 'ask_again', subject: '', fix: '' },
        message: 'its JSON object has no end',
        signature: 'model_error | plan_task | its JSON object has no end',
        worked: true,
      },
    ])
  })

  it('is asked for without a repetition that the model would continue', async () => {
    const runaway = { text: '{"a": 1, "a": 1, "a": 1', finish: 'length', runaway: true } as const
    const { answer, turns, model } = await ask([runaway, '{"a": 1}'])
    expect(answer).toMatchObject({ status: 'read', value: { a: 1 } })
    expect(turns).toEqual(['user', 'user user'])
    expect(model.requests[1]?.messages[1]?.content).toContain(
      'it repeated itself and was cut off; its JSON object has no end',
    )
  })

  it.each<[string, readonly ScriptedReply[], Parameters<typeof ask>[1], object, number, boolean[]]>(
    [
      ['is as bad again', ['no', 'no'], {}, { status: 'unreadable' }, 2, [false]],
      ['is the same again', ['no', ' no'], {}, { status: 'unreadable' }, 2, [false]],
      ['is good at once', ['{}'], {}, { status: 'read' }, 1, []],
      ["is no attempt's", ['no', '{}'], { attempt: null }, { status: 'read' }, 2, []],
      [
        'was refused',
        [{ text: '', why: 'the model refused: No' }, ''],
        {},
        { status: 'unreadable', problem: 'the model refused: No; it is empty' },
        2,
        [false],
      ],
      [
        'was cut off',
        [{ text: '{"a', finish: 'length' }, ''],
        {},
        { status: 'unreadable', problem: 'it is empty' },
        2,
        [false],
      ],
      [
        'has no tries left',
        ['no'],
        { attempt: { remedies: [spent, spent, spent] } },
        { status: 'unreadable', problem: 'it is no JSON object' },
        1,
        [],
      ],
      [
        'is not worth more money',
        ['no'],
        { limits: { tokensPerTask: 1000 } },
        { status: 'unreadable', problem: 'it is no JSON object' },
        1,
        [],
      ],
      [
        'is lost with the model',
        ['no', { unavailable: 'full' }],
        {},
        { status: 'unavailable' },
        2,
        [],
      ],
      ['is refused', ['no', { rejected: 'no' }], {}, { status: 'unreadable' }, 2, []],
      [
        'is too much, and then not JSON',
        [{ tooLarge: 'x' }, 'no', '{}'],
        {},
        { status: 'read' },
        3,
        [true, true],
      ],
      [
        'is too much however little is shown',
        Array.from({ length: 4 }, () => ({ tooLarge: 'x', window: 600 })),
        {},
        { status: 'too_large' },
        4,
        [false, false, false],
      ],
    ],
  )('%s', async (_, replies, given, expected, requests, worked) => {
    const { answer, after, model } = await ask(replies, given)
    expect(answer).toMatchObject(expected)
    expect(model.requests).toHaveLength(requests)
    // One that is refused is nobody's to book.
    const refused = replies.filter((reply) => typeof reply === 'object' && 'rejected' in reply)
    expect(after.spent.usage.requests).toBe(requests - refused.length)
    const remedies = after.attempt?.remedies.filter((each) => each !== spent) ?? []
    expect(remedies.map((each) => each.worked)).toEqual(worked)
  })

  it('is read once where it comes twice', async () => {
    let reads = 0
    const state = aState({ attempt: anAttempt(), progress: { next: 'plan_task' } })
    const model = createScriptedModel(['[1]', '[1]'])
    const question = { purpose: 'plan', messages: [{ role: 'user', content: 'x' }] } as const
    const answer = await askReadable(state, fakePorts({ model }), question, () => {
      reads += 1
      return { problem: `it is wrong ${reads}` }
    })
    expect(answer).toMatchObject({ status: 'unreadable', problem: 'it is wrong 1' })
    expect(reads).toBe(1)
  })

  it('says nothing for a model that said nothing: a turn without a word is refused by some', async () => {
    expect((await ask(['', '{}'])).turns).toEqual(['user', 'user user'])
  })
})
