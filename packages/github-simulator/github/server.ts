import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Answer } from './answer.ts'
import { answerGit } from './answer-git.ts'
import { answerGraphql } from './answer-graphql.ts'
import { answerRest } from './answer-rest.ts'
import { answerWeb, isWebPath } from './answer-web.ts'
import type { AppOptions } from './app.ts'
import { loadContract } from './contract.ts'
import { type Controls, createControls } from './controls.ts'
import { addRepository, createStore } from './create-store.ts'
import { createFaults, type Faults, strikesAfter, strikesBefore, struck } from './faults.ts'
import { createRepository, readDefaultBranch } from './git.ts'
import { readGitUrl, writeHooks } from './git-http.ts'
import type { Identity, WebhookEvent } from './records.ts'
import type { RecordedRequest, Recording, Running } from './running.ts'
import type { RepositoryOptions } from './store.ts'

export interface GitHubServerOptions {
  readonly repositories: readonly RepositoryOptions[]
  /** The owner of each token. `github-actions[bot]` owns a workflow's token. */
  readonly tokens: Readonly<Record<string, Identity>>
  /** The caller's folder for the bare repositories. */
  readonly root: string
  /** An app that repositories may name an installation of. */
  readonly app?: AppOptions
  /** The current time; by default the machine's clock. */
  readonly now?: () => Date
}

export interface GitHubServer extends Controls {
  /** `http://127.0.0.1:port`; repositories are at `url/owner/name.git`. */
  readonly url: string
  /** `url/api/v3`, as on GitHub Enterprise. */
  readonly apiUrl: string
  readonly requests: readonly RecordedRequest[]
  /** Requests and responses that differ from GitHub's description. */
  readonly contractViolations: readonly string[]
  /** All webhooks so far, oldest first. */
  readonly events: readonly WebhookEvent[]
  readonly faults: Pick<Faults, 'add' | 'clear'>
  close(): Promise<void>
}

/**
 * A GitHub on loopback: the REST API, GraphQL and git's smart HTTP over bare repositories. Pull
 * requests follow pushes. Every request and response is checked against GitHub's description.
 */
export async function startGitHubServer(options: GitHubServerOptions): Promise<GitHubServer> {
  // Keeps connections of clients that were busy for long.
  const server = createServer({ keepAliveTimeout: 120_000 })
  const url = await listen(server)
  const running = await setUp(options, url)
  server.on('request', (request, response) => {
    serve(running, request, response).catch((error: unknown) => {
      // A client that ends while it sends has asked for nothing.
      if (error !== request.errored)
        running.violations.push(`${request.method} ${request.url}: the server failed: ${error}`)
      response.destroy()
    })
  })
  return {
    url,
    apiUrl: running.store.apiUrl,
    requests: running.requests,
    contractViolations: running.violations,
    faults: running.faults,
    events: running.store.webhooks,
    ...createControls(running),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('There is no port to listen on.')
  return `http://127.0.0.1:${address.port}`
}

async function setUp(
  { repositories, tokens, root, app, now = () => new Date() }: GitHubServerOptions,
  url: string,
): Promise<Running> {
  const store = createStore({ url, tokens, app, clock: now })
  for (const one of repositories) {
    const directory = one.directory ?? join(root, one.owner, `${one.name}.git`)
    if (one.directory === undefined) await createRepository(directory, one.seed?.files)
    addRepository(store, one, directory, await readDefaultBranch(directory))
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    store,
    contract: await loadContract(),
    faults: createFaults(),
    violations: [],
    requests: [],
    hooks: await writeHooks(join(root, '.hooks')),
    inTurn(work) {
      const turn = last.then(work)
      last = turn.catch(() => {})
      return turn
    },
  }
}

async function serve(
  running: Running,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', running.store.url)
  const { kind, path } = addressOf(url)
  const { method = 'GET' } = request
  const record: Recording = {
    kind,
    method,
    at: Date.now(),
    writes:
      kind === 'git' ? (readGitUrl(url)?.writes ?? false) : kind === 'rest' && method !== 'GET',
    path: path + url.search,
    login: null,
    body: undefined,
    status: 0,
  }
  running.requests.push(record)

  const effect = running.faults.take(method, path)
  if (effect?.kind === 'delay') {
    effect.met?.()
    await new Promise((resolve) => setTimeout(resolve, effect.seconds * 1000))
  }
  if (effect !== null && strikesBefore(effect))
    return send(request, response, record, struck(effect))
  const answers = {
    rest: () => answerRest(running, request, record, url, effect),
    graphql: () => answerGraphql(running, request, record, effect),
    git: () => answerGit(running, request, record, url),
    web: () => answerWeb(running, request, record, url),
  }
  const answer = await answers[kind]()
  send(request, response, record, effect !== null && strikesAfter(effect) ? struck(effect) : answer)
}

/** Paths below `/api/v3` are REST, as on GitHub Enterprise. */
function addressOf({ pathname }: URL): Pick<RecordedRequest, 'kind' | 'path'> {
  if (pathname === '/api/graphql') return { kind: 'graphql', path: '/graphql' }
  if (isWebPath(pathname)) return { kind: 'web', path: pathname }
  if (!pathname.startsWith('/api/v3/')) return { kind: 'git', path: pathname }
  return { kind: 'rest', path: pathname.slice('/api/v3'.length) }
}

/** Sends an answer; `null` cuts the connection. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  record: Recording,
  answer: Answer | null,
): void {
  request.resume()
  if (answer === null) {
    response.destroy()
    return
  }
  record.status = answer.status
  response.writeHead(answer.status, answer.headers)
  response.end(answer.body)
}
