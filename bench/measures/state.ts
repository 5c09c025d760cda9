import { mkdtemp, open, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileStore } from '../../src/adapters/file-store.ts'
import { changeState } from '../../src/core/domain/change-state.ts'
import type { JournalEntry } from '../../src/core/domain/journal-event.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import { noUsage } from '../../src/core/domain/usage.ts'
import { sampleResult, sampleState } from '../../test/contracts/run-state.ts'
import type { Row } from '../row.ts'
import { median, timed } from '../statistics.ts'
import type { Workshop } from '../workshop.ts'

const saves = 25
/** Saves before those that count: a run's first saves are not what it waits for all night. */
const warmUp = 10

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
    const saveOnce = async (): Promise<void> => {
      step += 1
      state = changeState(state, { spent: { seconds: state.spent.seconds + 1 } })
      if (step % 10 === 0) state = withResult(state, `T-new-${step}`)
      await store.save(state, [stepped])
    }
    await timed(warmUp, saveOnce)
    // In turns with the floor: the disk is not equally quick all the time.
    const floors: number[] = []
    const samples: number[] = []
    const text = JSON.stringify(stateAfter(0))
    for (let each = 0; each < saves; each += 1) {
      samples.push(...(await timed(1, saveOnce)))
      floors.push(...(await timed(1, () => writeBarely(home, text))))
    }
    if (finished === 100) {
      const figure = 'state after 100 tasks'
      rows.push({ figure, unit: 'KB', measured: bytes / 1000, limit: 1000 })
    }
    const figure = `one save, after ${finished.toLocaleString('en')} finished tasks`
    rows.push({
      figure,
      unit: 'ms',
      measured: median(samples),
      limit: 10,
      floor: median(floors),
      samples,
    })
  }
  return rows
}

/** The least that makes one line and one small file outlast a power cut. */
async function writeBarely(directory: string, text: string): Promise<void> {
  await writeAndSync(join(directory, 'floor.jsonl'), 'a', `${JSON.stringify(stepped)}\n`)
  await writeAndSync(join(directory, 'floor.new'), 'w', text)
  await rename(join(directory, 'floor.new'), join(directory, 'floor.json'))
  const folder = await open(directory, 'r')
  await folder.sync()
  await folder.close()
}

async function writeAndSync(path: string, flags: string, text: string): Promise<void> {
  const file = await open(path, flags)
  await file.writeFile(text)
  await file.sync()
  await file.close()
}

/** What the journal gets with each save. */
export const stepped: JournalEntry = {
  kind: 'stepped',
  node: 'validate_code',
  outcome: 'valid',
  task: 'T-1',
  attempt: 1,
  seconds: 0.1,
  usage: noUsage,
}

function stateAfter(finished: number): RunState {
  const ids = Array.from({ length: finished }, (_, index) => `T-${index + 1}`)
  return sampleState({
    tasks: { results: Object.fromEntries(ids.map((id) => [id, sampleResult(id)])) },
  })
}

const withResult = (state: RunState, id: string): RunState =>
  changeState(state, { tasks: { results: { ...state.tasks.results, [id]: sampleResult(id) } } })

async function sizeOf(directory: string): Promise<number> {
  const names = await readdir(directory)
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
