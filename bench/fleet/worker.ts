/** One worker of the fleet: the App's queue, clients and counts; a job of a few steps in place of a run. */
import { execFile } from 'node:child_process'
import { writeSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openClient } from '../../src/adapters/octokit/client.ts'
import { createOctokitForge } from '../../src/adapters/octokit-forge.ts'
import type { QueueDatabase } from '../../src/adapters/pg-queue/open-database.ts'
import { openPgQueue } from '../../src/adapters/pg-queue.ts'
import { createSystemClock } from '../../src/adapters/system.ts'
import { ExecutorError } from '../../src/core/domain/errors.ts'
import type { Clock } from '../../src/core/ports/clock.ts'
import type { Job, JobResult } from '../../src/core/ports/job-queue.ts'
import type { InstallationPace, Pace, PaceLimit } from '../../src/core/ports/pace.ts'
import { environment } from '../workshop.ts'

export interface WorkOrder {
  readonly database: QueueDatabase
  readonly directory: string
  readonly serverUrl: string
  readonly apiUrl: string
  readonly modelUrl: string
  readonly token: string
  readonly concurrency: number
  readonly writeLimits: readonly PaceLimit[]
  readonly heartbeatSeconds: number
  readonly patienceSeconds: number
}

export interface FleetTask {
  readonly task: string
}

/** Where a job is, as the fleet reads it from standard output. */
export interface Note {
  /** `limit`, `doubt`: for these seconds it waits to be allowed a write, or to read whether one took effect. `later`: it returned to the queue. */
  readonly kind: 'start' | 'limit' | 'doubt' | 'later' | 'end'
  readonly id: string
  readonly seconds?: number
}

const order: WorkOrder = JSON.parse(process.argv[2] ?? '')
const clock = createSystemClock()
const run = promisify(execFile)
const note = (what: Note) => writeSync(1, `${JSON.stringify(what)}\n`)

const clone = await mkdtemp(join(order.directory, 'clone-'))
const git = async (...args: readonly string[]): Promise<string> =>
  (
    await run('git', [...args], { cwd: clone, env: { ...environment(clone), ...sameDates } })
  ).stdout.trim()
/** A job that starts again makes the same commit. */
const sameDates = {
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
}

async function push({ repository, payload: { task } }: Job<FleetTask>): Promise<void> {
  const address = new URL(`${order.serverUrl}/${repository}.git`)
  address.username = 'x-access-token'
  address.password = order.token
  await git('fetch', '--quiet', address.href, 'main')
  const commit = await git('commit-tree', 'FETCH_HEAD^{tree}', '-p', 'FETCH_HEAD', '-m', task)
  await git('push', '--quiet', '--force', address.href, `${commit}:refs/heads/agent/${task}`)
}

async function askModel(task: string): Promise<string> {
  const response = await fetch(`${order.modelUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
    body: JSON.stringify({ model: 'fleet', messages: [{ role: 'user', content: task }] }),
  })
  if (!response.ok) throw new Error(`The model answered ${response.status}.`)
  return JSON.stringify(await response.json())
}

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left -= 1) {
    try {
      return await work()
    } catch (error) {
      if (left === 0) throw error
      await clock.sleep(0.2)
    }
  }
}

async function serve(
  job: Job<FleetTask>,
  writes: InstallationPace,
  signal: AbortSignal,
): Promise<JobResult> {
  const { task } = job.payload
  const { patienceSeconds } = order
  const [owner = '', repo = ''] = job.repository.split('/')
  const about = { owner, repo, apiUrl: order.apiUrl, token: () => order.token, patienceSeconds }
  const forge = createOctokitForge(
    openClient({ ...about, pace: false, ...noteWaits(job.id, writes(job.installation ?? 0)) }),
  )
  await retrying(() => askModel(task))
  signal.throwIfAborted()
  await pushInTurn(() => retrying(() => push(job)))
  signal.throwIfAborted()
  const pull = await forge.upsertPullRequest({
    ...{ head: `agent/${task}`, base: 'main', title: task, body: `<!-- ${task} -->` },
    ...{ labels: ['executor'], draft: false, reviewers: [], assignees: [] },
  })
  if (pull.status === 'refused') return { status: 'again', reason: pull.detail }
  signal.throwIfAborted()
  const marker = `<!-- receipt ${task} -->`
  if (pull.value === null) return { status: 'failed', reason: 'there is no pull request' }
  const said = await forge.upsertComment(pull.value.number, marker, `${marker}\nDone.`)
  if (said.status === 'refused') return { status: 'again', reason: said.detail }
  return { status: 'done' }
}

/** The client's clock and count of writes, which note what it waits for. */
function noteWaits(id: string, writes: Pace): { readonly clock: Clock; readonly writes: Pace } {
  let booked = 0
  return {
    async writes(patience) {
      booked = await writes(patience)
      return booked
    },
    clock: {
      ...clock,
      sleep(seconds, signal) {
        note({ kind: seconds === booked ? 'limit' : 'doubt', id, seconds })
        return clock.sleep(seconds, signal)
      },
    },
  }
}

let last: Promise<unknown> = Promise.resolve()
/** All jobs of this worker share its clone. */
function pushInTurn(work: () => Promise<void>): Promise<void> {
  const turn = last.then(work)
  last = turn.catch(() => {})
  return turn
}

await git('init', '--quiet')
const { database, writeLimits, heartbeatSeconds } = order
const queue = await openPgQueue<FleetTask>({
  ...{ database, writeLimits, heartbeatSeconds, retryDelaySeconds: 1 },
  log: (line) => console.error(line),
})
await queue.work(
  async (job, signal) => {
    note({ kind: 'start', id: job.id })
    try {
      const result = await serve(job, queue.writes, signal)
      note({ kind: result.status === 'done' ? 'end' : 'later', id: job.id })
      return result
    } catch (error) {
      note({ kind: 'later', id: job.id })
      if (!(error instanceof ExecutorError) || error.retryAt === null) throw error
      return { status: 'again', reason: error.message, notBefore: error.retryAt }
    }
  },
  { concurrency: order.concurrency },
)
