import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import { orderRepositories, splitTaskName } from '../../../src/runs/workspace/order-repositories.ts'
import { type RepositoryWork, walkWorkspace } from '../../../src/runs/workspace/walk-workspace.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { aState } from '../../fakes/facts.ts'

type Needs = Readonly<Record<string, readonly string[]>>

/** Repositories in memory: each task needs others, and some fail. */
function world(tasks: Needs, failing: ReadonlySet<string> = new Set()) {
  const done = new Set<string>()
  const runs: string[] = []
  const attempts: string[] = []
  const names = [
    ...new Set(Object.keys(tasks).map((task) => splitTaskName(task)?.repository ?? '')),
  ]
  const idsOf = (repository: string) =>
    Object.keys(tasks).flatMap((task) => {
      const parts = splitTaskName(task)
      return parts?.repository === repository ? [parts.id] : []
    })
  const isReady = (repository: string, id: string) => {
    const task = `${repository}:${id}`
    return !done.has(task) && (tasks[task] ?? []).every((need) => done.has(need))
  }
  const interrupted = new Map<string, NonNullable<RepositoryWork['interrupted']>>()
  const stops: { after: number; with: RunState['progress']['stopped'] } = { after: -1, with: null }
  const doors = {
    async look(repository: string): Promise<RepositoryWork> {
      const ready = idsOf(repository).filter((id) => isReady(repository, id))
      const cut = interrupted.get(repository)
      return cut === undefined ? { ready } : { ready, interrupted: cut }
    },
    async run(repository: string, only: readonly string[] | null): Promise<RunState> {
      runs.push(`${repository} ${only?.join('+') ?? 'all'}`)
      interrupted.delete(repository)
      const results: Record<string, RunState['tasks']['results'][string]> = {}
      if (runs.length - 1 === stops.after) {
        interrupted.set(repository, { only })
        return aState({ progress: { stopped: stops.with } })
      }
      for (let moved = true; moved; ) {
        moved = false
        for (const id of only ?? idsOf(repository)) {
          const task = `${repository}:${id}`
          if (!isReady(repository, id) || results[id] !== undefined) continue
          moved = true
          attempts.push(task)
          const verdict = failing.has(task) ? 'failed' : 'done'
          if (verdict === 'done') done.add(task)
          results[id] = sampleResult(id, { verdict, attempts: 1, thisRun: true })
        }
      }
      return aState({ tasks: { results } })
    },
  }
  const walk = (signal = new AbortController().signal) => walkWorkspace(names, doors, signal)
  return { walk, done, runs, attempts, stops, interrupted }
}

describe('walkWorkspace', () => {
  it('returns to a repository whose tasks another one has made ready', async () => {
    const { walk, runs, done } = world({
      'api:T-1': [],
      'api:T-2': ['web:T-1'],
      'web:T-1': ['api:T-1'],
      'web:T-2': ['api:T-2'],
    })
    expect(await walk()).toBe('done')
    expect(runs).toEqual(['api all', 'web all', 'api T-2', 'web T-2'])
    expect(done.size).toBe(4)
  })

  it('tries a task that fails once, and leaves those that need it', async () => {
    const tasks = { 'api:T-1': [], 'web:T-1': ['api:T-1'], 'web:T-2': [] }
    const { walk, attempts } = world(tasks, new Set(['api:T-1']))
    expect(await walk()).toBe('done')
    expect(attempts).toEqual(['api:T-1', 'web:T-2'])
  })

  it('opens no run where nothing can start', async () => {
    const { walk, runs } = world({ 'api:T-1': ['web:T-1'], 'web:T-1': ['api:T-1'] })
    expect(await walk()).toBe('done')
    expect(runs).toEqual([])
  })

  it.each(['limit', 'cancelled', 'unavailable'] as const)(
    'stops with a run that stops, %s, and resumes that run first',
    async (stopped) => {
      const { walk, runs, stops, done } = world({ 'api:T-1': [], 'web:T-1': [] })
      Object.assign(stops, { after: 1, with: stopped })
      expect(await walk()).toBe(stopped)
      expect(runs).toEqual(['api all', 'web all'])
      expect(await walk()).toBe('done')
      expect(runs).toEqual(['api all', 'web all', 'web all'])
      expect(done.size).toBe(2)
    },
  )

  it('resumes an interrupted run with the tasks that it was for', async () => {
    const { walk, runs, stops } = world({
      'api:T-1': [],
      'api:T-2': ['web:T-1'],
      'web:T-1': ['api:T-1'],
    })
    Object.assign(stops, { after: 2, with: 'cancelled' })
    expect(await walk()).toBe('cancelled')
    expect(await walk()).toBe('done')
    expect(runs).toEqual(['api all', 'web all', 'api T-2', 'api T-2'])
  })

  it('begins nothing after a cancel', async () => {
    const { walk, runs } = world({ 'api:T-1': [] })
    expect(await walk(AbortSignal.abort())).toBe('cancelled')
    expect(runs).toEqual([])
  })

  it('does every task that can be done, once, whatever needs what', async () => {
    const names = ['a', 'b', 'c'].flatMap((repository) =>
      [1, 2, 3].map((id) => `${repository}:T-${id}`),
    )
    const needs = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.subarray(names, { maxLength: 3 })])),
    )
    const property = fc.asyncProperty(needs, fc.subarray(names), async (tasks, failing) => {
      const { walk, done, attempts } = world(tasks, new Set(failing))
      await walk()
      expect(new Set(attempts).size).toBe(attempts.length)
      const possible = new Set<string>()
      for (let size = -1; size < possible.size; ) {
        size = possible.size
        for (const name of names) {
          const isFree = (tasks[name] ?? []).every((need) => possible.has(need))
          if (isFree && !failing.includes(name)) possible.add(name)
        }
      }
      expect([...done].toSorted()).toEqual([...possible].toSorted())
    })
    await fc.assert(property)
  })
})

describe('orderRepositories', () => {
  test.each<[string, Needs, string]>([
    ['as written', {}, 'web api docs'],
    ['after what they need', { web: ['api:T-1'] }, 'api web docs'],
    ['after what those need', { web: ['docs:T-1'], docs: ['api:T-2'] }, 'api docs web'],
    ['as written in a circle', { web: ['api:T-1'], api: ['web:T-2'] }, 'api web docs'],
    ['whatever else they name', { web: ['other:T-1', 'web:T-9', ''] }, 'web api docs'],
  ])('%s', (_, needs, order) => {
    const given = new Map(Object.entries(needs))
    expect(orderRepositories(['web', 'api', 'docs'], given).join(' ')).toBe(order)
  })
})
