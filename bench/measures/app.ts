import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { startPostgres } from '../../test/adapters/pg-queue/engines.ts'
import { appKey, webhookSecret } from '../../test/entry/app/app-key.ts'
import type { Row } from '../row.ts'
import { project, type Workshop } from '../workshop.ts'

const connections = 80

/**
 * The App while many send it large bodies with a false signature: how much it grows, and how it answers
 * others beside them. And what it takes at rest, with its queue in PostgreSQL.
 */
export async function measureApp({ directory }: Workshop): Promise<readonly Row[]> {
  const home = await mkdtemp(join(directory, 'app-'))
  const attacked = await withApp(home, {}, measure)
  const postgres = await startPostgres()
  try {
    const database = await postgres.create()
    const url = database.kind === 'postgres' ? database.url : ''
    const resting = await withApp(home, { DATABASE_URL: url }, measureAtRest)
    return [...attacked, ...resting]
  } finally {
    await postgres.stop()
  }
}

type App = ChildProcessByStdio<null, Readable, null>

async function withApp(
  home: string,
  more: Readonly<Record<string, string>>,
  use: (app: App, url: string) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const app = spawn(process.execPath, [join(project, 'dist/cli.cjs'), 'app'], {
    cwd: home,
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: home, HOST: '127.0.0.1', PORT: '0' },
      ...{ APP_ID: '1', PRIVATE_KEY: appKey, WEBHOOK_SECRET: webhookSecret },
      // No one answers there.
      ...{ GITHUB_API_URL: 'http://127.0.0.1:1', ...more },
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    return await use(app, await addressOf(app))
  } finally {
    app.kill()
    await once(app, 'exit')
  }
}

const webhooks = 10
const restSeconds = 10

async function measureAtRest(app: App, url: string): Promise<readonly Row[]> {
  app.stdout.resume()
  for (let number = 0; number < webhooks; number += 1) {
    const body = JSON.stringify({
      ...{ ref: 'refs/heads/main', after: `${number}`, installation: { id: 7 } },
      repository: { full_name: `octo/app-${number}`, default_branch: 'main' },
    })
    const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
    const answer = await fetch(`${url}/api/github/webhooks`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'x-github-event': 'push' },
        ...{ 'x-github-delivery': `${number}`, 'x-hub-signature-256': `sha256=${signature}` },
      },
      body,
    })
    const { result } = z.object({ result: z.string() }).parse(await answer.json())
    if (result !== 'queued') throw new Error(`The webhook was ${result}.`)
  }
  await setTimeout(restSeconds * 1000)
  const figure = `memory of the App at rest, after ${webhooks} webhooks, with PostgreSQL`
  return [{ figure, unit: 'MB', measured: await residentMegabytes(app.pid), limit: 250 }]
}

async function addressOf(app: App): Promise<string> {
  for await (const line of createInterface(app.stdout)) {
    const found = /listens at (\S+),/.exec(line)?.[1]
    if (found !== undefined) return found
  }
  throw new Error('The App did not start.')
}

async function measure(app: App, url: string): Promise<readonly Row[]> {
  app.stdout.resume()
  await health(url)
  const before = await residentMegabytes(app.pid)
  let isOver = false
  let most = before
  const waits: number[] = []
  // In a thread of its own, so that what is measured here is the App's time, not ours.
  const attack = new Worker(new URL('../large-bodies.ts', import.meta.url), {
    workerData: { url, connections },
  })
  const statuses = once(attack, 'message').then(([found]: readonly number[][]) => {
    isOver = true
    return found ?? []
  })
  while (!isOver) {
    waits.push(await health(url))
    most = Math.max(most, await residentMegabytes(app.pid))
  }
  const answered = (await statuses).filter((status) => status === 401 || status === 503).length
  if (answered !== connections) throw new Error(`${answered} of ${connections} were refused.`)
  const besides = `beside ${connections} large bodies with a false signature`
  return [
    { figure: `growth of the App ${besides}`, unit: 'MB', measured: most - before, limit: 100 },
    {
      figure: `slowest /healthz ${besides}`,
      unit: 'ms',
      measured: Math.max(...waits),
      limit: 200,
      samples: waits,
    },
  ]
}

/** Milliseconds. */
async function health(url: string): Promise<number> {
  const start = performance.now()
  await (await fetch(`${url}/healthz`)).text()
  return performance.now() - start
}

/** Of a process, now. */
async function residentMegabytes(pid = 0): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1000
}
