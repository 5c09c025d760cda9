import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileStore } from '../../src/adapters/file-store.ts'
import type { JournalEntry } from '../../src/domain/journal-event.ts'
import type { RunState } from '../../src/domain/run-state.ts'
import { noUsage } from '../../src/domain/usage.ts'
import { sampleResult, sampleState } from '../../test/contracts/run-state.ts'
import type { Row } from '../row.ts'
import { median, timed } from '../statistics.ts'
import type { Workshop } from '../workshop.ts'

const saves = 25

/** The state on disk after so many tasks, and what one more save costs. */
export async function measureState({ directory }: Workshop): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const finished of [0, 100, 1000]) {
    const home = await mkdtemp(join(directory, 'state-'))
    const store = createFileStore({ directory: home })
    let state = stateAfter(finished)
    await store.save(state)
    const bytes = await sizeOf(home)
    // As in a run: a save after each step, and every tenth brings a result more.
    let step = 0
    const samples = await timed(saves, async () => {
      step += 1
      state = { ...state, seconds: state.seconds + 1 }
      if (step % 10 === 0) state = withResult(state, `T-new-${step}`)
      await store.save(state, [stepped])
    })
    if (finished === 100) {
      const figure = 'state after 100 tasks'
      rows.push({ figure, unit: 'KB', measured: bytes / 1000, limit: 1000 })
    }
    const figure = `one save, after ${finished.toLocaleString('en')} finished tasks`
    rows.push({ figure, unit: 'ms', measured: median(samples), limit: 10, samples })
  }
  return rows
}

/** What the journal gets with each save. */
const stepped: JournalEntry = {
  kind: 'stepped',
  node: 'validate_code',
  outcome: 'valid',
  task: 'T-1',
  attempt: 1,
  seconds: 0.1,
  usage: noUsage,
}

/** The tasks in state when the run is killed. */
const inState = 1000

/**
 * A start with 1,000 tasks in state, after kill -9: what a process does before it goes on with the task
 * it was in. The journal has what a run of so many tasks writes.
 */
export async function measureResume({ directory }: Workshop): Promise<readonly Row[]> {
  const home = await mkdtemp(join(directory, 'resume-'))
  const store = createFileStore({ directory: home })
  const lock = await store.acquireLock()
  const state = stateAfter(inState)
  const steps = Array.from({ length: inState * 12 }, () => stepped)
  const text = 'x'.repeat(3000)
  const answer = { call: 0, hash: 'h', text, finish: 'stop', usage: noUsage, exact: true } as const
  const asked = { purpose: 'draft', model: 'm', task: 'T-1', attempt: 1, seconds: 1 } as const
  const answers = Array.from(
    { length: inState },
    (_, call): JournalEntry => ({ kind: 'answered', ...asked, ...answer, call }),
  )
  await store.save(state, [...steps, ...answers])
  await lock.release()
  const samples = await timed(5, async () => {
    const next = createFileStore({ directory: home })
    const held = await next.acquireLock()
    const loaded = await next.load()
    if (loaded.status !== 'loaded') throw new Error('the state was not loaded')
    await next.answer(loaded.state.runId, inState, 'another')
    await next.save(loaded.state, [{ kind: 'resumed', next: loaded.state.next, from: 'disk' }])
    await held.release()
  })
  const figure = 'resume: start with 1,000 tasks in state'
  return [{ figure, unit: 's', measured: median(samples) / 1000, limit: 2, samples }]
}

function stateAfter(finished: number): RunState {
  const ids = Array.from({ length: finished }, (_, index) => `T-${index + 1}`)
  return sampleState({ results: Object.fromEntries(ids.map((id) => [id, sampleResult(id)])) })
}

const withResult = (state: RunState, id: string): RunState => ({
  ...state,
  results: { ...state.results, [id]: sampleResult(id) },
})

async function sizeOf(directory: string): Promise<number> {
  const names = await readdir(directory)
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
