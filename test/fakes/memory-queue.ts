import {
  type Job,
  type JobHandler,
  type JobOutput,
  type JobQueue,
  type JobResult,
  type JobView,
  mostStarts,
} from '../../src/core/ports/job-queue.ts'

interface Entry<Payload> {
  readonly job: Job<Payload>
  state: 'waiting' | 'active' | 'done' | 'failed'
  starts: number
  /** Turns between installations: the lowest starts first. */
  readonly turn: number
  reason?: string
  left?: JobOutput
}

/** What outlives a queue that is closed. */
export type QueueMemory<Payload = unknown> = Map<string, Entry<Payload>>

/** A queue without a disk: nothing is waited for before another start. */
export function createMemoryQueue<Payload = unknown>(
  memory: QueueMemory<Payload> = new Map(),
): JobQueue<Payload> {
  for (const entry of memory.values()) if (entry.state === 'active') entry.state = 'waiting'
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  let worker: { readonly handler: JobHandler<Payload>; readonly concurrency: number } | null = null

  const turns = new Map<string, number>()
  let started = 0
  const takeTurn = ({ installation, repository }: Job): number => {
    const key = `${installation ?? repository.split('/')[0]?.toLowerCase()}`
    const turn = Math.max((turns.get(key) ?? -1) + 1, started)
    turns.set(key, turn)
    return turn
  }
  const next = (): Entry<Payload> | null => {
    const busy = new Set<string>()
    let first: Entry<Payload> | null = null
    for (const entry of memory.values()) {
      const key = entry.job.repository.toLowerCase()
      const isNext = entry.state === 'waiting' && !busy.has(key)
      if (isNext && (first === null || entry.turn < first.turn)) first = entry
      if (entry.state === 'active' || entry.state === 'waiting') busy.add(key)
    }
    return first
  }
  const start = async (entry: Entry<Payload>, handler: JobHandler<Payload>) => {
    entry.state = 'active'
    started = Math.max(started, entry.turn)
    entry.starts += 1
    const result = await handler(entry.job, stop.signal).catch(
      (error: unknown): JobResult => ({ status: 'again', reason: String(error) }),
    )
    const isLater = result.status === 'again' && result.notBefore !== undefined
    if (isLater || (stop.signal.aborted && result.status === 'again')) {
      entry.state = 'waiting'
      entry.starts -= 1
      return
    }
    const again = result.status === 'again' && entry.starts < mostStarts
    if ('reason' in result) entry.reason = result.reason
    if (result.status === 'done' && result.left) entry.left = result.left
    entry.state = result.status === 'done' ? 'done' : again ? 'waiting' : 'failed'
  }
  const pump = () => {
    while (worker !== null && !stop.signal.aborted && running.size < worker.concurrency) {
      const entry = next()
      if (entry === null) return
      const one: Promise<void> = start(entry, worker.handler).then(() => {
        running.delete(one)
        pump()
      })
      running.add(one)
    }
  }
  const count = (state: Entry<Payload>['state']) =>
    [...memory.values()].filter((entry) => entry.state === state).length

  return {
    async enqueue(job) {
      const known = memory.get(job.id)
      if (known !== undefined && known.state !== 'failed') return 'known'
      memory.delete(job.id)
      memory.set(job.id, { job, state: 'waiting', starts: 0, turn: takeTurn(job) })
      pump()
      return 'queued'
    },
    async work(handler, { concurrency }) {
      worker = { handler, concurrency }
      pump()
    },
    counts: async () => ({
      waiting: count('waiting'),
      active: count('active'),
      done: count('done'),
      failed: count('failed'),
    }),
    list: async (repositories, most) =>
      [...memory.values()]
        .filter(({ job }) => repositories?.includes(job.repository.toLowerCase()) ?? true)
        .toReversed()
        .filter(
          ({ state }, index, all) =>
            all.slice(0, index).filter((one) => one.state === state).length < most,
        )
        .map(viewOf),
    async find(id) {
      const entry = memory.get(id)
      return entry === undefined ? null : { ...viewOf(entry), report: entry.left?.report ?? null }
    },
    async close(graceSeconds) {
      worker = null
      if (graceSeconds > 0) await Promise.all(running)
      stop.abort(new Error('The queue is closed.'))
      await Promise.all(running)
    },
  }
}

function viewOf({ job: { payload: _, ...job }, state, reason, left }: Entry<unknown>): JobView {
  const has = state === 'done' || state === 'failed' ? job.receivedAt : null
  return {
    ...{ ...job, state, startedAt: null, endedAt: has },
    ...{ reason: reason ?? null, link: left?.link ?? null },
    hasReport: left?.report !== undefined,
  }
}
