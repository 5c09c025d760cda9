import { type ChildProcess, spawn } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Octokit } from '@octokit/rest'
import { describe, expect, it } from 'vitest'
import type { WebhookEvent } from '../../../packages/github-simulator/github/records.ts'
import {
  type GitHubServer,
  startGitHubServer,
} from '../../../packages/github-simulator/github/server.ts'
import type { RepositoryOptions } from '../../../packages/github-simulator/github/store.ts'
import { deliver } from '../../../packages/github-simulator/github/webhooks.ts'
import { startModelServer } from '../../../packages/github-simulator/model.ts'
import { tokens } from '../../../packages/github-simulator/test/github/bench.ts'
import { appKey, webhookSecret } from '../../entry/app/app-key.ts'
import { cli } from '../cli/bench.ts'
import { alphabet } from '../cli/letters.ts'
import { file } from '../cli/model.ts'

const publicKey = createPublicKey(appKey).export({ type: 'spki', format: 'pem' }).toString()

const member = (task: string, home = 'ada/shop') => ({
  ...alphabet,
  'ROADMAP.md': `# Work\n\n${task}`,
  '.github/executor.yml': `runner: local\nworkspace: ${home}\nmerge-on-approve: true\nmerge-without-checks: true\n`,
})
const one = '- [ ] T-1: Add `one`\n  - **Files**: `src/one.js`\n'
const two = '- [ ] T-2: Add `two`\n  - **Files**: `src/two.js`\n  - **Depends on**: api:T-1\n'

const home = `repositories: { web: bob/web, api: ada/api }
sets: { pay: { tasks: [web:T-2, api:T-1], atomic: true } }
`

interface Options {
  readonly web?: Partial<RepositoryOptions>
  /** The workspace that `api` names. */
  readonly apiWorkspace?: string
  /** The second task never becomes right. */
  readonly fails?: boolean
}

/** The App as a process, on a GitHub of ours with two owners and a repository that names theirs as a workspace. */
async function open({ web = {}, apiWorkspace, fails = false }: Options = {}) {
  const root = await mkdtemp(join(tmpdir(), 'executor-app-workspace-'))
  const server = await startGitHubServer({
    root,
    tokens,
    app: { id: 77, slug: 'executor', publicKey },
    repositories: [
      { owner: 'ada', name: 'shop', installationId: 5, seed: { files: { 'workspace.yml': home } } },
      { owner: 'ada', name: 'api', installationId: 5, seed: { files: member(one, apiWorkspace) } },
      { owner: 'bob', name: 'web', installationId: 6, seed: { files: member(two) }, ...web },
    ],
  })
  const stays = '{"reason": "unknown", "explanation": "It stays wrong."}'
  const model = await startModelServer({
    script: [
      { when: { purpose: 'classify' }, answers: [() => stays] },
      {
        when: { contains: 'T-2' },
        answers: [() => file('src/two.js', `export const two = ${fails ? '' : 1}\n`)],
      },
      { when: {}, answers: [() => file('src/one.js', 'export const one = 1\n')] },
    ],
  })
  const lines: string[] = []
  const listeners = new Set<() => void>()
  let app: { readonly child: ChildProcess; readonly url: Promise<string> } | null = null
  const start = () => {
    const child = spawn(process.execPath, [cli, 'app'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...{ PATH: process.env.PATH ?? '', HOME: root, HOST: '127.0.0.1', PORT: '0' },
        ...{ APP_ID: '77', PRIVATE_KEY: appKey, WEBHOOK_SECRET: webhookSecret },
        ...{ GITHUB_API_URL: server.apiUrl, GITHUB_SERVER_URL: server.url },
        ...{ EXECUTOR_LOCAL_REPOSITORIES: 'ada/*,bob/*', EXECUTOR_DATA: join(root, 'data') },
        ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'key-of-the-model-4711' },
        ...{ OPENAI_MODEL: 'scripted', XDG_CACHE_HOME: join(root, 'cache') },
      },
    })
    const url = new Promise<string>((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        lines.push(line)
        const found = /listens at (\S+),/.exec(line)?.[1]
        if (found !== undefined) resolve(found)
        for (const tell of listeners) tell()
      })
    })
    app = { child, url }
  }
  start()
  // One after the other, as they happened; those of a stopped App wait for the next.
  let sent = Promise.resolve()
  const send = (event: WebhookEvent) => {
    sent = sent.then(async () => {
      for (;;) {
        const url = await app?.url
        const answer = await deliver(event, `${url}/api/github/webhooks`, webhookSecret).catch(
          () => null,
        )
        if (answer !== null) return
      }
    })
  }
  const kills = new Set<(event: WebhookEvent) => boolean>()
  server.onEvent((event) => {
    for (const is of kills) {
      if (!is(event)) continue
      kills.delete(is)
      app?.child.kill('SIGKILL')
      start()
    }
    send(event)
  })
  /** Resolves once the state of the repositories is as wanted, looked at after each line of the log. */
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) {
      const failed = lines.find((line) => /"status":"(?:failed|again)"/.test(line))
      if (failed !== undefined) throw new Error(lines.join('\n'))
      await new Promise<void>((resolve) => {
        const tell = () => {
          listeners.delete(tell)
          resolve()
        }
        listeners.add(tell)
      })
    }
  }
  const state = (name: 'api' | 'web') => server.state(name === 'api' ? 'ada' : 'bob', name)
  const pulls = async (name: 'api' | 'web') => (await state(name)).pulls
  const says = async (name: 'api' | 'web', text: RegExp) =>
    (await state(name)).comments.some(({ body }) => text.test(body))
  const placeOf = (name: 'api' | 'web') => ({ owner: name === 'api' ? 'ada' : 'bob', repo: name })
  const person = new Octokit({ auth: 'writer-token', baseUrl: server.apiUrl })
  const ask = (name: 'api' | 'web', type = 'executor') =>
    person.repos.createDispatchEvent({
      ...{ ...placeOf(name), event_type: type },
    })
  const comment = (name: 'api' | 'web', body: string, number = 1) =>
    person.issues.createComment({
      ...{ ...placeOf(name), issue_number: number, body },
    })
  const close = (name: 'api' | 'web', number: number) =>
    person.pulls.update({ ...placeOf(name), pull_number: number, state: 'closed' })
  const stop = async () => {
    const exited = app && once(app.child, 'exit')
    app?.child.kill('SIGTERM')
    await exited
    await model.close()
    await server.close()
    await rm(root, { recursive: true, force: true })
  }
  return {
    ...{ server, model, lines, kills, until, state, pulls, says, ask, comment, close },
    [Symbol.asyncDispose]: stop,
  }
}

const isClosed = (name: string, number: number) => (event: WebhookEvent) => {
  const {
    action,
    repository,
    number: which,
  } = event.payload as {
    readonly action?: string
    readonly number?: number
    readonly repository: { readonly name: string }
  }
  return (
    event.name === 'pull_request' &&
    action === 'closed' &&
    repository.name === name &&
    which === number
  )
}

const merges = ({ requests }: Pick<GitHubServer, 'requests'>) =>
  requests.flatMap(({ method, path }) =>
    method === 'PUT' && path.endsWith('/merge') ? path.split('/repos/')[1] : [],
  )

describe('the App in a workspace of two owners', () => {
  it('runs a task once what it needs elsewhere is done, and merges an approved set, though killed between the merges', async () => {
    await using app = await open()
    const { ask, until, state, pulls, says, comment, kills, server, model } = app
    await ask('web')
    await until(async () =>
      (await state('web')).issues.some(({ body }) => body.includes('waits for api:T-1')),
    )
    expect(model.requests).toHaveLength(0)
    await ask('api')
    await until(() => says('web', /executor:set pay/))
    await comment('api', '/approve')
    await until(() => says('api', /T-1 belongs to the set \*\*pay\*\*/))
    await until(() => says('web', /1\. `api:T-1`: \S+\/ada\/api\/pull\/1 \(approved\)/))
    expect(merges(server)).toEqual([])
    kills.add(isClosed('api', 1))
    await comment('web', '/approve', 2)
    await until(async () => (await pulls('web'))[0]?.state === 'merged')
    expect(kills.size).toBe(0)
    expect(await pulls('api')).toMatchObject([{ state: 'merged' }])
    await until(async () => (await says('api', /merged already/)) && says('web', /merged already/))
    expect(merges(server)).toEqual(['ada/api/pulls/1/merge', 'bob/web/pulls/2/merge'])
    expect(model.requests).toHaveLength(2)
    expect(server.contractViolations).toEqual([])
  }, 180_000)

  it('proposes the reverts once when an atomic set cannot be merged whole, and merges nothing until they are decided', async () => {
    await using app = await open({ web: { requiredReviews: 1 } })
    const { ask, until, pulls, says, comment, close, server } = app
    await ask('api')
    await until(() => says('web', /executor:set pay/))
    await comment('api', '/approve')
    await comment('web', '/approve', 1)
    await until(() =>
      says(
        'web',
        /api:T-1 merged, and web:T-2 cannot be merged: .*by reviewers with write access\. The set is atomic/,
      ),
    )
    await until(async () => (await pulls('api')).length > 1)
    expect(await pulls('api')).toMatchObject([
      { state: 'merged' },
      { title: expect.stringMatching(/^Revert /), state: 'open' },
    ])
    const [, revert] = await pulls('api')
    server.configure('bob', 'web', { requiredReviews: 0 })
    await ask('web', 'executor-reconcile')
    await close('api', revert?.number ?? 0)
    await until(async () => (await pulls('web'))[0]?.state === 'merged')
    expect(merges(server)).toEqual([
      'ada/api/pulls/1/merge',
      ...['bob/web/pulls/1/merge', 'bob/web/pulls/1/merge'],
    ])
    expect(await pulls('api')).toHaveLength(2)
    expect(server.contractViolations).toEqual([])
  }, 180_000)

  it('merges nothing of a set whose second part fails', async () => {
    await using app = await open({ fails: true })
    const { ask, until, pulls, says, comment, server } = app
    await ask('api')
    await until(async () => app.lines.some((line) => /bob\/web: ✖ T-2/.test(line)))
    await comment('api', '/approve')
    await until(() =>
      says('api', /1\. `api:T-1`: \S+ \(approved\)\n2\. `web:T-2`: \S+ \(is a draft\)/),
    )
    expect(merges(server)).toEqual([])
    expect(await pulls('api')).toMatchObject([{ state: 'open' }])
  }, 180_000)

  it('reads no repository that does not name the workspace itself', async () => {
    await using app = await open({ apiWorkspace: 'ada/other' })
    const { ask, until, state, server } = app
    await ask('web')
    const reason =
      'waits for api:T-1, which is not done: The workspace cannot be used: ada/api does not set workspace: ada/shop'
    await until(async () => (await state('web')).issues.some(({ body }) => body.includes(reason)))
    expect(
      server.requests.filter(({ path }) =>
        /ada\/api(?:\.git)?\/(?!contents|installation)/.test(path),
      ),
    ).toEqual([])
  }, 180_000)
})
