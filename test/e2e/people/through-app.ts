import { spawn } from 'node:child_process'
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { vi } from 'vitest'
import { layOutQueue } from '../../prepared-database.ts'
import { type ActionBench, apiKey } from '../action/action-bench.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const secret = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

/** What the test server must know of the App. */
export const appOnGitHub = {
  app: {
    id: 77,
    slug: 'executor',
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  },
  installationId: 5,
} as const

export interface AppProcess extends AsyncDisposable {
  /** Sends a signed webhook and waits until its job has ended; answers what was logged meanwhile. */
  deliver(event: string, payload: object): Promise<string>
}

/** The bundled App as its image starts it, for one repository that asks for `runner: local`. */
export async function startApp({ server, model }: ActionBench): Promise<AppProcess> {
  const home = await mkdtemp(join(tmpdir(), 'app-'))
  await mkdir(join(home, '.executor'))
  await layOutQueue(join(home, '.executor/queue'))
  const cli = join(import.meta.dirname, '../../../dist/cli.cjs')
  const child = spawn(process.execPath, [cli, 'app'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH, HOME: home, HOST: '127.0.0.1', PORT: '0' },
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      ...{ APP_ID: '77', WEBHOOK_SECRET: secret },
      PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      ...{ GITHUB_API_URL: server.apiUrl, GITHUB_SERVER_URL: server.url },
      ...{ OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'scripted-model' },
      ...{ EXECUTOR_LOCAL_REPOSITORIES: 'ada/engine', EXECUTOR_DASHBOARD: 'false' },
    },
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  const listening = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line)
      const url = /listens at (\S+),/.exec(line)?.[1]
      if (url !== undefined) listening.resolve(url)
    })
  }
  exited.then(() => listening.reject(new Error(lines.join('\n'))))
  const url = await listening.promise
  const ended = async (): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const of = (state: string) =>
      Number(new RegExp(`jobs\\{state="${state}"\\} (\\d+)`).exec(text)?.[1])
    return of('done') + of('failed')
  }
  return {
    async deliver(event, payload) {
      const [before, said] = [await ended(), lines.length]
      const body = JSON.stringify({ installation: { id: appOnGitHub.installationId }, ...payload })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const taken = await fetch(`${url}/api/github/webhooks`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'x-github-event': event,
          'x-github-delivery': randomUUID(),
          'x-hub-signature-256': `sha256=${signature}`,
        },
      })
      const { status } = taken
      const answer = await taken.text()
      if (status !== 202) throw new Error(`${event}: ${status} ${answer}`)
      if (!/ignored/i.test(answer)) {
        const isEnded = async () => {
          if ((await ended()) === before) throw new Error(`The job of ${event} has not ended.`)
        }
        await vi.waitFor(isEnded, { timeout: 90_000, interval: 200 })
      }
      return lines.slice(said).join('\n')
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      await rm(home, { recursive: true, force: true })
    },
  }
}
