import { describe, expect, it } from 'vitest'
import { changeState } from '../../../../src/core/domain/change-state.ts'
import { executeTask } from '../../../../src/graph/nodes/attempt/execute-task.ts'
import { aboutModel } from '../../../../src/model/ask/ask-model.ts'
import { aState, fakePorts } from '../../../fakes/facts.ts'
import { createScriptedModel, type ScriptedReply } from '../../../fakes/scripted-model.ts'
import { createScriptedSandbox } from '../../../fakes/scripted-sandbox.ts'
import { attemptAfter, greeting, taskUnderWay } from '../bench.ts'

async function execute(reply: ScriptedReply, limits = {}) {
  const { workspace, state } = await taskUnderWay({ state: { progress: { next: 'execute_task' } } })
  const model = createScriptedModel([reply])
  const ports = fakePorts({ workspace, model, sandbox: createScriptedSandbox() }, limits)
  const step = await executeTask(state, ports)
  return { step, model, workspace }
}

const answer = "Here it is.\n\nsrc/greet.js\n```js\nexport const greet = () => 'hello'\n```\n"

describe('execute_task', () => {
  it('makes the answer a change set in memory, and touches nothing', async () => {
    const { step, model, workspace } = await execute(answer)
    expect(step.outcome).toBe('drafted')
    expect(attemptAfter(step).draft).toMatchObject({
      changes: greeting,
      refusals: [],
      claimsDone: false,
      summary: 'Here it is.',
    })
    expect(attemptAfter(step).usage.requests).toBe(1)
    expect(model.requests[0]?.purpose).toBe('draft')
    expect(workspace.folder('T-1')).toBeNull()
  })

  it('says why the task failed before', async () => {
    const { workspace, attempt, state } = await taskUnderWay()
    const model = createScriptedModel([answer])
    const ports = fakePorts({ workspace, model, sandbox: createScriptedSandbox() })
    await executeTask(
      changeState(state, { attempt: { ...attempt, earlier: 'It was too big.' } }),
      ports,
    )
    expect(model.requests[0]?.messages.at(-1)?.content).toContain('BEFORE\nIt was too big.')
  })

  it('reads a block without a name as the one file of the task', async () => {
    const { step } = await execute("```js\nexport const greet = () => 'hello'\n```")
    expect(attemptAfter(step).draft?.changes).toEqual(greeting)
  })

  it('takes out the files that the answer deletes', async () => {
    const { step } = await execute(`${answer}\nDELETE: package.json\n`)
    const changes = attemptAfter(step).draft?.changes.map(({ action, path }) => [action, path])
    expect(changes).toEqual([
      ['create', 'src/greet.js'],
      ['delete', 'package.json'],
    ])
  })

  it('hears that there is nothing to do', async () => {
    const { step } = await execute('NOTHING_TO_DO')
    expect(step.outcome).toBe('claims_done')
    expect(attemptAfter(step).draft?.changes).toEqual([])
  })

  it.each(['', 'Which greeting do you want?', "I'm sorry, I can't help with that."])(
    'drafts nothing from %j, and keeps what was wrong with it',
    async (text) => {
      const { step } = await execute(text)
      expect(step.outcome).toBe('drafted')
      expect(attemptAfter(step).draft).toMatchObject({ changes: [], refusals: [{ path: '' }] })
    },
  )

  it('asks for a smaller context as long as the tries last, and then says why it cannot', async () => {
    const { workspace, state } = await taskUnderWay({
      state: { progress: { next: 'execute_task' } },
    })
    const replies = Array.from({ length: 4 }, () => ({ tooLarge: 'no room for it', window: 300 }))
    const model = createScriptedModel(replies)
    const ports = fakePorts({ workspace, model, sandbox: createScriptedSandbox() })
    let now = state
    for (let tries = 1; tries <= 3; tries += 1) {
      const step = await executeTask(changeState(now, { learned: { windows: {} } }), ports)
      expect(step).toMatchObject({
        outcome: 'too_large',
        patch: { learned: { windows: { scripted: 300 } } },
      })
      now = changeState(now, step.patch)
      expect(attemptAfter(step).remedies.map(({ worked }) => worked)).toEqual([
        ...Array.from({ length: tries - 1 }, () => false),
        null,
      ])
    }
    const last = await executeTask(changeState(now, { learned: { windows: {} } }), ports)
    expect(last.outcome).toBe('failed')
    expect(attemptAfter(last).failure).toMatchObject({
      at: 'too_large',
      message: 'the request is more than the model can read: no room for it',
    })
    expect(last.patch?.spent?.usage?.completionTokens).toBe(0)
  })

  it('knows that less was little enough', async () => {
    const tried = aboutModel(
      aState({ progress: { next: 'execute_task' } }),
      'smaller_scope',
      'x',
      'less',
    )
    const { workspace, state } = await taskUnderWay({ attempt: { remedies: [tried] } })
    const ports = {
      workspace,
      sandbox: createScriptedSandbox(),
      model: createScriptedModel([answer]),
    }
    const step = await executeTask(state, fakePorts(ports))
    expect(attemptAfter(step).remedies).toMatchObject([{ worked: true }])
  })

  it('ends the run for now without a model', async () => {
    const { step } = await execute({ unavailable: 'overloaded' })
    expect(step).toMatchObject({
      outcome: 'unavailable',
      patch: {
        progress: { resumeAt: 'execute_task' },
        record: { errors: [{ code: 'model_unavailable', taskId: 'T-1' }] },
      },
    })
  })

  it('ends the task without money', async () => {
    const { step } = await execute(answer, { tokens: 20 })
    expect(step).toMatchObject({
      outcome: 'over_budget',
      patch: {
        progress: { stopped: 'limit' },
        tasks: { results: { 'T-1': { verdict: 'over_budget' } } },
      },
    })
  })
})
