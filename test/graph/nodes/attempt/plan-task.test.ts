import { describe, expect, it } from 'vitest'
import { planTask } from '../../../../src/graph/nodes/attempt/plan-task.ts'
import { fakePorts } from '../../../fakes/facts.ts'
import { createScriptedModel, type ScriptedReply } from '../../../fakes/scripted-model.ts'
import { taskUnderWay } from '../bench.ts'

async function plan(reply: ScriptedReply, limits = {}, ...more: readonly ScriptedReply[]) {
  const { workspace, state } = await taskUnderWay({ state: { progress: { next: 'plan_task' } } })
  const model = createScriptedModel([reply, ...more])
  const step = await planTask(state, fakePorts({ workspace, model }, limits))
  return { step, model }
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
