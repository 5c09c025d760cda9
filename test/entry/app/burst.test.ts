import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPgQueue } from '../../../src/adapters/pg-queue.ts'
import { openApp } from '../../../src/entry/app/open-app.ts'
import { readEnvironment } from '../../../src/entry/app/read-environment.ts'
import type { AppJob, AppWork } from '../../../src/entry/app/receive-webhook.ts'
import { readEvent } from '../../../src/runs/triggers/read-event.ts'
import { type Engine, startEmbedded, startPostgres } from '../../adapters/pg-queue/engines.ts'
import { appKey, webhookSecret } from './app-key.ts'

interface Delivery {
  readonly id: string
  readonly event: string
  readonly body: string
}

const person = { id: 5, login: 'alice', type: 'User' }
const at = '2026-01-02T03:04:05Z'

/** Four things that happen to one repository, each of which asks for something. */
const happenings: readonly { readonly event: string; readonly payload: object }[] = [
  { event: 'push', payload: { ref: 'refs/heads/main' } },
  {
    event: 'issue_comment',
    payload: {
      action: 'created',
      issue: { number: 3 },
      comment: { id: 9, body: '/status', user: person, created_at: at, updated_at: at },
    },
  },
  { event: 'pull_request', payload: { action: 'synchronize', pull_request: { number: 4 } } },
  { event: 'repository_dispatch', payload: { action: 'executor' } },
]

const deliver = (repository: string, index: number): Delivery => {
  const { event, payload } = happenings[index] ?? { event: '', payload: {} }
  const place = { full_name: repository, id: 1, default_branch: 'main' }
  const id = randomUUID()
  const body = JSON.stringify({
    // As times and commits do, it tells what happened apart from what happened before.
    ...{ ...payload, after: id },
    repository: place,
    installation: { id: 7 },
    sender: person,
  })
  return { id, event, body }
}

function ordersOf(values: readonly number[]): readonly (readonly number[])[] {
  if (values.length < 2) return [values]
  return values.flatMap((first) =>
    ordersOf(values.filter((value) => value !== first)).map((rest) => [first, ...rest]),
  )
}

/** All orders of the four, for a repository each, with one of them repeated; and others besides. */
const deliveries: readonly Delivery[] = [
  ...ordersOf([0, 1, 2, 3]).flatMap((order, number) => {
    const four = order.map((index) => deliver(`octo/order-${number}`, index))
    return [...four, ...four.slice(0, 1)]
  }),
  ...Array.from({ length: 880 }, (_, number) => deliver(`octo/other-${number % 40}`, 0)),
]
const distinct = new Set(deliveries.map(({ id }) => id)).size

let engines: Readonly<Record<'embedded' | 'postgres', Engine>>

beforeAll(async () => {
  const [embedded, postgres] = await Promise.all([startEmbedded(), startPostgres()])
  engines = { embedded, postgres }
})
afterAll(() => Promise.all(Object.values(engines).map((engine) => engine.stop())))

/** Sends all, so many at a time, and answers what each was told and after how many milliseconds. */
async function send(url: string, all: readonly Delivery[], together: number) {
  const waiting = [...all]
  const answers: { readonly status: number; readonly result: string; readonly took: number }[] = []
  const sender = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const signature = createHmac('sha256', webhookSecret).update(next.body).digest('hex')
      const start = performance.now()
      const answer = await fetch(`${url}/api/github/webhooks`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-github-event': next.event,
          'x-github-delivery': next.id,
          'x-hub-signature-256': `sha256=${signature}`,
        },
        body: next.body,
      })
      const { result } = (await answer.json()) as { result: string }
      answers.push({ status: answer.status, result, took: performance.now() - start })
    }
  }
  await Promise.all(Array.from({ length: together }, sender))
  return answers
}

describe('a burst of webhooks', { timeout: 180_000 }, () => {
  afterEach(({ task }) => {
    task.file.meta.cases = { webhooks: deliveries.length, jobs: distinct }
  })

  it.each([
    ['the embedded database', 'embedded'],
    ['PostgreSQL', 'postgres'],
  ] as const)('%s: none is lost, and none is two', async (name, kind) => {
    const database = await engines[kind].create()
    const environment = {
      APP_ID: '1',
      PRIVATE_KEY: appKey,
      WEBHOOK_SECRET: webhookSecret,
      PORT: '0',
    }
    const read = await readEnvironment(environment, { takesWebhooks: true })
    const log = (line: string) => process.stderr.write(`${line}\n`)
    const app = await openApp({
      environment: { ...read, host: '127.0.0.1', database },
      queue: await openPgQueue<AppWork>({ database, log }),
      readEvent,
      serve: null,
      log,
    })
    const start = performance.now()
    const answers = await send(app.url, deliveries, 50)
    const seconds = (performance.now() - start) / 1000
    await app.close()

    const results = Object.groupBy(answers, ({ result }) => result)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(results.queued).toHaveLength(distinct)
    expect(results.known).toHaveLength(deliveries.length - distinct)

    const queue = await openPgQueue<AppWork>({ database, log })
    expect(await queue.counts()).toEqual({ waiting: distinct, active: 0, done: 0, failed: 0 })
    const done: AppJob[] = []
    const began = performance.now()
    await new Promise<void>((resolve) => {
      queue.work(
        async (job) => {
          if (done.push(job) === distinct) resolve()
          return { status: 'done' }
        },
        { concurrency: 8 },
      )
    })
    const worked = (performance.now() - began) / 1000
    await queue.close(5)
    expect(new Set(done.map(({ id }) => id)).size).toBe(distinct)

    const took = answers.map((answer) => answer.took).toSorted((a, b) => a - b)
    const percentile = (part: number) => took[Math.ceil(took.length * part) - 1]?.toFixed(0)
    process.stdout.write(
      `burst, ${name}: ${answers.length} webhooks, 50 at a time, ${distinct} jobs; answered after ` +
        `${percentile(0.5)} ms (p50) and ${percentile(0.99)} ms (p99), ${(answers.length / seconds).toFixed(0)} a second; ` +
        `worked off at ${(distinct / worked).toFixed(0)} a second\n`,
    )
  })
})
