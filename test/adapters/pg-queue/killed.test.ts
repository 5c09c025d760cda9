import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueueDatabase } from '../../../src/adapters/pg-queue/open-database.ts'
import type { Job } from '../../../src/core/ports/job-queue.ts'
import { type Engine, startEmbedded, startPostgres } from './engines.ts'
import type { WorkOrder } from './work-until-killed.ts'

const repositories = 5
const perRepository = 4
const jobs: readonly Job[] = Array.from({ length: repositories * perRepository }, (_, index) => ({
  id: `72d3162e-cc78-11e3-81ab-${String(index).padStart(12, '0')}`,
  repository: `octo/${index % repositories}`,
  installation: 7,
  event: 'push',
  payload: {},
  receivedAt: '2026-01-02T03:04:05.000Z',
}))
/** The second of its repository, with two behind it. */
const stuck = jobs[repositories]?.id ?? ''

let engines: Readonly<Record<'embedded' | 'postgres', Engine>>
let directory: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'killed-'))
  const [embedded, postgres] = await Promise.all([startEmbedded(), startPostgres()])
  engines = { embedded, postgres }
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(Object.values(engines).map((engine) => engine.stop()))
  rmSync(directory, { recursive: true, force: true })
})

function createNotes(name: string) {
  const path = join(directory, name)
  writeFileSync(path, '')
  const lines = () => readFileSync(path, 'utf8').split('\n').filter(Boolean)
  const until = (holds: (lines: readonly string[]) => boolean) =>
    new Promise<void>((resolve) => {
      const watcher = watch(path, { persistent: false }, look)
      function look() {
        if (!holds(lines())) return
        watcher.close()
        resolve()
      }
      look()
    })
  return { path, lines, until }
}

const script = join(import.meta.dirname, 'work-until-killed.ts')
const children: ChildProcess[] = []

function start(order: WorkOrder): ChildProcess {
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: 'ignore' })
  children.push(child)
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

const count = (lines: readonly string[], word: string) =>
  lines.filter((line) => line.startsWith(word)).length

describe.concurrent('kill -9 of a worker in the middle of a job', { timeout: 120_000 }, () => {
  it.each([
    ['the embedded database', 'embedded'],
    ['PostgreSQL', 'postgres'],
  ] as const)('%s: that job is done exactly once more, and order is kept', async (name, kind) => {
    const database: QueueDatabase = await engines[kind].create()
    const notes = createNotes(kind)
    const isStuck = (lines: readonly string[]) =>
      lines.some((line) => line.startsWith('start') && line.endsWith(stuck))
    // The embedded one does not wait for it: whoever held a job there is dead.
    const heartbeatSeconds = kind === 'postgres' ? 10 : 600
    const common = { database, notes: notes.path, heartbeatSeconds }
    const first = start({ ...common, jobs, stuckAt: stuck })
    await notes.until(isStuck)
    // On PostgreSQL a colleague goes on meanwhile; the embedded one is for one process.
    const order = { ...common, jobs: [], stuckAt: null }
    const colleague = kind === 'postgres' ? start(order) : null
    if (colleague !== null) await notes.until((lines) => count(lines, 'ready') === 2)
    await end(first, 'SIGKILL')
    const killedAt = performance.now()
    const second = colleague ?? start(order)
    await notes.until((lines) => lines.includes(`end octo/0 ${stuck}`))
    const seconds = ((performance.now() - killedAt) / 1000).toFixed(1)
    await notes.until((lines) => count(lines, 'end') >= jobs.length)
    await end(second, 'SIGTERM')

    const lines = notes.lines()
    const idsOf = (word: string, repository: string) =>
      lines
        .filter((line) => line.startsWith(`${word} ${repository} `))
        .map((line) => line.split(' ')[2])
    const starts = lines.filter((line) => line.startsWith('start'))
    process.stdout.write(
      `kill -9, ${name}: ${jobs.length} jobs of ${repositories} repositories, ${starts.length} starts, ` +
        `${count(lines, 'end')} ends; the killed one was done again after ${seconds} s\n`,
    )
    expect(starts).toHaveLength(jobs.length + 1)
    for (let number = 0; number < repositories; number++) {
      const repository = `octo/${number}`
      const inOrder = jobs.filter((job) => job.repository === repository).map(({ id }) => id)
      expect(idsOf('end', repository)).toEqual(inOrder)
      const started = idsOf('start', repository).filter((id, index, all) => all[index - 1] !== id)
      expect(started).toEqual(inOrder)
    }
  })
})
