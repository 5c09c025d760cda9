import { appendFileSync } from 'node:fs'
import type { QueueDatabase } from '../../../src/adapters/pg-queue/open-database.ts'
import { openPgQueue } from '../../../src/adapters/pg-queue.ts'
import type { Job } from '../../../src/core/ports/job-queue.ts'

/** Works on a queue in a process of its own: notes each start and each end in a file. */
export interface WorkOrder {
  readonly database: QueueDatabase
  readonly notes: string
  /** Put into the queue before the work begins. */
  readonly jobs: readonly Job[]
  /** This one is never ended here: the process is killed in the middle of it. */
  readonly stuckAt: string | null
  readonly heartbeatSeconds: number
}

const { database, notes, jobs, stuckAt, heartbeatSeconds }: WorkOrder = JSON.parse(
  process.argv[2] ?? '',
)
const note = (text: string) => appendFileSync(notes, `${text}\n`)

const queue = await openPgQueue({
  database,
  log: () => {},
  heartbeatSeconds,
  // A killed worker is no failure of its job.
  retryDelaySeconds: 3600,
})
for (const job of jobs) await queue.enqueue(job)
await queue.work(
  async ({ id, repository }, signal) => {
    note(`start ${repository} ${id}`)
    if (id === stuckAt) await new Promise((_, reject) => signal.addEventListener('abort', reject))
    note(`end ${repository} ${id}`)
    return { status: 'done' }
  },
  // One at a time where it is killed: so that nothing else is in the middle of anything.
  { concurrency: stuckAt === null ? 2 : 1 },
)
note('ready')
process.on('SIGTERM', async () => {
  await queue.close(5)
  process.exit(0)
})
