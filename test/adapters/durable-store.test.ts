import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Holder, Liveness } from '../../src/adapters/durable-store/lease.ts'
import { changeState } from '../../src/core/domain/change-state.ts'
import { sampleResult, sampleState } from '../contracts/run-state.ts'
import { anAttempt, aTask } from '../fakes/facts.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'
import {
  createSharedPlace,
  openMemoryShared,
  type SharedPlace,
} from '../fakes/memory-shared-state.ts'
import { openMachine } from './durable-store-bench.ts'

const runA = 'run-20260102-030405-aaaaaa'
const first: Holder = { kind: 'workflow', run: '1', attempt: 1 }
const second: Holder = { kind: 'workflow', run: '2', attempt: 1 }
const now = '2026-01-02T03:04:05.000Z'
const day = 86_400

const open = (place: SharedPlace, given: Parameters<typeof openMachine>[1] = {}) =>
  openMachine(openMemoryShared(place), given)

describe('two runs at once', () => {
  it.each<[string, Holder, Liveness, number, 'taken' | 'held']>([
    ['a run that GitHub sees at work', second, 'alive', 2 * day, 'held'],
    ['a run that is over', second, 'dead', 0, 'taken'],
    ['a run that nobody can ask about', second, 'unknown', 0, 'held'],
    ['the same, silent for longer than a lease lives', second, 'unknown', 1260, 'taken'],
    ['the same, seen by a clock that is a day behind', second, 'unknown', -day, 'held'],
    ['an earlier attempt of this run', { ...first, attempt: 2 }, 'unknown', 0, 'taken'],
    ['another job of this run', first, 'unknown', 0, 'held'],
    ['this machine, before', { kind: 'machine', name: 'here' }, 'unknown', 0, 'held'],
  ])('leave or take over what belongs to %s', async (_, me, liveness, later, expected) => {
    const place = createSharedPlace()
    await using other = open(place, { holder: first })
    expect(await other.leases.take('T-1')).toEqual({ status: 'taken' })
    const clock = createFakeClock(new Date(Date.parse(now) + later * 1000).toISOString())
    await using machine = open(place, { holder: me, ask: async () => liveness, clock })
    expect(await machine.leases.take('T-1')).toMatchObject({ status: expected })
    expect(await machine.leases.take('T-2')).toEqual({ status: 'taken' })
  })

  it('do not do again what the other did since this one looked', async () => {
    const place = createSharedPlace()
    await using other = open(place, { holder: first })
    await using machine = open(place, { holder: second, ask: async () => 'alive' })
    await machine.leases.look()
    await other.leases.take('comment-1')
    await other.leases.settle('comment-1')
    await other.close()
    expect(place.leases.size).toBe(0)
    expect(await machine.leases.take('comment-1')).toMatchObject({ status: 'held' })
    await machine.leases.look()
    expect(await machine.leases.take('comment-1')).toEqual({ status: 'taken' })
  })

  it('keep the files of both, and count what both spent', async () => {
    const place = createSharedPlace()
    await using one = open(place, { holder: first })
    await using two = open(place, { holder: second, ask: async () => 'alive' })
    const at = now
    for (const [machine, runId] of [
      [one, runA],
      [two, 'run-20260102-030405-bbbbbb'],
    ] as const) {
      await machine.store.load('same')
      await machine.store.recordSpending({ at, tokens: 5, dollars: 1 })
      await machine.store.save(sampleState({ run: { id: runId, request: 'same' } }))
    }
    expect([...place.files.keys()].filter((path) => path.endsWith('/state.json'))).toHaveLength(2)
    await using third = open(place, { holder: first })
    await third.store.load('another')
    expect(await third.store.spendingOn('2026-01-02')).toMatchObject({ tokens: 10, dollars: 2 })
  })
})

describe('what the repository keeps, damaged', () => {
  it.each<[string, string, string | null]>([
    ['no JSON', `runs/${runA}/state.json`, '{'],
    ['of another run', `runs/${runA}/state.json`, JSON.stringify(sampleState())],
    [
      'a done by hand',
      `runs/${runA}/state.json`,
      '{"version":3,"progress":{"next":"END"},"tasks":{"results":{"lines":0}}}',
    ],
    ['results cut short', `runs/${runA}/results/0000.jsonl`, ''],
  ])('is never done by guess: %s', async (_, path, text) => {
    const place = createSharedPlace()
    const lost = open(place)
    const state = sampleState({
      run: { id: runA, request: 'nightly' },
      tasks: { results: { 'T-1': sampleResult('T-1') } },
    })
    await lost.store.load('nightly')
    await lost.store.save(state)
    rmSync(lost.directory, { recursive: true })
    const files = new Map(place.files)
    files.delete(`runs/${runA}/previous.json`)
    place.files = files.set(path, text ?? '')
    await using next = open(place, { holder: second, ask: async () => 'dead' })
    expect(await next.store.load('nightly')).toEqual({ status: 'none' })
    expect(next.said.join()).toContain(runA)
  })
})

it('keeps a step behind a person’s answer: what asked is closed by then, and nobody could ask again', async () => {
  const place = createSharedPlace()
  const words = { at: null, text: '', tasks: [], sha: null }
  const answer = { choice: 'approve', by: 'ann', ...words } as const
  const asked = sampleState({
    run: { id: runA },
    progress: { next: 'await_approval' },
    asked: { answers: { 'T-1': answer } },
  })
  const lost = open(place)
  await lost.store.load('nightly')
  for (const next of ['await_approval', 'write_files', 'verify_task'] as const) {
    const answers = next === 'await_approval' ? asked.asked.answers : {}
    await lost.store.save(changeState(asked, { progress: { next }, asked: { answers } }))
  }
  const kept = JSON.parse(place.files.get(`runs/${runA}/state.json`) ?? '{}')
  expect(kept).toMatchObject({ progress: { next: 'write_files' }, asked: { answers: {} } })
  expect(kept.asked.answers).toEqual({})
})

describe('a run that was cut off', () => {
  it('goes on from the state before, where the newest is damaged', async () => {
    const place = createSharedPlace()
    const lost = open(place)
    await lost.store.load('nightly')
    const state = sampleState({
      run: { id: runA, request: 'nightly' },
      progress: { next: 'execute_task' },
    })
    await lost.store.save(state)
    await lost.store.save(changeState(state, { progress: { next: 'verify_task' } }), [
      { kind: 'resumed', next: 'verify_task', from: 'disk' },
    ])
    rmSync(lost.directory, { recursive: true })
    place.files = new Map(place.files).set(`runs/${runA}/state.json`, '{"runId":')
    await using next = open(place, { holder: second, ask: async () => 'dead' })
    expect(await next.store.load('nightly')).toMatchObject({
      ...{ status: 'loaded', from: 'repository', state: { progress: { next: 'execute_task' } } },
      restored: expect.stringContaining(`runs/${runA}/state.json`),
    })
  })

  it.each([
    ['gone on with', 'a day later', 1, true],
    ['still there', 'after 13 days', 13, true],
    ['history', 'after 15 days', 15, false],
  ])('is %s %s, when another run has ended', async (_, __, days, isKept) => {
    const place = createSharedPlace()
    const lost = open(place)
    await lost.store.load('by name')
    await lost.store.save(sampleState({ run: { id: runA, request: 'by name' } }), [
      { kind: 'resumed', next: 'plan_task', from: 'disk' },
    ])
    rmSync(lost.directory, { recursive: true })
    const later = new Date(Date.parse('2026-01-02T03:04:05.000Z') + days * day * 1000)
    const clock = createFakeClock(later.toISOString())
    await using next = open(place, { holder: second, ask: async () => 'dead', clock })
    await next.store.load('another')
    const state = sampleState({ run: { id: 'run-20260117-030405-bbbbbb', request: 'another' } })
    await next.store.save(state)
    const end = changeState(state, { progress: { next: 'END', resumeAt: null } })
    await next.store.save(end, [{ kind: 'ended', stopped: null }])
    const texts = [...place.files]
    expect(texts.some(([path]) => path.startsWith(`runs/${runA}/`))).toBe(isKept)
    const history = texts.filter(([path]) => path.startsWith('history/')).join()
    expect(history.includes(runA)).toBe(!isKept)
  })
})

it('says once that the repository does not take it, and goes on with the disk', async () => {
  const place = createSharedPlace()
  place.refusal = { code: 'branch_protected', detail: 'GH013' }
  await using machine = open(place)
  await machine.store.load('nightly')
  const state = sampleState({ run: { id: runA } })
  await machine.store.save(state)
  await machine.store.save(changeState(state, { attempt: null }))
  expect(await machine.leases.take('T-7')).toEqual({ status: 'taken' })
  expect(machine.said).toHaveLength(1)
  expect(await machine.store.load()).toMatchObject({ status: 'loaded' })
})

it('leases every task of a group that it takes up', async () => {
  const place = createSharedPlace()
  const members = [aTask({ id: 'T-1' }), aTask({ id: 'T-2' })]
  const attempt = anAttempt({ task: aTask({ id: 'T-1', members }) })
  await using dead = open(place, { holder: first })
  await dead.store.load('nightly')
  await dead.store.save(sampleState({ run: { id: runA, request: 'nightly' }, attempt }))
  await using machine = open(place, { holder: second, ask: async () => 'dead' })
  expect(await machine.store.load('nightly')).toMatchObject({ from: 'repository' })
  await using other = open(place, { holder: { ...first, run: '3' }, ask: async () => 'alive' })
  for (const { id } of members) {
    expect(await other.leases.take(id)).toMatchObject({ status: 'held' })
  }
})

it('keeps what tools showed only until their task has its verdict', async () => {
  const place = createSharedPlace()
  await using machine = open(place)
  await machine.store.load('nightly')
  const sample = sampleState({ run: { id: runA }, tasks: { parked: {} } })
  const { attempt } = sample
  const shown = attempt?.loop?.turns[0]?.observation ?? 'none'
  const isThere = () => [...place.files.values()].join().includes(shown)
  await machine.store.save(sample)
  expect(isThere()).toBe(true)
  const id = attempt?.task.id ?? ''
  const result = sampleResult(id, { thisRun: true })
  const after = changeState(sample, { attempt: null, tasks: { results: { [id]: result } } })
  await machine.store.save(after, [{ kind: 'filed', result }])
  await machine.leases.take('T-8')
  expect([...place.files.keys()].join()).toContain('previous.json')
  expect(isThere()).toBe(false)
})

it.each([
  [true, true],
  [false, false],
])('keeps answers in the repository only when asked to: %s', async (shareAnswers, expected) => {
  const place = createSharedPlace()
  await using machine = open(place, { shareAnswers })
  await machine.store.load('nightly')
  await machine.store.save(sampleState({ run: { id: runA } }))
  await machine.store.record(runA, [
    {
      kind: 'answered',
      ...{ call: 0, hash: 'h', purpose: 'draft', model: 'm', task: 'T-1', attempt: 1 },
      ...{ text: 'the answer', finish: 'stop', seconds: 1, exact: true },
      usage: { requests: 1, promptTokens: 1, completionTokens: 1, dollars: 0 },
    },
  ])
  await machine.store.record(runA, [
    {
      kind: 'observed',
      ...{ task: 'T-1', attempt: 1, turn: 0, tool: 'grep', input: 'the answer', hash: 'h' },
      ...{ thought: 'the answer', observation: 'the answer', summary: '3 found', isOk: true },
    },
    { kind: 'reflected', task: 'T-1', attempt: 1, lines: ['the answer'] },
    {
      kind: 'planned',
      ...{ task: 'T-1', attempt: 1, complexity: 'low', files: [], steps: ['the answer'] },
    },
  ])
  const texts = [...place.files].filter(([path]) => path.includes('/journal/')).join()
  expect(texts.includes('the answer')).toBe(expected)
  expect(await machine.store.answer(runA, 0, 'h')).toMatchObject({ text: 'the answer' })
  await machine.store.save(sampleState({ run: { id: runA }, spent: { seconds: 9 } }), [
    { kind: 'filed', result: sampleResult('T-1') },
  ])
  await machine.leases.take('T-2')
  expect([...place.files.values()].join()).not.toContain('the answer')
  expect([...place.files.values()].join()).toContain('3 found')
})

it('shares what an agent has used every 30 seconds', async () => {
  const place = createSharedPlace()
  const clock = createFakeClock()
  await using machine = open(place, { clock })
  await machine.store.load('nightly')
  await machine.store.save(sampleState({ run: { id: runA } }))
  const shared = () => [...place.files.values()].join().match(/"kind":"relayed"/g) ?? []
  const relay = () =>
    machine.store.record(runA, [
      {
        ...{
          kind: 'relayed',
          task: 'T-1',
          attempt: 1,
          call: 0,
          model: 'm',
          status: 200,
          seconds: 1,
        },
        usage: { requests: 1, promptTokens: 1, completionTokens: 1, dollars: 0 },
      },
    ])
  await relay()
  expect(shared()).toHaveLength(0)
  clock.advance(31)
  await relay()
  expect(shared()).toHaveLength(2)
})

it('shares answers of a loop of tools every 30 seconds, and when the loop ends', async () => {
  const place = createSharedPlace()
  const clock = createFakeClock()
  await using machine = open(place, { clock })
  await machine.store.load('nightly')
  const state = sampleState({ run: { id: runA } })
  await machine.store.save(state)
  const shared = () => [...place.files.values()].join().match(/answer \d/g) ?? []
  const think = async (call: number) =>
    machine.store.record(runA, [
      {
        kind: 'answered',
        ...{ call, hash: 'h', purpose: 'think', model: 'm', task: 'T-1', attempt: 1 },
        ...{ text: `answer ${call}`, finish: 'stop', seconds: 1, exact: true },
        usage: { requests: 1, promptTokens: 1, completionTokens: 1, dollars: 0 },
      },
    ])
  await think(0)
  expect(shared()).toEqual([])
  clock.advance(31)
  await think(1)
  expect(shared()).toEqual(['answer 0', 'answer 1'])
  await think(2)
  expect(shared()).toHaveLength(2)
  await machine.store.save(state, [
    {
      ...{ kind: 'stepped', node: 'use_tool', outcome: 'verified', task: 'T-1', attempt: 1 },
      ...{ seconds: 1, usage: { requests: 0, promptTokens: 0, completionTokens: 0, dollars: 0 } },
    },
  ])
  expect(shared()).toHaveLength(3)
})
