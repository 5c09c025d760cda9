import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileStore } from '../../src/adapters/file-store.ts'
import type { RunState } from '../../src/domain/run-state.ts'
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
      await store.save(state)
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
