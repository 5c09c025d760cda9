import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/domain/attempt.ts'
import { changeState, type StatePatch } from '../../src/core/domain/change-state.ts'
import type { NodeMetrics, RunState } from '../../src/core/domain/run-state.ts'
import type { NodeName } from '../../src/core/domain/steps.ts'
import { totalTokens } from '../../src/core/domain/usage.ts'
import type { Ports } from '../../src/core/ports.ts'
import { runGraph } from '../../src/graph/run-graph.ts'
import type { NodeTable } from '../../src/graph/step.ts'
import { anAttempt, aState, emptyStore, fakePorts, usageOf } from '../fakes/facts.ts'

const never = new AbortController().signal

type AnyNode = (state: RunState) => Promise<{ outcome: string; patch?: StatePatch }>

/** The interpreter walks whatever table it is given: here one with nodes of the test's own. */
function runTable(
  start: { readonly next: string; readonly attempt?: Attempt },
  nodes: Readonly<Record<string, AnyNode>>,
  edges: Readonly<Record<string, Readonly<Record<string, string>>>>,
  ports: Ports,
  signal = never,
): Promise<RunState> {
  const { next, ...rest } = start
  const state = changeState(aState(), { ...rest, progress: { next: next as NodeName } })
  return runGraph(
    state,
    nodes as Partial<NodeTable>,
    edges as Parameters<typeof runGraph>[2],
    ports,
    { signal },
  )
}

async function walk(
  nodes: Readonly<Record<string, AnyNode>>,
  edges: Readonly<Record<string, Readonly<Record<string, string>>>>,
) {
  const saved: RunState[] = []
  const ports = fakePorts({
    store: {
      ...emptyStore,
      save: async (state) => void saved.push(state),
    },
  })
  const end = await runTable({ next: 'a' }, nodes, edges, ports)
  return { end, saved }
}

describe('the interpreter', () => {
  it('follows outcomes, merges patches and saves after every node', async () => {
    const { end, saved } = await walk(
      {
        a: async () => ({ outcome: 'left', patch: { progress: { limits: ['one'] } } }),
        b: async (state) => ({
          outcome: 'done',
          patch: { progress: { limits: [...state.progress.limits, 'two'] } },
        }),
      },
      { a: { left: 'b', right: 'END' }, b: { done: 'END' } },
    )
    expect(end.progress.next).toBe('END')
    expect(end.progress.limits).toEqual(['one', 'two'])
    expect(saved.map(({ progress: { next } }) => next)).toEqual(['b', 'END'])
  })

  it('books tokens and calls on the node that spent them, so that the parts add up', async () => {
    const spend = (tokens: number) => async (state: RunState) => ({
      outcome: 'next',
      patch: { spent: { usage: usageOf(totalTokens(state.spent.usage) + tokens) } },
    })
    const { end } = await walk(
      { a: spend(100), b: spend(23) },
      { a: { next: 'b' }, b: { next: 'END' } },
    )
    const parts = Object.values(end.spent.nodes)
    const booked: Readonly<Record<string, NodeMetrics>> = end.spent.nodes
    expect(booked.a?.usage.promptTokens).toBe(100)
    expect(booked.b?.calls).toBe(1)
    expect(parts.reduce((sum, { usage }) => sum + totalTokens(usage), 0)).toBe(
      totalTokens(end.spent.usage),
    )
  })

  it.each([
    ['an outcome without an edge', { a: async () => ({ outcome: 'odd' }) }, /no edge.*odd/],
    ['a node nobody wrote', {}, /no node called a/],
  ])('stops at %s', async (_, nodes, message) => {
    await expect(walk(nodes, { a: { left: 'END' } })).rejects.toThrow(message)
  })

  it('leaves the state as before the node that a cancel cut off', async () => {
    const controller = new AbortController()
    const saved: string[] = []
    const ports = fakePorts({
      store: {
        ...emptyStore,
        save: async ({ progress: { next } }) => void saved.push(next),
      },
    })
    const nodes: Record<string, AnyNode> = {
      a: async () => ({ outcome: 'next' }),
      b: () => {
        controller.abort(new Error('stop'))
        return new Promise(() => {})
      },
    }
    const edges = { a: { next: 'b' }, b: { next: 'END' } }
    const end = await runTable({ next: 'a' }, nodes, edges, ports, controller.signal)
    expect(end.progress.next).toBe('b')
    expect(saved).toEqual(['b'])
  })

  it('does not end a task that waits for its model, though its steps are used up', async () => {
    const ports = fakePorts({}, { iterations: 2 })
    const nodes: Record<string, AnyNode> = {
      a: async () => ({
        outcome: 'away',
        patch: { progress: { resumeAt: 'pick_task', stopped: 'unavailable' } },
      }),
      generate_report: async () => ({ outcome: 'reported' }),
    }
    const edges = { a: { away: 'generate_report' }, generate_report: { reported: 'END' } }
    const start = { next: 'a', attempt: anAttempt({ steps: 1 }) }
    const end = await runTable(start, nodes, edges, ports)
    expect(end).toMatchObject({
      progress: { next: 'END', resumeAt: 'pick_task' },
      tasks: { results: {} },
    })
  })

  it('ends a task that goes round in circles, with a verdict that names the limit', async () => {
    const ports = fakePorts({}, { iterations: 7 })
    let calls = 0
    const nodes: Record<string, AnyNode> = {
      a: async () => {
        calls += 1
        return { outcome: 'again' }
      },
      decide_next: async () => ({ outcome: 'over' }),
    }
    const edges = { a: { again: 'a' }, decide_next: { over: 'END' } }
    const end = await runTable({ next: 'a', attempt: anAttempt() }, nodes, edges, ports)
    expect(calls).toBe(7)
    expect(end.tasks.results['T-1']).toMatchObject({
      verdict: 'failed',
      reason: expect.stringContaining('7 steps'),
    })
  })
})
