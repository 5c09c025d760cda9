/**
 * What the version at 7df7a60 wrote (its own store, memory and parked attempt, of the sample state it had):
 * a run that it left goes on, and nothing of it counts as damaged.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLearned } from '../../src/adapters/durable-store/read-runs.ts'
import { learnedPath, writeLearned } from '../../src/adapters/durable-store/run-files.ts'
import { createFileMemory, readMemory } from '../../src/adapters/file-store/memory-file.ts'
import { createFileStore } from '../../src/adapters/file-store.ts'
import { changeState, fileVerdict } from '../../src/core/domain/change-state.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import { decideNext } from '../../src/graph/nodes/finish/decide-next.ts'
import { classifyFailure } from '../../src/graph/nodes/recover/classify-failure.ts'
import { proposeRecovery } from '../../src/graph/nodes/recover/propose-recovery.ts'
import { buildReport } from '../../src/publish/report/build-report.ts'
import { readParkedAttempt } from '../../src/recovery/task/parked-attempt.ts'
import { fakePorts } from '../fakes/facts.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'
import { createScriptedModel } from '../fakes/scripted-model.ts'

const left = join(import.meta.dirname, 'left-before')
const textOf = (name: string) => readFileSync(join(left, name), 'utf8')
const clock = createFakeClock('2026-01-02T03:04:05.000Z')

async function open<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'left-before-'))
  try {
    cpSync(left, directory, { recursive: true })
    return await use(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function load(directory: string): Promise<RunState> {
  const loaded = await createFileStore({ directory, clock }).load()
  if (loaded.status !== 'loaded') throw new Error(JSON.stringify(loaded))
  expect(loaded.restored).toBeUndefined()
  return loaded.state
}

const verdicts = ({ tasks: { results } }: RunState) =>
  Object.fromEntries(Object.values(results).map(({ id, verdict }) => [id, verdict]))
const all = { 'T-10': 'deferred', 'T-11': 'skipped', 'T-12': 'failed', 'T-13': 'in_review' }

it('its state is loaded whole, with nothing for what it did not know, and is saved as ours', () =>
  open(async (directory) => {
    const state = await load(directory)
    const { results: _, version: __, ...stored } = JSON.parse(textOf('state.json'))
    const { version, attempt, ...groups } = state
    const { id, path, changes, leases, opened, open, ...same } = Object.assign(
      {},
      ...Object.values(groups),
    )
    expect(version).toBe(3)
    expect({
      ...{ ...same, attempt, runId: id, roadmap: path, roadmapChanges: changes, held: leases },
      ...{ pullRequestsOpened: opened, openPullRequests: open },
    }).toMatchObject(stored)
    expect(state).toMatchObject({ tasks: { failedBefore: {}, lacked: {} } })
    expect(verdicts(state)).toEqual(all)
    await createFileStore({ directory, clock }).save(
      changeState(state, { progress: { next: 'END' } }),
    )
    expect(await load(directory)).toEqual(changeState(state, { progress: { next: 'END' } }))
  }))

it('its journal, its fixes, its parked attempt and what it learned are read', () =>
  open(async (directory) => {
    const events = await createFileStore({ directory, clock }).journal('run-1')
    expect(events.map(({ kind }) => kind)).toEqual(['filed', 'stepped', 'ended'])
    expect(readMemory(textOf('memory.json'))?.fixes).toHaveLength(1)
    const memory = createFileMemory({ directory, clock })
    expect(await memory.recall('npm <n>')).toMatchObject({ fix: 'npm ci' })
    const state = await load(directory)
    const attempt = readParkedAttempt('T-2', textOf('parked.json'))
    expect(attempt?.draft).toEqual(state.tasks.parked['T-2']?.draft)
    const path = learnedPath(state.roadmap.path)
    const before = JSON.stringify({ ...JSON.parse(textOf('state.json')), results: {} })
    const now = writeLearned(changeState(state, { run: { only: ['T-11'] } }), null)
    for (const written of [before, now]) {
      const learned = await readLearned(
        {
          paths: [path],
          read: async () => new Map([[path, written]]),
          tips: { state: null, leases: new Map() },
          lease: async () => null,
        },
        state.roadmap.path,
      )
      expect(learned).toEqual({ status: 'read', state: expect.anything() })
      expect(learned).toMatchObject({ state: { version: 3, tasks: { parked: { 'T-2': {} } } } })
    }
  }))

it('its attempt goes on through what decides about a failure, and the report counts all', () =>
  open(async (directory) => {
    const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': '- [ ] **T-2**: Add it\n' } })
    const { base } = await workspace.refresh()
    const ports = fakePorts({ workspace, model: createScriptedModel([]) })
    const old = await load(directory)
    if (old.attempt === null) throw new Error('It has no attempt.')
    const { failure } = old.attempt
    const message = "Error: Cannot find package 'b' imported from /x/src/a.js"
    const state = changeState(old, {
      roadmap: { base },
      attempt: { ...old.attempt, start: base, failure: failure && { ...failure, message } },
    })
    const classified = changeState(state, (await classifyFailure(state, ports)).patch)
    const proposed = changeState(classified, (await proposeRecovery(classified, ports)).patch)
    const filed = changeState(proposed, fileVerdict(proposed, 'skipped', { reason: message }))
    const { patch } = await decideNext(filed, ports)
    const ended = changeState(filed, patch)
    expect(verdicts(ended)).toEqual({ ...all, 'T-2': 'skipped' })
    expect(ended).toMatchObject({
      attempt: null,
      tasks: { lacked: { 'T-2': { cause: { lacks: 'b' } } } },
    })
    expect(buildReport(ended).totals).toMatchObject({ done: 1, deferred: 1, skipped: 2, failed: 1 })
  }))
