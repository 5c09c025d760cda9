import { describe, expect, it } from 'vitest'
import {
  type Job,
  type JobHandler,
  type JobQueue,
  mostStarts,
} from '../../src/core/ports/job-queue.ts'

export interface QueueBench {
  readonly queue: JobQueue
  /** The queue as the next process finds it, once this one is closed. */
  reopen(): Promise<JobQueue>
}

type Use = (test: (bench: QueueBench) => Promise<void>) => Promise<void>

const sampleJob = (number: number, change: Partial<Job> = {}): Job => ({
  id: `72d3162e-cc78-11e3-81ab-${String(number).padStart(12, '0')}`,
  repository: 'octo/app',
  installation: 7,
  event: 'issue_comment',
  payload: { comment: { body: '/status' } },
  receivedAt: '2026-01-02T03:04:05.000Z',
  ...change,
})

/** Hands each job to the test, which says how it ends. */
function createDesk() {
  const waiting: { job: Job; signal: AbortSignal; end: (result: Awaited<End>) => void }[] = []
  const takers: (() => void)[] = []
  const handler: JobHandler = (job, signal) =>
    new Promise((end) => {
      signal.addEventListener('abort', () => end({ status: 'again', reason: 'it was stopped' }))
      waiting.push({ job, signal, end })
      takers.shift()?.()
    })
  const take = async () => {
    if (waiting.length === 0) await new Promise<void>((resolve) => takers.push(resolve))
    const first = waiting.shift()
    if (first === undefined) throw new Error('Nothing was started.')
    return first
  }
  return { handler, take, started: () => waiting.length }
}

type End = ReturnType<JobHandler>

/** Ends every job at once, and says when so many were. */
function createWorker(
  result: (job: Job, start: number) => Awaited<End> = () => ({ status: 'done' }),
) {
  const seen: Job[] = []
  const watchers: { readonly count: number; readonly tell: () => void }[] = []
  const handler: JobHandler = async (job) => {
    seen.push(job)
    for (const { count, tell } of watchers) if (seen.length >= count) tell()
    return result(job, seen.filter(({ id }) => id === job.id).length)
  }
  const saw = (count: number) =>
    new Promise<void>((tell) => {
      if (seen.length >= count) tell()
      else watchers.push({ count, tell })
    })
  return { handler, seen, saw }
}

const numbers = (jobs: readonly Job[]) => jobs.map(({ id }) => Number(id.slice(-12)))

/** The promises of the JobQueue port. `use` makes an empty one, and cleans up after. */
export function testJobQueueContract(name: string, use: Use): void {
  describe(`${name} keeps the JobQueue contract`, () => {
    it('gives a job back whole, whatever is in it', () =>
      use(async ({ queue }) => {
        const body = 'NUL \0, half a pair \ud800, quotes "\'\\u0000 and 𝕏'
        const job = sampleJob(1, { payload: { comment: { body } }, installation: null })
        const worker = createWorker()
        await queue.work(worker.handler, { concurrency: 1 })
        expect(await queue.enqueue(job)).toBe('queued')
        await worker.saw(1)
        expect(worker.seen).toEqual([job])
      }))

    it('takes the same delivery once: while it waits, while it runs, and when it is done', () =>
      use(async ({ queue }) => {
        const desk = createDesk()
        const deliveries = Array.from({ length: 100 }, () => queue.enqueue(sampleJob(1)))
        const first = Map.groupBy(await Promise.all(deliveries), (answer) => answer)
        expect([first.get('queued')?.length, first.get('known')?.length]).toEqual([1, 99])
        await queue.work(desk.handler, { concurrency: 2 })
        const { end } = await desk.take()
        expect(await queue.enqueue(sampleJob(1))).toBe('known')
        expect(await queue.enqueue(sampleJob(2))).toBe('queued')
        end({ status: 'done' })
        const second = await desk.take()
        expect(await queue.enqueue(sampleJob(1))).toBe('known')
        expect(second.job.id).toBe(sampleJob(2).id)
        second.end({ status: 'done' })
      }))

    it('runs a repository one at a time and in order, several repositories at once', () =>
      use(async ({ queue }) => {
        const desk = createDesk()
        for (const number of [1, 2, 3]) await queue.enqueue(sampleJob(number))
        await queue.enqueue(sampleJob(4, { repository: 'octo/other' }))
        // Names on GitHub differ by more than case.
        await queue.enqueue(sampleJob(5, { repository: 'Octo/App' }))
        await queue.work(desk.handler, { concurrency: 3 })
        const both = [await desk.take(), await desk.take()].toSorted((a, b) =>
          a.job.id.localeCompare(b.job.id),
        )
        expect(numbers(both.map(({ job }) => job))).toEqual([1, 4])
        expect(desk.started()).toBe(0)
        expect(await queue.counts()).toEqual({ waiting: 3, active: 2, done: 0, failed: 0 })
        both[0]?.end({ status: 'done' })
        const second = await desk.take()
        both[1]?.end({ status: 'done' })
        second.end({ status: 'done' })
        const third = await desk.take()
        third.end({ status: 'done' })
        const fourth = await desk.take()
        expect(numbers([second.job, third.job, fourth.job])).toEqual([2, 3, 5])
        fourth.end({ status: 'done' })
      }))

    it('takes turns between installations, however many jobs one of them has', () =>
      use(async ({ queue }) => {
        const desk = createDesk()
        let made = 0
        const add = async (installation: number, count: number) => {
          for (let index = 0; index < count; index += 1) {
            const repository = `owner-${installation}/app-${index % 7}`
            await queue.enqueue(sampleJob(++made, { installation, repository }))
          }
        }
        await add(1, 25)
        await add(2, 1)
        await add(3, 4)
        const order: (number | null)[] = []
        const serve = async (count: number) => {
          for (let index = 0; index < count; index += 1) {
            const { job, end } = await desk.take()
            order.push(job.installation)
            end({ status: 'done' })
          }
        }
        await queue.work(desk.handler, { concurrency: 1 })
        await serve(10)
        expect(order.slice(0, 9).toSorted()).toEqual([1, 1, 1, 1, 2, 3, 3, 3, 3])
        expect(order.slice(0, 3).toSorted()).toEqual([1, 2, 3])
        // One that comes later is served next, and has saved nothing up.
        await add(2, 3)
        order.length = 0
        await serve(8)
        expect(order.indexOf(2)).toBeLessThanOrEqual(2)
        expect(order.slice(0, 7).filter((each) => each === 2)).toHaveLength(3)
        expect(order.slice(0, 4).filter((each) => each === 2).length).toBeLessThan(3)
        await serve(25 + 1 + 4 + 3 - 18)
      }))

    it('shows the jobs of some repositories, and what each left', () =>
      use(async ({ queue }) => {
        const report = `<p>NUL-free, "quoted", 𝕏</p>${'x'.repeat(300_000)}`
        const left = { link: 'https://github.example/runs', report }
        for (const number of [1, 2, 3]) await queue.enqueue(sampleJob(number))
        await queue.enqueue(sampleJob(4, { repository: 'Octo/Other', installation: null }))
        const worker = createWorker((job) => {
          if (job.id === sampleJob(1).id) return { status: 'done', left }
          return { status: 'failed', reason: `no ${job.id.slice(-1)}` }
        })
        const desk = createDesk()
        await queue.work(
          (job, signal) => (job.id === sampleJob(3).id ? desk : worker).handler(job, signal),
          { concurrency: 2 },
        )
        // It starts when those before it have ended.
        const third = await desk.take()
        const seen = await queue.list(['octo/app'], 10)
        const brief = seen.map(({ state, reason, link, hasReport }) => [
          ...[state, reason, link, hasReport],
        ])
        expect(brief.toSorted()).toEqual([
          ['active', null, null, false],
          ['done', null, left.link, true],
          ['failed', 'no 2', null, false],
        ])
        for (const { repository, installation, receivedAt, endedAt, state } of seen) {
          expect([repository, installation, receivedAt]).toEqual([
            ...['octo/app', 7, sampleJob(1).receivedAt],
          ])
          expect(endedAt === null).toBe(state === 'active')
        }
        const latest = await queue.list(null, 1)
        expect(latest.map(({ state }) => state).toSorted()).toEqual(['active', 'done', 'failed'])
        expect(await queue.list([], 10)).toEqual([])
        expect(await queue.list(['octo/other'], 10)).toMatchObject([{ repository: 'Octo/Other' }])
        const done = seen.find(({ state }) => state === 'done')
        expect(await queue.find(done?.id ?? '')).toEqual({ ...done, report })
        for (const id of ['', '1', "' OR 1=1 --", '72d3162e-cc78-11e3-81ab-999999999999'])
          expect(await queue.find(id)).toBeNull()
        third.end({ status: 'done' })
      }))

    it('starts a job that may go better in its place again, and gives it up in the end', () =>
      use(async ({ queue }) => {
        const worker = createWorker((job) =>
          job.id === sampleJob(1).id ? { status: 'again', reason: 'not now' } : { status: 'done' },
        )
        for (const number of [1, 2]) await queue.enqueue(sampleJob(number))
        await queue.work(worker.handler, { concurrency: 2 })
        await worker.saw(mostStarts + 1)
        expect(numbers(worker.seen)).toEqual([1, 1, 1, 2])
        expect((await queue.counts()).failed).toBe(1)
      }))

    it('does not count starts that end with the time of the next, and keeps the order', () =>
      use(async ({ queue }) => {
        const starts = mostStarts + 2
        const notBefore = '2026-01-02T03:04:05.000Z'
        const worker = createWorker((_, start) =>
          start < starts ? { status: 'again', reason: 'not now', notBefore } : { status: 'done' },
        )
        await queue.enqueue(sampleJob(1))
        await queue.enqueue(sampleJob(2))
        await queue.work(worker.handler, { concurrency: 2 })
        await worker.saw(2 * starts)
        expect(numbers(worker.seen)).toEqual([...Array(starts).fill(1), ...Array(starts).fill(2)])
      }))

    it('goes on after a job that cannot be done, and runs it when it is delivered again', () =>
      use(async ({ queue }) => {
        const worker = createWorker((job, start) =>
          job.id === sampleJob(1).id && start === 1
            ? { status: 'failed', reason: 'no such workflow' }
            : { status: 'done' },
        )
        for (const number of [1, 2]) await queue.enqueue(sampleJob(number))
        await queue.work(worker.handler, { concurrency: 1 })
        await worker.saw(2)
        expect(await queue.enqueue(sampleJob(1))).toBe('queued')
        await worker.saw(3)
        await queue.enqueue(sampleJob(3))
        await worker.saw(4)
        expect(await queue.enqueue(sampleJob(1))).toBe('known')
        expect(numbers(worker.seen)).toEqual([1, 2, 1, 3])
      }))

    it('takes what a handler throws for bad luck', () =>
      use(async ({ queue }) => {
        const worker = createWorker((_, start) => {
          if (start === 1) throw new Error('socket hang up')
          return { status: 'done' }
        })
        await queue.enqueue(sampleJob(1))
        await queue.work(worker.handler, { concurrency: 1 })
        await worker.saw(2)
        expect(numbers(worker.seen)).toEqual([1, 1])
      }))

    it('keeps what it has from one process to the next, however often one stops', () =>
      use(async ({ queue, reopen }) => {
        const desk = createDesk()
        for (const number of [1, 2, 3]) await queue.enqueue(sampleJob(number))
        await queue.work(desk.handler, { concurrency: 1 })
        const first = await desk.take()
        first.end({ status: 'done' })

        // A stop in the middle of a job is no start of it.
        let next = queue
        for (let stop = 0; stop < mostStarts; stop++) {
          const second = await desk.take()
          expect(numbers([second.job])).toEqual([2])
          expect(second.signal.aborted).toBe(false)
          await next.close(0)
          expect(second.signal.aborted).toBe(true)
          next = await reopen()
          if (stop < mostStarts - 1) await next.work(desk.handler, { concurrency: 1 })
        }
        expect(await next.enqueue(sampleJob(1))).toBe('known')
        const worker = createWorker()
        await next.work(worker.handler, { concurrency: 1 })
        await worker.saw(2)
        expect(numbers(worker.seen)).toEqual([2, 3])
      }))

    it('lets what runs come to its end before it closes', () =>
      use(async ({ queue, reopen }) => {
        const desk = createDesk()
        await queue.enqueue(sampleJob(1))
        await queue.work(desk.handler, { concurrency: 1 })
        const { end } = await desk.take()
        const closed = queue.close(30)
        end({ status: 'done' })
        await closed
        expect(await (await reopen()).counts()).toMatchObject({ waiting: 0, active: 0, done: 1 })
      }))
  })
}
