import { describe, expect, it } from 'vitest'
import type { RunState } from '../../src/core/domain/run-state.ts'
import { totalTokens } from '../../src/core/domain/usage.ts'
import { runGraph } from '../../src/graph/run-graph.ts'
import type { NodeTable } from '../../src/graph/step.ts'
import { anAttempt, aState, emptyStore, fakePorts, usageOf } from '../fakes/facts.ts'

const never = new AbortController().signal

async function walk(nodes: NodeTable, edges: Record<string, Record<string, string>>, start = 'a') {
  const saved: RunState[] = []
  const ports = fakePorts({
    store: {
      ...emptyStore,
      save: async (state) => void saved.push(state),
    },
  })
  const end = await runGraph(aState({ next: start }), nodes, edges, ports, { signal: never })
  return { end, saved }
}

describe('the interpreter', () => {
  it('follows outcomes, merges patches and saves after every node', async () => {
    const { end, saved } = await walk(
      {
        a: async () => ({ outcome: 'left', patch: { limits: ['one'] } }),
        b: async (state) => ({ outcome: 'done', patch: { limits: [...state.limits, 'two'] } }),
      },
      { a: { left: 'b', right: 'END' }, b: { done: 'END' } },
    )
    expect(end.next).toBe('END')
    expect(end.limits).toEqual(['one', 'two'])
    expect(saved.map(({ next }) => next)).toEqual(['b', 'END'])
  })

  it('books tokens and calls on the node that spent them, so that the parts add up', async () => {
    const spend = (tokens: number) => async (state: RunState) => ({
      outcome: 'next',
      patch: { usage: usageOf(totalTokens(state.usage) + tokens) },
    })
    const { end } = await walk(
      { a: spend(100), b: spend(23) },
      { a: { next: 'b' }, b: { next: 'END' } },
    )
    const parts = Object.values(end.nodes)
    expect(end.nodes.a?.usage.promptTokens).toBe(100)
    expect(end.nodes.b?.calls).toBe(1)
    expect(parts.reduce((sum, { usage }) => sum + totalTokens(usage), 0)).toBe(
      totalTokens(end.usage),
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
        save: async ({ next }) => void saved.push(next),
      },
    })
    const nodes: NodeTable = {
      a: async () => ({ outcome: 'next' }),
      b: () => {
        controller.abort(new Error('stop'))
        return new Promise(() => {})
      },
    }
    const edges = { a: { next: 'b' }, b: { next: 'END' } }
    const end = await runGraph(aState({ next: 'a' }), nodes, edges, ports, {
      signal: controller.signal,
    })
    expect(end.next).toBe('b')
    expect(saved).toEqual(['b'])
  })

  it('does not end a task that waits for its model, though its steps are used up', async () => {
    const ports = fakePorts({}, { iterations: 2 })
    const nodes: NodeTable = {
      a: async () => ({ outcome: 'away', patch: { resumeAt: 'a', stopped: 'unavailable' } }),
      generate_report: async () => ({ outcome: 'reported' }),
    }
    const edges = { a: { away: 'generate_report' }, generate_report: { reported: 'END' } }
    const start = aState({ next: 'a', attempt: anAttempt({ steps: 1 }) })
    const end = await runGraph(start, nodes, edges, ports, { signal: never })
    expect(end).toMatchObject({ next: 'END', resumeAt: 'a', results: {} })
  })

  it('ends a task that goes round in circles, with a verdict that names the limit', async () => {
    const ports = fakePorts({}, { iterations: 7 })
    let calls = 0
    const nodes: NodeTable = {
      a: async () => {
        calls += 1
        return { outcome: 'again' }
      },
      decide_next: async () => ({ outcome: 'over' }),
    }
    const edges = { a: { again: 'a' }, decide_next: { over: 'END' } }
    const start = aState({ next: 'a', attempt: anAttempt() })
    const end = await runGraph(start, nodes, edges, ports, { signal: never })
    expect(calls).toBe(7)
    expect(end.results['T-1']).toMatchObject({
      verdict: 'failed',
      reason: expect.stringContaining('7 steps'),
    })
  })
})
