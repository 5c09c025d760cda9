import { createPublicKey } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WebhookEvent } from '../../../packages/github-simulator/github/records.ts'
import { deliver } from '../../../packages/github-simulator/github/webhooks.ts'
import {
  type Bench,
  openBench,
  target,
} from '../../../packages/github-simulator/test/github/bench.ts'
import { openClient } from '../../../src/adapters/octokit/client.ts'
import { createOctokitForge } from '../../../src/adapters/octokit-forge.ts'
import { createSystemClock } from '../../../src/adapters/system.ts'
import { openApp, type RunningApp } from '../../../src/entry/app/open-app.ts'
import type { LocalPlace, ServeRepository } from '../../../src/entry/app/open-place.ts'
import { readEnvironment } from '../../../src/entry/app/read-environment.ts'
import type { AppWork } from '../../../src/entry/app/receive-webhook.ts'
import { readEvent } from '../../../src/runs/triggers/read-event.ts'
import { createMemoryQueue } from '../../fakes/memory-queue.ts'
import { appKey, webhookSecret } from './app-key.ts'

const workflow = `on:
  workflow_dispatch:
    inputs:
      task:
        type: string
jobs: {}
`
const publicKey = createPublicKey(appKey).export({ type: 'spki', format: 'pem' }).toString()
const appOptions = { id: 77, slug: 'executor', publicKey }

let opened: { readonly app: RunningApp; readonly bench: Bench } | null
let lines: string[]
let waiting: (() => void)[]

beforeEach(() => {
  opened = null
  lines = []
  waiting = []
})
afterEach(async () => {
  await opened?.app.close()
  await opened?.bench[Symbol.asyncDispose]()
})

/** The App beside a GitHub where it is installed, with every webhook of that on its way. */
async function open(
  config: string,
  serveRepository: ServeRepository = async () => ({ status: 'done' }),
  app: object = {},
  more: Readonly<Record<string, string>> = {},
) {
  const files = { '.github/executor.yml': config, '.github/workflows/executor.yml': workflow }
  const bench = await openBench(
    { installationId: 5, seed: { files } },
    { app: { ...appOptions, ...app } },
  )
  const environment = {
    APP_ID: '77',
    PRIVATE_KEY: appKey,
    WEBHOOK_SECRET: webhookSecret,
    EXECUTOR_LOCAL_REPOSITORIES: 'ada/*',
    GITHUB_API_URL: bench.server.apiUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    ...more,
  }
  const running = await openApp({
    environment: await readEnvironment(environment, { takesWebhooks: true }),
    queue: createMemoryQueue<AppWork>(),
    readEvent,
    serve: { serveRepository, openSession: () => Promise.reject(new Error('no workspace')) },
    log(line) {
      lines.push(line)
      for (const tell of waiting.splice(0)) tell()
    },
  })
  opened = { app: running, bench }
  const send = async (event: WebhookEvent) => {
    const answer = await deliver(event, `${running.url}/api/github/webhooks`, webhookSecret)
    return (await answer.json()) as { readonly result: string }
  }
  const metrics = async () => (await fetch(`${running.url}/metrics`)).text()
  return { bench, send, metrics, url: running.url }
}

async function untilLogged(pattern: RegExp): Promise<void> {
  while (!lines.some((line) => pattern.test(line))) {
    const failed = lines.find((line) => / (?:again|failed): /.test(line))
    if (failed !== undefined) throw new Error(failed)
    await new Promise<void>((tell) => waiting.push(tell))
  }
}

const comment = async (bench: Bench, body = '/status') => {
  const { issues } = bench.octokit('writer-token')
  const { data: issue } = await issues.create({ ...target, title: 'A wish' })
  await issues.createComment({ ...target, issue_number: issue.number, body })
}

describe('a comment on a repository with the App', () => {
  it('starts its workflow once, whatever GitHub answers to that, and what that causes starts none', async () => {
    const { bench, send, metrics } = await open('max-open-prs: 3\n')
    bench.server.faults.add({
      method: 'POST',
      path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
      effect: { kind: 'status', status: 502, when: 'after' },
    })
    await comment(bench)
    const results: Record<string, string> = {}
    const happened = [...bench.server.events]
    for (const event of happened) results[event.name] = (await send(event)).result
    await untilLogged(/executor\.yml was started/)
    // Its own dispatch comes back, and the comment a second time.
    for (const event of bench.server.events) {
      const { result } = await send(event)
      if (!happened.includes(event)) results[event.name] = result
    }
    expect(results).toEqual({
      issues: 'ignored',
      issue_comment: 'queued',
      workflow_dispatch: 'ignored',
    })
    const { runs } = await bench.server.state('ada', 'engine')
    expect(runs).toMatchObject([{ event: 'workflow_dispatch', branch: 'main' }])
    expect(bench.server.contractViolations).toEqual([])
    expect(await metrics()).toMatch(
      /executor_webhooks_total\{event="issue_comment",result="known"\} 1/,
    )
    expect(await metrics()).toMatch(/executor_job_seconds_count\{result="done"\} 1/)
  })
})

describe('runner: local', () => {
  it('answers once, though GitHub hides that it took the answer, with a token that it renews', async () => {
    const places: LocalPlace[] = []
    const { bench, send } = await open(
      'runner: local\n',
      async (trigger, place) => {
        places.push(place)
        if (trigger.kind !== 'remark') return { status: 'failed', reason: trigger.kind }
        const repository = openClient({ ...place, clock: createSystemClock(), pace: false })
        const forge = createOctokitForge(repository)
        await forge.upsertComment(trigger.remark.on, '<!-- answer -->', 'Nothing to do.')
        place.log('answered')
        return { status: 'done' }
      },
      // Shorter than the second that is waited before a look.
      { tokenSeconds: 1 },
    )
    await comment(bench)
    bench.server.faults.add({
      method: 'POST',
      path: '/repos/{owner}/{repo}/issues/{issue_number}/comments',
      effect: { kind: 'status', status: 502, when: 'after' },
    })
    const event = bench.server.events.find(({ name }) => name === 'issue_comment')
    if (event === undefined) throw new Error('There was no comment.')
    expect(await send(event)).toMatchObject({ result: 'queued' })
    await untilLogged(/answered/)
    const { comments } = await bench.server.state('ada', 'engine')
    const ours = comments.filter(({ author }) => author === 'executor[bot]')
    expect(ours, lines.join('\n')).toHaveLength(1)
    expect(places.map(({ login }) => login)).toEqual(['executor[bot]'])
    const asked = bench.server.requests.filter(({ path }) => path.endsWith('/access_tokens'))
    expect(asked.length).toBeGreaterThan(1)
    expect(bench.server.contractViolations).toEqual([])
  })
})

describe('the clock', () => {
  it.each([
    ['runner: local\n', 1],
    ['runner: actions\n', 0],
    ['runner: local\nschedule: off\n', 0],
  ])('starts a run of a repository with %j: %i', async (config, count) => {
    const places: LocalPlace[] = []
    const { bench } = await open(
      config,
      async (trigger, place) => {
        expect(trigger).toEqual({ kind: 'run', only: null })
        places.push(place)
        return { status: 'done' }
      },
      {},
      { EXECUTOR_SCHEDULE: '* * * * *' },
    )
    await untilLogged(count > 0 ? /schedule done/ : /The clock knows 0 schedules/)
    expect(places).toHaveLength(count)
    expect((await bench.server.state('ada', 'engine')).runs).toEqual([])
    expect(bench.server.contractViolations).toEqual([])
  })
})

describe('the start page', () => {
  it('says what this is and whether it works, and links to where one installs it', async () => {
    const { bench, url } = await open('')
    const answer = await fetch(url)
    const text = await answer.text()
    expect(answer.status).toBe(200)
    expect(text).toContain('The server works.')
    expect(text).toContain(`href="${bench.server.url}/apps/executor/installations/new"`)
    expect((await fetch(`${url}/setup?code=1&state=2`)).status).toBe(404)
    expect((await fetch(`${url}/?token=1`)).status).toBe(200)
    expect((await fetch(url, { method: 'POST' })).status).toBe(405)
    expect(bench.server.contractViolations).toEqual([])
  })
})
