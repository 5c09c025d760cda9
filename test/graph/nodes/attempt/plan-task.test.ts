import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../../src/core/domain/attempt.ts'
import type { Settings } from '../../../../src/core/domain/settings.ts'
import { planTask } from '../../../../src/graph/nodes/attempt/plan-task.ts'
import { aTask, fakePorts, someSettings } from '../../../fakes/facts.ts'
import { createScriptedModel, type ScriptedReply } from '../../../fakes/scripted-model.ts'
import { taskUnderWay } from '../bench.ts'

async function plan(reply: ScriptedReply, limits = {}, ...more: readonly ScriptedReply[]) {
  const { workspace, state } = await taskUnderWay({ state: { progress: { next: 'plan_task' } } })
  const model = createScriptedModel([reply, ...more])
  const step = await planTask(state, fakePorts({ workspace, model }, limits))
  return { step, model }
}

/** A task that may change any file, and a plan of high complexity for it. */
async function planComplex(
  said: object,
  replies: readonly ScriptedReply[],
  changed: Partial<Settings> = {},
  facts: Partial<Attempt> = {},
) {
  const task = aTask({ title: 'Move the cart to whole cents' })
  const progress = { next: 'plan_task' } as const
  const { workspace, state } = await taskUnderWay({
    ...{ attempt: { task, ...facts }, state: { progress } },
  })
  const model = createScriptedModel([JSON.stringify({ complexity: 'high', ...said }), ...replies])
  const settings = { ...someSettings(), critic: true, ...changed }
  const step = await planTask(state, fakePorts({ workspace, model, settings }))
  return { step, plan: step.patch?.attempt?.plan, model }
}

describe('plan_task', () => {
  it('takes files, complexity and steps from the answer, and asks for JSON', async () => {
    const answer = '{"files": ["src/greet.js"], "complexity": "low", "steps": ["write it"]}'
    const { step, model } = await plan(`Sure!\n\`\`\`json\n${answer}\n\`\`\``)
    expect(step.outcome).toBe('planned')
    expect(step.patch?.attempt?.plan).toEqual({
      files: ['src/greet.js'],
      complexity: 'low',
      steps: ['write it'],
    })
    expect(model.requests[0]).toMatchObject({ purpose: 'plan', json: true })
    expect(step.patch?.spent?.usage?.requests).toBe(1)
    expect(step.patch?.attempt?.usage.requests).toBe(1)
  })

  it.each(['', 'I would start with a file.', '{"files": [', '[1]'])(
    'asks once more after %j, and then goes on without a plan',
    async (answer) => {
      const { step } = await plan(answer, {}, answer)
      expect(step.outcome).toBe('no_plan')
      expect(step.patch?.attempt?.plan).toBeNull()
      const mended = await plan(answer, {}, '{"files": ["src/greet.js"]}')
      expect(mended.step.patch?.attempt?.plan?.files).toEqual(['src/greet.js'])
    },
  )

  it('survives a plan of the wrong shape', async () => {
    const { step } = await plan('{"files": "all", "complexity": 7, "steps": [1, "two"]}')
    expect(step.patch?.attempt?.plan).toEqual({ files: [], complexity: 'medium', steps: ['two'] })
  })

  it('sends a plan that breaks a rule back once, with the reasons', async () => {
    const wrong = '{"files": ["lib/greet.js", "src/greet.js"], "steps": ["write it"]}'
    const right = '{"files": ["src/greet.js"], "steps": ["write it", "test it"]}'
    const { step, model } = await plan(wrong, {}, right)
    expect(step.patch?.attempt?.plan?.steps).toEqual(['write it', 'test it'])
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(
      /cannot be used: lib\/greet\.js: is not among the task's files/,
    )
    expect(step.patch?.attempt?.remedies).toMatchObject([{ strategy: 'ask_again', worked: true }])
  })

  it('does not send a simple plan back, and uses what is good of it', async () => {
    const { step } = await plan('{"files": ["../x.js", "src/greet.js"], "complexity": "low"}')
    expect(step.patch?.attempt?.plan).toMatchObject({ files: ['src/greet.js'], steps: [] })
  })

  it.each<[string, ScriptedReply]>([
    ['is no better', '{"files": ["../x.js", "../y.js"], "steps": []}'],
    ['is no plan', 'I do not know better.'],
    ['is refused', { rejected: 'one is enough' }],
  ])('uses what is good of a faulty plan when the second %s', async (_, second) => {
    const wrong = '{"files": ["../x.js", "src/greet.js"], "steps": ["write it"]}'
    const { step } = await plan(wrong, {}, second)
    expect(step.outcome).toBe('planned')
    expect(step.patch?.attempt?.plan).toMatchObject({
      files: ['src/greet.js'],
      steps: ['write it'],
    })
  })

  it('keeps the faulty plan when there is no budget for another', async () => {
    const usage = { requests: 1, promptTokens: 2_000, completionTokens: 100, dollars: 0 }
    const wrong = { text: '{"files": ["../x.js"], "steps": ["write it"]}', usage }
    const { step } = await plan(wrong, { tokensPerTask: 2_200 })
    expect(step.outcome).toBe('planned')
    expect(step.patch?.attempt?.plan).toMatchObject({ files: [], steps: ['write it'] })
  })

  it('ends the run for now without a model, and says where to go on', async () => {
    const { step } = await plan({ unavailable: 'overloaded', retryAt: '2026-01-03T00:00:00Z' })
    expect(step).toMatchObject({
      outcome: 'unavailable',
      patch: {
        progress: {
          resumeAt: 'plan_task',
          stopped: 'unavailable',
          retryAt: '2026-01-03T00:00:00Z',
        },
      },
    })
    expect(step.patch?.tasks?.results).toBeUndefined()
  })

  it('ends the task without money, and asks nobody', async () => {
    const { step, model } = await plan('', { tokensPerTask: 10 })
    expect(step).toMatchObject({
      outcome: 'over_budget',
      patch: {
        tasks: {
          results: {
            'T-1': { verdict: 'over_budget', reason: expect.stringMatching(/10 tokens/) },
          },
        },
      },
    })
    expect(model.requests).toHaveLength(0)
  })
})

const plans = (...list: readonly object[]): string => JSON.stringify({ plans: list })
const wide = { files: ['src/a.js', 'src/b.js', 'src/c.js'], steps: ['one', 'two'] }
const narrow = { files: ['src/a.js'], steps: ['one', 'two'] }
const other = { files: ['src/b.js'], steps: ['three', 'four'] }
const bad = { files: ['../a.js'], steps: [] }

describe('a critic', () => {
  it('takes the plan with the best marks, without a question, and keeps the others in a line', async () => {
    const { step, plan: chosen, model } = await planComplex(wide, [plans(bad, narrow, wide)])
    expect(model.requests.map(({ purpose }) => purpose)).toEqual(['plan', 'plan'])
    expect(chosen).toMatchObject({ ...narrow, complexity: 'high' })
    expect(chosen?.others).toEqual(['3 files (src/a.js, src/b.js, src/c.js), 2 steps: one; two'])
    expect(step.patch?.spent).toMatchObject({ calls: 2, usage: { requests: 2 } })
  })

  it.each([
    ['1', narrow],
    ['Plan 2, since it is smaller.', other],
    ['<think>1 or 2?</think>2', other],
    ['3', narrow],
    ['neither', narrow],
  ])('asks the model where two tie: %j', async (answer, expected) => {
    const { plan: chosen, model } = await planComplex(wide, [plans(narrow, other, narrow), answer])
    expect(model.requests.map(({ purpose }) => purpose)).toEqual(['plan', 'plan', 'choose_plan'])
    expect(model.requests[2]?.maxOutputTokens).toBe(20)
    expect(model.requests[2]?.messages.at(-1)?.content).toMatch(/1\. 1 file .*\n2\. 1 file .*$/)
    expect(chosen).toMatchObject(expected)
    expect(chosen?.others).toHaveLength(2)
  })

  it.each<[string, readonly ScriptedReply[]]>([
    ['says nothing', ['']],
    [
      'writes one plan',
      [JSON.stringify({ ...wide, steps: [{ id: 'a', does: 'x', files: ['y'] }] })],
    ],
    ['has no list', ['{"plans": "none"}']],
    ['lists no plans', ['[1, null, [], "x"]']],
    ['is away', [{ unavailable: 'overloaded' }]],
    ['refuses', [{ rejected: 'no' }]],
    ['is away where they tie', [plans(other, other, bad), { unavailable: 'overloaded' }]],
  ])('is not needed: the first plan is used when the model %s', async (_, replies) => {
    const { step, plan: chosen } = await planComplex(narrow, replies)
    expect(step.outcome).toBe('planned')
    expect(chosen).toMatchObject(narrow)
    expect(step.patch?.progress?.stopped).toBeUndefined()
    expect(step.patch?.record?.errors ?? []).toEqual([])
  })

  it.each<[string, object, Partial<Settings>]>([
    ['off', {}, { critic: false }],
    ['on, for a plan of medium complexity', { complexity: 'medium' }, {}],
  ])('costs nothing when it is %s', async (_, said, changed) => {
    const { plan: chosen, model } = await planComplex({ ...wide, ...said }, [], changed)
    expect(model.requests).toHaveLength(1)
    expect(chosen?.others).toBeUndefined()
  })
})

const files = (count: number) => Array.from({ length: count }, (_, n) => `src/file${n}.js`)
const apart = (count: number, needs: readonly string[] = []) =>
  files(count).map((file, n) => ({
    ...{ id: `s${n}`, does: `write ${file}`, files: [file], needs: n === 0 ? [] : needs },
  }))
const steps = ['one', 'two']

describe('a plan that is too complex', () => {
  const critic = false

  it.each<[string, object]>([
    ['has too many files', { files: files(13), steps }],
    ['has too many steps that stand alone', { files: [], steps: apart(6) }],
  ])('%s: the task is split before code is paid for', async (_, said) => {
    const { step, plan: kept } = await planComplex(said, [], { critic })
    expect(step.outcome).toBe('too_complex')
    expect(step.patch?.attempt?.failure).toMatchObject({
      at: 'too_complex',
      message: expect.stringMatching(/the plan (changes 13 files|has 6 steps)/),
    })
    expect(kept?.complexity).toBe('high')
  })

  it.each<[string, object, Partial<Settings>?, Partial<Attempt>?]>([
    ['it has twelve files', { files: files(12), steps }],
    ['its steps need the first', { files: [], steps: apart(10, ['s0']) }],
    ['it has five steps', { files: [], steps: apart(5) }],
    [
      'its steps share a file',
      {
        files: [],
        steps: apart(6).map((each) => ({ ...each, files: [...each.files, 'src/x.js'] })),
      },
    ],
    ['its steps are plain', { files: files(12), steps: files(12) }],
    ['it is not complex', { files: files(13), steps, complexity: 'medium' }],
    ['recovery is off', { files: files(13), steps }, { recovery: false }],
    ['the roadmap may not change', { files: files(13), steps }, { approvalMode: 'review_only' }],
    ['the task failed before', { files: files(13), steps }, {}, { earlier: 'It was too big.' }],
    [
      'the task is a part of a part',
      { files: files(13), steps },
      {},
      { task: aTask({ id: 'T-1-a-b' }) },
    ],
  ])('is used all the same when %s', async (_, said, changed = {}, facts = {}) => {
    const { step } = await planComplex(said, [], { critic, ...changed }, facts)
    expect(step.outcome).toBe('planned')
    expect(step.patch?.attempt?.failure).toBeNull()
  })
})
