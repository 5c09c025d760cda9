import { type Bench, openBench } from '../../../../packages/github-simulator/test/github/bench.ts'
import { openApp, type RunningApp } from '../../../../src/entry/app/open-app.ts'
import { readEnvironment } from '../../../../src/entry/app/read-environment.ts'
import type { AppJob, AppWork } from '../../../../src/entry/app/receive-webhook.ts'
import { writeReportHtml } from '../../../../src/publish/report/write-report-html.ts'
import { createMemoryQueue } from '../../../fakes/memory-queue.ts'
import { aNight } from '../../../publish/report/a-night.ts'
import { appKey, appPublicKey, webhookSecret } from '../app-key.ts'

export const registration = {
  ...{ privateKey: appKey, webhookSecret },
  ...{ clientId: 'Iv1.0123456789abcdef', clientSecret: 'c11e47-5ec2e7-0f-the-app' },
}
export const pagesToken = '0pe2a7025-70ken-0f-7he-pages'

export const attack =
  '</script><script>alert(1)</script><img src="https://evil.example/x" onerror=alert(2)>'

const tokens = {
  'owner-token': { login: 'ada', id: 1, type: 'User' },
  'other-token': { login: 'mallory', id: 3, type: 'User' },
} as const

const job = (number: number, repository: string, installation: number): AppJob => ({
  ...{ id: `job-${number}`, repository, installation, event: 'issue_comment' },
  ...{ payload: { kind: 'run', only: null }, receivedAt: `2026-01-0${number}T03:04:05.000Z` },
})

export interface OpenPages extends AsyncDisposable {
  readonly url: string
  readonly bench: Bench
  readonly lines: readonly string[]
}

/**
 * The App's server beside a GitHub with two installations: jobs 1 (done, with a report), 2 (failed), 3 (running) and 4
 * (waiting) are of ada/engine, job 5 (done, with a report) of mallory/secret.
 */
export async function openPages(
  more: Readonly<Record<string, string>> = {
    EXECUTOR_PAGES: 'on',
    EXECUTOR_PAGES_TOKEN: pagesToken,
  },
  said = attack,
): Promise<OpenPages> {
  const only = (owner: string) => ({
    permissions: Object.fromEntries(
      ['ada', 'mallory'].map((login) => [login, login === owner ? 'admin' : 'none'] as const),
    ),
    private: true,
  })
  const bench = await openBench(
    {},
    {
      tokens,
      repositories: [
        { owner: 'ada', name: 'engine', installationId: 5, ...only('ada') },
        { owner: 'mallory', name: 'secret', installationId: 6, ...only('mallory') },
      ],
      app: { id: 77, slug: 'executor', publicKey: appPublicKey, registration },
    },
  )
  const { url: serverUrl, apiUrl } = bench.server
  const environment = {
    ...{ APP_ID: '77', PRIVATE_KEY: appKey, WEBHOOK_SECRET: webhookSecret },
    ...{ GITHUB_CLIENT_ID: registration.clientId, GITHUB_CLIENT_SECRET: registration.clientSecret },
    ...{ GITHUB_API_URL: apiUrl, GITHUB_SERVER_URL: serverUrl, HOST: '127.0.0.1', PORT: '0' },
    ...more,
  }
  const queue = createMemoryQueue<AppWork>()
  const stop = new AbortController()
  await fill(queue, stop.signal, said)
  const lines: string[] = []
  const app: RunningApp = await openApp({
    environment: await readEnvironment(environment, { takesWebhooks: true }),
    ...{ queue, readEvent: null, serve: null },
    log: (line) => void lines.push(line),
  })
  return {
    ...{ url: app.url, bench, lines },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await app.close()
      await bench[Symbol.asyncDispose]()
    },
  }
}

async function fill(
  queue: ReturnType<typeof createMemoryQueue<AppWork>>,
  stop: AbortSignal,
  said: string,
) {
  const running = Promise.withResolvers<void>()
  const { report } = aNight(14, () => ({ title: said }))
  await queue.enqueue(job(5, 'mallory/secret', 6))
  for (const number of [1, 2, 3, 4]) await queue.enqueue(job(number, 'ada/engine', 5))
  await queue.work(
    async ({ id }) => {
      if (id === 'job-2') return { status: 'failed', reason: said }
      if (id !== 'job-3') return { status: 'done', left: { report: writeReportHtml(report) } }
      running.resolve()
      await new Promise((resolve) => stop.addEventListener('abort', resolve))
      return { status: 'done' }
    },
    { concurrency: 1 },
  )
  await running.promise
}
