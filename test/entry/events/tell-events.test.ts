import { describe, expect, it } from 'vitest'
import { answerNow } from '../../../src/core/domain/answer.ts'
import { ExecutorError } from '../../../src/core/domain/errors.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import type { Model } from '../../../src/core/ports/model.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import type { Ports } from '../../../src/core/ports.ts'
import { eventSchema, type RunEvent } from '../../../src/entry/events/event-schema.ts'
import { tellEvents } from '../../../src/entry/events/tell-events.ts'
import { runRoadmap } from '../../../src/runs/run-roadmap.ts'
import { fakePorts, someSettings } from '../../fakes/facts.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryStore } from '../../fakes/memory-store.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../../fakes/silent-person.ts'

type Reply = Awaited<ReturnType<Model['complete']>>

const answered: Reply = {
  status: 'answered',
  text: 'src/one.js\n```js\nexport const value = 1\n```\n',
  finish: 'stop',
  usage: { requests: 1, promptTokens: 10, completionTokens: 5, dollars: 0 },
}

function openRun(reply: () => Reply, given: Partial<Ports> = {}) {
  const ports = fakePorts({
    workspace: createMemoryWorkspace({
      files: { 'ROADMAP.md': '- [ ] **T-1**: Create `src/one.js`\n' },
    }),
    forge: createMemoryForge(),
    store: createMemoryStore(),
    settings: { ...someSettings(), strategy: 'single' },
    person: createSilentPerson(),
    sandbox: createScriptedSandbox(),
    syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
    model: { complete: async () => reply() },
    ...given,
  })
  const events: RunEvent[] = []
  const play = async (signal = new AbortController().signal) => {
    const told = tellEvents((event) => events.push(eventSchema.parse(event)), {
      ports,
      observer: {},
    })
    const { observer } = told
    const request = { only: null, fresh: false, dryRun: false, signal, observer }
    await runRoadmap(told.ports, request).then(told.ended, (error: ExecutorError) =>
      told.failed(error),
    )
  }
  return { ports, events, play }
}

const typesOf = (events: readonly RunEvent[]) =>
  events.map((event) =>
    event.type === 'step' || event.type === 'step_started'
      ? `${event.type} ${event.step}`
      : event.type,
  )

describe('the events of a run', () => {
  it('tell each step, what was asked, and the verdict with its pull request', async () => {
    const { events, play } = openRun(() => answered)
    await play()
    const types = typesOf(events)
    expect(types[0]).toBe('run_started')
    expect(
      types.slice(types.indexOf('step_started pick_task'), types.indexOf('model_call')),
    ).toEqual([
      ...['step_started pick_task', 'step pick_task', 'task_started'],
      ...['step_started build_context', 'step build_context', 'step_started execute_task'],
    ])
    expect(types.at(-1)).toBe('run_ended')
    const whose = { v: 1, task: 'T-1', run: events[0]?.run }
    expect(events.filter(({ type }) => type === 'model_call')).toEqual([
      expect.objectContaining({ ...whose, purpose: 'draft', outcome: 'answered', tokens: 15 }),
    ])
    expect(events.filter(({ type }) => type === 'verdict')).toEqual([
      expect.objectContaining({
        ...whose,
        outcome: 'unverified',
        pr: expect.anything(),
        tokens: 15,
      }),
    ])
    expect(events.at(-1)).toMatchObject({ exitCode: 0, totals: { unverified: 1 }, tokens: 15 })
  })

  it('tell nothing that is not saved yet', async () => {
    const saved: string[] = []
    const inner = createMemoryStore()
    const store: Store = {
      ...inner,
      async save(state, entries = []) {
        await inner.save(state, entries)
        saved.push(...entries.map(({ kind }) => kind))
      },
    }
    const { events, play } = openRun(() => answered, { store })
    const seen: number[] = []
    const { push } = events
    events.push = (event) => {
      if (event.type === 'step') seen.push(saved.filter((kind) => kind === 'stepped').length)
      return push.call(events, event)
    }
    await play()
    expect(seen).toEqual(seen.map((_, index) => index + 1))
  })

  it('continue where a run was cancelled, with the same run and the task again', async () => {
    const controller = new AbortController()
    const { events, play } = openRun(() => {
      if (!controller.signal.aborted) controller.abort(new Error('stop'))
      return answered
    })
    await play(controller.signal)
    const first = events.splice(0)
    expect(first.at(-1)).toMatchObject({ type: 'run_ended', exitCode: 4, stopped: 'cancelled' })
    await play()
    expect(events[0]).toMatchObject({ type: 'run_started', resumed: true, run: first[0]?.run })
    expect(typesOf(events).slice(0, 3)).toEqual([
      ...['run_started', 'task_started', 'step_started execute_task'],
    ])
    expect(events.at(-1)).toMatchObject({ type: 'run_ended', exitCode: 0 })
  })

  it.each([
    {
      it: 'the model refuses the key',
      error: new ExecutorError('model_rejected', '401'),
      ends: { exitCode: 2, errors: [expect.objectContaining({ code: 'model_rejected' })] },
    },
    {
      it: 'a bug',
      error: new ExecutorError('disk_unwritable', 'ENOSPC'),
      ends: { errors: [expect.objectContaining({ code: 'disk_unwritable' })] },
    },
  ])('end with the error: $it', async ({ error, ends }) => {
    const { events, play } = openRun(() => {
      throw error
    })
    await play()
    expect(events.filter(({ type }) => type === 'run_ended')).toEqual([
      expect.objectContaining(ends),
    ])
    expect(events.at(-1)?.type).toBe('run_ended')
  })

  it('tell of a model that is away', async () => {
    const usage = noUsage
    const { events, play } = openRun(() => ({ status: 'silent', reason: 'nothing came', usage }))
    await play()
    const calls = events.flatMap((event) => (event.type === 'model_call' ? [event.outcome] : []))
    expect(new Set(calls)).toEqual(new Set(['silent']))
  })
})

it('a question is told before the answer, and the person gets it unchanged', async () => {
  const question = {
    ...{ taskId: 'T-1', title: 'Delete it?', body: 'rm -rf build' },
    choices: ['approve', 'reject'],
  } as const
  const order: string[] = []
  const person: Ports['person'] = {
    present: true,
    async ask(asked) {
      expect(asked).toBe(question)
      order.push('asked')
      return answerNow('reject', 'ada')
    },
  }
  const emit = (event: RunEvent) => {
    const { type } = eventSchema.parse(event)
    order.push(`${type} ${event.type === 'answer' ? event.choice : ''}`.trim())
  }
  const told = tellEvents(emit, { ports: fakePorts({ person }), observer: {} })
  expect(told.ports.person.present).toBe(true)
  expect(await told.ports.person.ask(question)).toMatchObject({ choice: 'reject' })
  expect(order).toEqual(['question', 'asked', 'answer reject'])
})
