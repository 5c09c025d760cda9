import { describe, expect, it } from 'vitest'
import { changeState, fileVerdict, type StatePatch } from '../../../src/core/domain/change-state.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import type { NodeName } from '../../../src/core/domain/steps.ts'
import type { Ports, Question } from '../../../src/core/ports.ts'
import { edges } from '../../../src/graph/edges.ts'
import type { NodeTable } from '../../../src/graph/step.ts'
import { walkLanes } from '../../../src/runs/lanes/walk-lanes.ts'
import { anAttempt, aState, aTask, emptyStore, fakePorts } from '../../fakes/facts.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

type Steps = Partial<
  Record<
    NodeName,
    (state: RunState, ports: Ports) => Promise<{ outcome: string; patch?: StatePatch }>
  >
>

const idOf = ({ attempt }: RunState): string => attempt?.task.id ?? '-'

/** Steps that take no time: pick, build, draft, check, write, test, publish. */
const usual = (tasks: readonly string[]): Steps => ({
  async pick_task(state) {
    const others = (state.lanes ?? []).map(({ attempt }) => attempt.task.id)
    const id = tasks.find((each) => !others.includes(each) && !state.tasks.results[each])
    if (id === undefined) return { outcome: others.length > 0 ? 'held_up' : 'none_left' }
    return {
      outcome: 'picked_simple',
      patch: { attempt: anAttempt({ task: aTask({ id }), number: 1 }) },
    }
  },
  build_context: async () => ({ outcome: 'built' }),
  execute_task: async () => ({ outcome: 'claims_done' }),
  verify_task: async () => ({ outcome: 'passed' }),
  checkpoint: async (state) => ({
    outcome: 'proposed',
    patch: fileVerdict(state, 'done', { reason: idOf(state) }),
  }),
  decide_next: async () => ({ outcome: 'go_on', patch: { attempt: null } }),
  generate_report: async () => ({ outcome: 'reported' }),
})

/** Several turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

interface Walked {
  readonly steps?: Steps
  readonly width?: number
  readonly start?: StatePatch
  readonly person?: Ports['person']
  readonly signal?: AbortSignal
  readonly save?: Ports['store']['save']
}

async function walk(tasks: readonly string[], given: Walked = {}) {
  const { steps = {}, width = 3, start = {}, person, signal } = given
  const log: string[] = []
  const saved: RunState[] = []
  const clock = createFakeClock()
  const ports = fakePorts({
    clock,
    person: person ?? { present: false, ask: async () => null },
    store: {
      ...emptyStore,
      save: async (state, entries) => {
        await given.save?.(state, entries)
        saved.push(state)
      },
    },
  })
  const table = Object.fromEntries(
    Object.entries({ ...usual(tasks), ...steps }).map(([name, step]) => [
      name,
      async (state: RunState, all: Ports) => {
        log.push(`${idOf(state)} ${name}`)
        const taken = await step(state, all)
        log.push(`${idOf(state)} ${name} ${taken.outcome}`)
        return taken
      },
    ]),
  ) as Partial<NodeTable>
  const state = aState({ ...start, progress: { next: 'pick_task', ...start.progress } })
  const options = { signal: signal ?? new AbortController().signal, width }
  const end = await walkLanes(state, { nodes: table, edges }, ports, options)
  return { end, log, saved, clock }
}

const slow = (step: NodeName, log: string[]): Steps => ({
  [step]: async (state: RunState) => {
    log.push(`+${idOf(state)}`)
    await turns(100)
    log.push(`-${idOf(state)}`)
    return { outcome: step === 'execute_task' ? 'claims_done' : 'passed' }
  },
})

describe('lanes', () => {
  it('have as many tasks under way as they are wide, and come to the end of one after another', async () => {
    const log: string[] = []
    const four = ['T-1', 'T-2', 'T-3', 'T-4']
    const { end, saved } = await walk(four, { steps: slow('execute_task', log) })
    expect(log.slice(0, 3)).toEqual(['+T-1', '+T-2', '+T-3'])
    expect(log.indexOf('+T-4')).toBeGreaterThan(log.indexOf('-T-1'))
    expect(Math.max(...saved.map(({ lanes = [] }) => lanes.length))).toBe(3)
    expect(Object.keys(end.tasks.results).sort()).toEqual(four)
    expect(end).toMatchObject({ progress: { next: 'END' }, attempt: null })
    expect(end.lanes).toBeUndefined()
    const { end: one } = await walk(four, { width: 1 })
    expect(one.tasks.results).toEqual(end.tasks.results)
    expect(one.spent.nodes).toEqual(end.spent.nodes)
  })

  it.each(['checkpoint', 'apply_recovery', 'await_approval'] as const)(
    'take turns where they publish: %s',
    async (node) => {
      const log: string[] = []
      const publish = async (state: RunState) => {
        log.push(`+${idOf(state)}`)
        await turns(20)
        log.push(`-${idOf(state)}`)
        return {
          outcome: node === 'checkpoint' ? 'proposed' : 'stale',
          patch: fileVerdict(state, 'done'),
        }
      }
      const way: Steps = {
        checkpoint: { verify_task: async () => ({ outcome: 'passed' }) },
        apply_recovery: {
          verify_task: async () => ({ outcome: 'cannot_run' }),
          classify_failure: async () => ({ outcome: 'classified' }),
          propose_recovery: async () => ({ outcome: 'approved' }),
        },
        await_approval: {
          verify_task: async () => ({ outcome: 'cannot_run' }),
          classify_failure: async () => ({ outcome: 'classified' }),
          propose_recovery: async () => ({ outcome: 'needs_approval' }),
        },
      }[node]
      await walk(['T-1', 'T-2', 'T-3'], { steps: { ...way, [node]: publish } })
      expect(log.join(' ')).toMatch(/^\+(T-\d) -\1 \+(T-\d) -\2 \+(T-\d) -\3$/)
    },
  )

  it('do what concerns the whole run alone', async () => {
    const { log } = await walk(['T-1', 'T-2'], { steps: slow('execute_task', []) })
    expect(log.at(-1)).toBe('- generate_report reported')
    expect(log.indexOf('- generate_report')).toBe(log.length - 2)
    expect(log.filter((line) => line === '- pick_task none_left')).toHaveLength(1)
  })

  it('finish what is under way when a limit ends the run, and pick nothing more', async () => {
    const steps: Steps = {
      ...slow('execute_task', []),
      decide_next: async ({ tasks: { results } }) => {
        const isFull = Object.keys(results).length >= 2
        return {
          outcome: isFull ? 'limit_reached' : 'go_on',
          patch: { attempt: null, progress: { stopped: isFull ? 'limit' : null } },
        }
      },
    }
    const { end } = await walk(['T-1', 'T-2', 'T-3', 'T-4', 'T-5'], { steps, width: 2 })
    expect(Object.keys(end.tasks.results).length).toBeLessThanOrEqual(3)
    expect(end.progress).toMatchObject({ stopped: 'limit', next: 'END' })
  })

  it('keep what has to wait for its model, and let the others finish', async () => {
    const steps: Steps = {
      execute_task: async (state) => {
        if (idOf(state) !== 'T-1') return { outcome: 'claims_done' }
        const progress = { stopped: 'unavailable', resumeAt: 'execute_task' } as const
        return { outcome: 'unavailable', patch: { progress } }
      },
    }
    const { end } = await walk(['T-1', 'T-2', 'T-3'], { steps })
    expect(end.progress).toMatchObject({
      next: 'END',
      resumeAt: 'pick_task',
      stopped: 'unavailable',
    })
    expect(end.lanes).toMatchObject([{ lane: 1, resumeAt: 'execute_task' }])
    expect(end.tasks.results['T-1']).toBeUndefined()
    expect(end.tasks.results['T-2']?.verdict).toBe('done')
  })

  it('all stop when one meets a fault of the set-up, and none saves after a save that failed', async () => {
    let saves = 0
    const saved: string[] = []
    const full = async (state: RunState) => {
      saves += 1
      if (saves === 5) throw new Error('disk full')
      saved.push(state.progress.next)
    }
    const walked = walk(['T-1', 'T-2', 'T-3'], { save: full, steps: slow('execute_task', []) })
    await expect(walked).rejects.toThrow('disk full')
    expect(saved).toHaveLength(4)
  })

  it('are all as they were when a cancel cuts them off', async () => {
    const controller = new AbortController()
    const steps: Steps = {
      execute_task: (state) => {
        if (idOf(state) === 'T-3') controller.abort(new Error('stop'))
        return new Promise(() => {})
      },
    }
    const { end, saved } = await walk(['T-1', 'T-2', 'T-3'], { steps, signal: controller.signal })
    expect(end.lanes?.map(({ next, attempt }) => `${attempt.task.id} ${next}`)).toEqual([
      'T-1 execute_task',
      'T-2 execute_task',
      'T-3 execute_task',
    ])
    expect(saved.at(-1)).toEqual(end)
  })

  it('ask a person one thing at a time, while the others go on', async () => {
    const log: string[] = []
    const asked: Question[] = []
    const person: Ports['person'] = {
      present: true,
      async ask(question) {
        asked.push(question)
        log.push(`ask ${question.taskId}`)
        await turns(60)
        log.push(`told ${question.taskId}`)
        return null
      },
    }
    const steps: Steps = {
      verify_task: async (state) => ({ outcome: idOf(state) === 'T-3' ? 'passed' : 'cannot_run' }),
      classify_failure: async () => ({ outcome: 'classified' }),
      propose_recovery: async () => ({ outcome: 'needs_approval' }),
      await_approval: async (state, ports) => {
        await ports.person.ask({ taskId: idOf(state), title: '', body: '', choices: [] })
        return { outcome: 'waiting', patch: fileVerdict(state, 'waiting') }
      },
      checkpoint: async (state) => {
        log.push(`published ${idOf(state)}`)
        return { outcome: 'proposed', patch: fileVerdict(state, 'done') }
      },
    }
    await walk(['T-1', 'T-2', 'T-3'], { steps, person })
    expect(log.filter((line) => !line.startsWith('published'))).toEqual([
      'ask T-1',
      'told T-1',
      'ask T-2',
      'told T-2',
    ])
    expect(log.indexOf('published T-3')).toBeLessThan(log.indexOf('told T-1'))
  })

  it('go on one at a time after a crash, until those tasks have their verdicts', async () => {
    const lane = (number: number, starts: number) => ({
      ...{ lane: number, next: 'execute_task' as const, resumeAt: null, calls: 0 },
      attempt: anAttempt({ task: aTask({ id: `T-${number}` }), starts }),
    })
    const log: string[] = []
    const start = { lanes: [lane(1, 2), lane(2, 2)] }
    const { end } = await walk(['T-1', 'T-2', 'T-3', 'T-4'], {
      start,
      steps: slow('execute_task', log),
    })
    expect(log.slice(0, 6)).toEqual(['+T-1', '-T-1', '+T-2', '-T-2', '+T-3', '+T-4'])
    expect(Object.keys(end.tasks.results)).toHaveLength(4)
  })

  it('take over the task of a run that had no lanes', async () => {
    const start = { attempt: anAttempt(), progress: { next: 'verify_task' as const } }
    const { end, log } = await walk(['T-1', 'T-2'], { start })
    expect(log.filter((line) => line.startsWith('T-1'))[0]).toBe('T-1 verify_task')
    expect(Object.keys(end.tasks.results).sort()).toEqual(['T-1', 'T-2'])
  })

  it('never count two calls of the model as one', async () => {
    const calls: number[] = []
    const steps: Steps = {
      execute_task: async (state) => {
        calls.push(state.spent.calls, state.spent.calls + 1)
        await turns(7)
        return { outcome: 'claims_done', patch: { spent: { calls: state.spent.calls + 2 } } }
      },
      verify_task: async ({ spent }) => {
        calls.push(spent.calls)
        return { outcome: 'passed' }
      },
    }
    await walk(['T-1', 'T-2', 'T-3', 'T-4'], { steps, width: 2 })
    expect(new Set(calls).size).toBe(12)
  })

  it('count no seconds while only a person is waited for', async () => {
    const clock = createFakeClock()
    const ports = fakePorts({
      clock,
      store: emptyStore,
      person: {
        present: true,
        ask: async () => {
          clock.advance(1000)
          return null
        },
      },
    })
    const steps: Steps = {
      ...usual(['T-1']),
      execute_task: async () => {
        clock.advance(2)
        await turns(5)
        return { outcome: 'claims_done' }
      },
      verify_task: async () => ({ outcome: 'cannot_run' }),
      classify_failure: async () => ({ outcome: 'classified' }),
      propose_recovery: async () => ({ outcome: 'needs_approval' }),
      await_approval: async (state, { person }) => {
        await person.ask({ taskId: idOf(state), title: '', body: '', choices: [] })
        return { outcome: 'waiting', patch: fileVerdict(state, 'waiting') }
      },
    }
    const end = await walkLanes(
      changeState(aState(), { progress: { next: 'pick_task' } }),
      { nodes: steps as Partial<NodeTable>, edges },
      ports,
      { signal: new AbortController().signal, width: 2 },
    )
    expect(end.spent.seconds).toBe(2)
    expect(end.spent.nodes.await_approval?.seconds).toBe(0)
  })
})
