import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRedactor } from '../../../packages/text/secrets/redact.ts'
import { type GitHubApp, openProbotApp } from '../../../src/adapters/probot-app.ts'
import type { JobQueue } from '../../../src/core/ports/job-queue.ts'
import type { RunningHttp } from '../../../src/entry/app/http/listen.ts'
import { createMetrics, type Metrics, startHttpServer } from '../../../src/entry/app/http-server.ts'
import { readEnvironment } from '../../../src/entry/app/read-environment.ts'
import {
  type AppJob,
  type AppWork,
  createBodyReader,
} from '../../../src/entry/app/receive-webhook.ts'
import { version } from '../../../src/entry/version.ts'
import { readEvent } from '../../../src/runs/triggers/read-event.ts'
import type { Trigger } from '../../../src/runs/triggers/trigger.ts'
import { createMemoryQueue } from '../../fakes/memory-queue.ts'
import { runObserved } from '../observe/observed-run.ts'
import { canary, findCanaries } from '../redact/canary.ts'
import { appKey, webhookSecret } from './app-key.ts'

interface Examples {
  readonly name: string
  readonly examples: readonly object[]
}

const examplesFile = createRequire(import.meta.url).resolve('@octokit/webhooks-examples')
const allExamples: readonly Examples[] = JSON.parse(readFileSync(examplesFile, 'utf8'))

const payload = {
  action: 'created',
  repository: { full_name: 'octo/app' },
  installation: { id: 7 },
  comment: { body: '/status Grüße \ud83d\ude80' },
}

const sign = (body: string | Buffer, algorithm = 'sha256', secret = webhookSecret) =>
  `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`

let app: GitHubApp
let queue: JobQueue<AppWork>
let http: RunningHttp
let metrics: Metrics
let logged: string[]
let readAs: (event: string, payload: unknown) => Trigger

beforeAll(async () => {
  const environment = { APP_ID: '1', PRIVATE_KEY: appKey, WEBHOOK_SECRET: webhookSecret }
  const read = await readEnvironment(environment, { takesWebhooks: true })
  app = await openProbotApp({ ...read, now: () => new Date().toISOString() })
})

beforeEach(async () => {
  queue = createMemoryQueue<AppWork>()
  logged = []
  readAs = (event) =>
    event !== 'issues'
      ? { kind: 'run', only: null }
      : { kind: 'ignored', reason: `nothing is asked by ${event}` }
  const reception = {
    openSignature: app.openSignature,
    readBody: createBodyReader(),
    readEvent: (event: string, payload: unknown) => readAs(event, payload),
    queue: { enqueue: (job: AppJob) => queue.enqueue(job) },
    now: () => '2026-01-02T03:04:05.000Z',
  }
  metrics = createMetrics(() => queue.counts(), {})
  http = await startHttpServer(
    {
      reception,
      counts: () => queue.counts(),
      metrics,
      log: (line) => logged.push(line),
      redact: createRedactor([canary]),
    },
    { host: '127.0.0.1', port: 0 },
  )
})

afterEach(() => http.close())

/** A header that is given as `null` is left out. */
async function deliver(
  body: string | Buffer<ArrayBuffer> = JSON.stringify(payload),
  change: Record<string, string | null> = {},
) {
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'issue_comment',
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': sign(body),
    ...change,
  }
  const given = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  )
  const answer = await fetch(`${http.url}/api/github/webhooks`, {
    method: 'POST',
    headers: given,
    body,
  })
  return { status: answer.status, ...((await answer.json()) as { result?: string }) }
}

describe('webhooks over HTTP', () => {
  it('are thanked for when they are kept, with what they ask for', async () => {
    expect(await deliver()).toMatchObject({ status: 202, result: 'queued' })
    const jobs: AppJob[] = []
    await queue.work(
      async (job) => {
        jobs.push(job)
        return { status: 'done' }
      },
      { concurrency: 1 },
    )
    expect(jobs).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        repository: 'octo/app',
        installation: 7,
        event: 'issue_comment',
        payload: { kind: 'run', only: null },
        receivedAt: '2026-01-02T03:04:05.000Z',
      },
    ])
    expect(await deliver()).toMatchObject({ status: 202, result: 'known' })
    expect(jobs).toHaveLength(1)
  })

  it.each([
    ['a new delivery id', { 'x-github-delivery': 'another' }],
    ["another event's name", { 'x-github-event': 'push', 'x-github-delivery': 'another' }],
  ])('are known by their content when they come again under %s', async (_, change) => {
    expect(await deliver()).toMatchObject({ result: 'queued' })
    expect(await deliver(undefined, change)).toMatchObject({ result: 'known' })
    expect(await queue.counts()).toMatchObject({ waiting: 1 })
  })

  it('are two when they are dispatched twice on purpose, and one when delivered again', async () => {
    const results: (string | undefined)[] = []
    for (const delivery of ['one', 'two', 'one']) {
      const change = { 'x-github-event': 'repository_dispatch', 'x-github-delivery': delivery }
      results.push((await deliver(undefined, change)).result)
    }
    expect(results).toEqual(['queued', 'queued', 'known'])
  })

  it('are signed as bytes: what reads the same is not the same', async () => {
    const bytes = Buffer.from(JSON.stringify(payload).replace('Gr', 'Gr\uFFFD'))
    const place = bytes.indexOf('\uFFFD')
    const torn = Buffer.concat([
      bytes.subarray(0, place),
      Buffer.from([0xff]),
      bytes.subarray(place + 3),
    ])
    expect(torn.toString()).toBe(bytes.toString())
    expect(await deliver(torn, { 'x-hub-signature-256': sign(bytes.toString()) })).toMatchObject({
      status: 401,
    })
    expect(await deliver(torn, { 'x-hub-signature-256': sign(torn) })).toMatchObject({
      status: 202,
    })
  })

  it('are read two large ones at a time, and all are answered, the ping as well', async () => {
    const large = JSON.stringify({ ...payload, padding: 'x'.repeat(3_000_000) })
    const refused = { 'x-hub-signature-256': sign('{}') }
    const many = Array.from({ length: 12 }, () => deliver(large, refused))
    const ping = await deliver(JSON.stringify({ zen: 'z' }), { 'x-github-event': 'ping' })
    expect(ping).toMatchObject({ status: 200, message: 'The App is running.' })
    expect(logged.at(-1)).toMatch(/^GitHub pinged the webhook/)
    expect(logged.length).toBeLessThan(many.length)
    for (const { status } of await Promise.all(many)) expect(status).toBe(401)
    expect(await deliver(large)).toMatchObject({ result: 'queued' })
  })

  it.each<[string, Record<string, string | null>, number]>([
    ['no signature', { 'x-hub-signature-256': null }, 401],
    ['an empty one', { 'x-hub-signature-256': '' }, 401],
    ['one by SHA-1', { 'x-hub-signature-256': null, 'x-hub-signature': sign('', 'sha1') }, 401],
    ['SHA-1 in its place', { 'x-hub-signature-256': sign(JSON.stringify(payload), 'sha1') }, 401],
    ['one of another body', { 'x-hub-signature-256': sign('{}') }, 401],
    [
      'one with a known secret',
      { 'x-hub-signature-256': sign('{}', 'sha256', 'development') },
      401,
    ],
    ['another content', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no event', { 'x-github-event': null }, 400],
    ['no delivery', { 'x-github-delivery': null }, 400],
  ])('are refused with %s, and nothing is kept', async (_, change, status) => {
    expect(await deliver(undefined, change)).toMatchObject({ status, result: 'refused' })
    expect(await queue.counts()).toMatchObject({ waiting: 0, done: 0 })
    expect(logged).toHaveLength(1)
  })

  it.each([
    ['no JSON', '{"action": '],
    ['no object', '"text"'],
  ])('are refused when there is %s in them, although they are signed', async (_, body) => {
    expect(await deliver(body)).toMatchObject({ status: 400, result: 'refused' })
  })

  it('are refused when they are larger than any of GitHub', async () => {
    const body = JSON.stringify({ ...payload, padding: 'x'.repeat(25_000_000) })
    // The connection may be cut before the answer is read: nobody reads the rest.
    const answer = await deliver(body).catch(() => ({ status: 413 }))
    expect(answer.status).toBe(413)
    expect(await queue.counts()).toMatchObject({ waiting: 0 })
  })

  it.each([
    ['nobody wants', JSON.stringify(payload), { 'x-github-event': 'star' }],
    ['ask for nothing', JSON.stringify(payload), { 'x-github-event': 'issues' }],
    // What the App starts itself would come back as one, for ever.
    ['it caused', JSON.stringify(payload), { 'x-github-event': 'workflow_dispatch' }],
    ['are about no repository', JSON.stringify({ action: 'created' }), {}],
    ['name a strange one', JSON.stringify({ repository: { full_name: '../../etc' } }), {}],
  ])('that %s are thanked for, and not kept', async (_, body, change) => {
    expect(await deliver(body, change)).toMatchObject({ status: 202, result: 'ignored' })
    expect(await queue.counts()).toMatchObject({ waiting: 0 })
  })

  it('are answered without a secret of ours, whatever is said of them', async () => {
    readAs = () => ({ kind: 'ignored', reason: `it says ${canary}` })
    const answer = await fetch(`${http.url}/api/github/webhooks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'issue_comment',
        'x-github-delivery': '1',
        'x-hub-signature-256': sign(JSON.stringify(payload)),
      },
      body: JSON.stringify(payload),
    })
    const text = await answer.text()
    expect(text).toContain('it says ***')
    expect(findCanaries(text)).toEqual([])
  })

  it('are to be delivered again when they cannot be kept', async () => {
    queue = {
      ...queue,
      enqueue: async () => {
        throw new Error('the disk is full')
      },
    }
    expect(await deliver()).toMatchObject({ status: 503, result: 'failed' })
    expect(logged.join()).toContain('the disk is full')
  })
})

describe("GitHub's examples", () => {
  it('are all thanked for, and few of them are kept', async () => {
    readAs = readEvent
    const results: string[] = []
    const started = performance.now()
    let number = 0
    for (const { name, examples } of allExamples) {
      for (const example of examples) {
        const body = JSON.stringify({ installation: { id: 1 }, ...example })
        const change = { 'x-github-event': name, 'x-github-delivery': `${++number}` }
        const { status, result } = await deliver(body, {
          ...change,
          'x-hub-signature-256': sign(body),
        })
        expect(status, name).toBe(name === 'ping' ? 200 : 202)
        results.push(`${name} ${result}`)
      }
    }
    const milliseconds = (performance.now() - started) / results.length
    process.stdout.write(
      `${results.length} example webhooks, answered after ${milliseconds.toFixed(1)} ms each\n`,
    )
    const kept = results.filter((result) => !result.endsWith('ignored'))
    expect(Object.groupBy(kept, String)).toMatchObject({
      'pull_request queued': { length: 7 },
      'push queued': { length: 2 },
    })
    expect(kept).toHaveLength(9)
    expect(new Set(logged)).toEqual(new Set([expect.stringMatching(/^GitHub pinged/)]))
  })
})

describe('what else the server says', () => {
  const get = (path: string, method = 'GET') => fetch(`${http.url}${path}`, { method })

  it('its health: the version and the queue', async () => {
    const answer = await get('/healthz')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ status: 'ok', version: expect.any(String) })
    queue = { ...queue, counts: () => Promise.reject(new Error('gone')) }
    expect((await get('/healthz')).status).toBe(503)
    expect(await (await get('/metrics')).text()).toContain('executor_queue_up 0')
  })

  it('what it counted', async () => {
    await deliver()
    await deliver()
    await deliver(undefined, { 'x-hub-signature-256': null })
    const text = await (await get('/metrics')).text()
    expect(text).toContain('executor_webhooks_total{event="issue_comment",result="queued"} 1')
    expect(text).toContain('executor_webhooks_total{event="issue_comment",result="known"} 1')
    expect(text).toContain('executor_webhooks_total{event="",result="refused"} 1')
    expect(text).toContain('executor_jobs{state="waiting"} 1')
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of lines) expect(line).toMatch(/^executor_\w+(?:\{[^{}]*\})? [\d.]+$/)
    expect(lines).toContain(`executor_info{version="${version}"} 1`)
  })

  it('what its jobs and their runs took', async () => {
    metrics.job('done', 1.5)
    await runObserved({
      directory: null,
      telemetry: { ...metrics.telemetry, close: async () => {} },
    })
    const text = await (await get('/metrics')).text()
    expect(text).toContain('executor_job_seconds_bucket{result="done",le="1"} 0')
    expect(text).toContain('executor_job_seconds_bucket{result="done",le="2"} 1')
    expect(text).toContain('executor_job_seconds_sum{result="done"} 1.5')
    expect(text).toMatch(/^gen_ai_client_token_usage_sum\{.*gen_ai_token_type="input".*\} 10$/m)
    expect(text).toMatch(/^executor_step_duration_count\{executor_step="verify_task",.*\} 1$/m)
    expect(text).toMatch(/^executor_call_duration_count\{.*error_type="forge_denied"\} 1$/m)
    expect(findCanaries(text)).toEqual([])
    expect(text).not.toContain('TEXT-OF-')
  })

  it.each([
    ['/', 'GET', 404],
    ['//', 'GET', 404],
    ['//[', 'GET', 404],
    ['/%', 'POST', 404],
    ['/api/github/webhooks', 'GET', 405],
    ['/healthz', 'POST', 405],
  ])('nothing at %s by %s', async (path, method, status) => {
    expect((await get(path, method)).status).toBe(status)
  })
})
