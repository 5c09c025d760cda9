import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFileStore } from '../../../src/adapters/file-store.ts'
import { openHistory } from '../../../src/adapters/sqlite-history.ts'
import type { JournalEntry } from '../../../src/core/domain/journal-event.ts'
import { indexHistory } from '../../../src/entry/compose/index-history.ts'
import { sampleResult, sampleState } from '../../contracts/run-state.ts'
import { someSettings } from '../../fakes/facts.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

const state = sampleState({ runId: 'run-20260102-030405-aaaaaa' })
const filed = { kind: 'filed', result: sampleResult('T-1') } as const
const stepped: JournalEntry = {
  kind: 'stepped',
  ...{ node: 'verify_task', outcome: 'passed', task: 'T-1', attempt: 1 },
  ...{ seconds: 1, usage: { requests: 0, promptTokens: 0, completionTokens: 0, dollars: 0 } },
}

function openIndexed(history = true) {
  const directory = mkdtempSync(join(tmpdir(), 'index-'))
  const clock = createFakeClock()
  const said: string[] = []
  const settings = { ...someSettings(), history }
  const indexed = indexHistory(createFileStore({ directory, clock }), {
    ...{ directory, settings, clock },
    warn: (sentence) => void said.push(sentence),
  })
  const path = join(directory, 'history.db')
  return {
    ...{ ...indexed, directory, path, said },
    async tasks() {
      const index = await openHistory({ directory, oldest: null })
      const executions = index.executions({ since: null, task: null, limit: 9 })
      index.close()
      return executions.map(({ task }) => task)
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  }
}

it('takes a task into the index when its verdict is in the journal, and nothing before', async () => {
  using indexed = openIndexed()
  await indexed.store.save(state, [stepped])
  expect(existsSync(indexed.path)).toBe(false)
  await indexed.store.save(state, [filed])
  await indexed.close()
  expect(await indexed.tasks()).toEqual(['T-1'])
  expect(indexed.said).toEqual([])
})

it('leaves nothing of a run that worked on nothing, or where no history is wanted', async () => {
  using idle = openIndexed()
  await idle.store.save(state, [{ kind: 'ended', stopped: null }])
  await idle.close()
  expect(existsSync(idle.path)).toBe(false)
  using unwanted = openIndexed(false)
  await unwanted.store.save(state, [filed])
  await unwanted.close()
  expect(existsSync(unwanted.path)).toBe(false)
})

it('says once that it cannot be written, and the run goes on', async () => {
  using indexed = openIndexed()
  mkdirSync(indexed.path)
  writeFileSync(join(indexed.path, 'in the way'), '')
  await indexed.store.save(state, [stepped, filed])
  await indexed.store.save(state, [filed])
  await indexed.close()
  expect(indexed.said).toEqual([
    expect.stringMatching(/^The history cannot be written \(.*executor history makes up for it/),
  ])
  expect(await indexed.store.load()).toMatchObject({ status: 'loaded' })
})
