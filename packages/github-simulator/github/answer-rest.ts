import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Answer } from './answer.ts'
import { refusalOfSigned } from './app.ts'
import type { OperationId } from './contract.ts'
import {
  type AnyRoute,
  type AppRoute,
  type Call,
  failure,
  notFound,
  type Reply,
  type Route,
  refusalTo,
  type TopRoute,
} from './exchange.ts'
import type { FaultEffect } from './faults.ts'
import { followGit } from './follow-git.ts'
import { mayAt, maySee } from './permissions.ts'
import { hourlyLimit } from './resources/people.ts'
import { findRoute } from './routes.ts'
import { identify, type Recording, type Running } from './running.ts'
import { findRepository } from './store.ts'

/** Handles one REST request from its token to its response. */
export async function answerRest(
  running: Running,
  request: IncomingMessage,
  record: Recording,
  url: URL,
  effect: FaultEffect | null,
): Promise<Answer> {
  const text = (await buffer(request)).toString()
  const token = identify(running.store, request.headers.authorization)
  const viewer = token === null ? null : token?.person
  record.login = viewer?.login ?? null
  running.store.used += 1
  const reply = await replyTo()
  return finish(running, request, effect?.kind === 'lag' ? withoutNewest(reply) : reply)

  async function replyTo(): Promise<Reply> {
    const found = findRoute(record.method, url.pathname.replace('/api/v3', ''))
    const isApp = found !== null && 'handleApp' in found.route
    if (viewer === undefined && !isApp) return failure(401, 'Bad credentials')
    record.body = parseJson(text)
    if (record.body === unreadable) return failure(400, 'Problems parsing JSON')
    if (found === null) return notFound
    const { route, parameters } = found
    const parts = { parameters, query: Object.fromEntries(url.searchParams), body: record.body }
    const wrong = running.contract.checkRequest(describedAs(route), parts)
    if (wrong !== null) {
      running.violations.push(`${record.method} ${record.path}: request: ${wrong}`)
      return failure(422, `Invalid request.\n\n${wrong}`)
    }
    const { store } = running
    const scope = token?.repositories ?? null
    const call = { ...parts, store, viewer: viewer ?? null, scope, body: record.body ?? {}, url }
    const reply = await running.inTurn(async () =>
      'handleApp' in route ? asApp(route, call, request, record) : handle(route, call),
    )
    return checked(running, route, record, reply)
  }
}

/** Apps authenticate with a token that they sign; GitHub issues no such tokens. */
function asApp(
  route: AppRoute,
  call: Call,
  request: IncomingMessage,
  record: Recording,
): Reply | Promise<Reply> {
  const { app, time } = call.store
  if (app === null) return failure(401, 'A JSON web token could not be decoded')
  const refused = refusalOfSigned(app, request.headers.authorization, time())
  if (refused !== null) return failure(401, refused)
  record.login = app.bot.login
  return route.handleApp({ ...call, app })
}

async function handle(route: Route | TopRoute, call: Call): Promise<Reply> {
  if ('handleTop' in route) return route.handleTop(call)
  const { owner = '', repo = '' } = call.parameters
  const repository = findRepository(call.store, owner, repo)
  const isOutside = repository !== undefined && call.scope?.has(repository.id) === false
  if (repository === undefined || !maySee(repository, isOutside ? null : call.viewer)) {
    return notFound
  }
  const inside = { ...call, repository, git: repository.git }
  const { viewer } = call
  // A change made directly in the bare repository counts as its owner's.
  await followGit({ ...inside, viewer: repository.owner })
  if (route.access === 'read') {
    return route.handle(inside)
  }
  if (viewer === null) return failure(401, 'Requires authentication')
  if (isOutside) return failure(403, refusalTo(viewer))
  if (route.access !== 'anyone' && !mayAt(route.access, repository, viewer)) {
    return failure(403, route.refusal ?? refusalTo(viewer))
  }
  return route.handle({ ...inside, viewer })
}

const describedAs = (route: AnyRoute): OperationId => ({
  method: route.method,
  path: ('describedAs' in route ? route.describedAs : undefined) ?? route.path,
})

function checked(running: Running, route: AnyRoute, record: Recording, reply: Reply): Reply {
  const wrong = running.contract.checkResponse(describedAs(route), reply.status, reply.body)
  if (wrong === null) return reply
  const violation = `${record.method} ${record.path}: answer ${reply.status}: ${wrong}`
  running.violations.push(violation)
  return failure(500, violation)
}

function finish({ store }: Running, request: IncomingMessage, reply: Reply): Answer {
  const body = reply.body === undefined ? '' : JSON.stringify(reply.body)
  const etag = `W/"${createHash('sha1').update(body).digest('hex')}"`
  const headers: Record<string, string> = {
    'x-ratelimit-limit': `${hourlyLimit}`,
    'x-ratelimit-remaining': `${Math.max(0, hourlyLimit - store.used)}`,
    'x-ratelimit-used': `${store.used}`,
    'x-ratelimit-reset': `${Math.floor(Date.now() / 1000) + 3600}`,
    'x-ratelimit-resource': 'core',
    ...reply.headers,
  }
  const isRead = request.method === 'GET' && reply.status === 200
  if (isRead) headers.etag = etag
  if (isRead && request.headers['if-none-match'] === etag) {
    store.used -= 1 // a 304 does not count against GitHub's rate limit
    return { status: 304, headers, body: '' }
  }
  if (body !== '') headers['content-type'] = 'application/json; charset=utf-8'
  return { status: reply.status, headers, body }
}

const unreadable = Symbol('unreadable')

function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return unreadable
  }
}

/** A list without its newest entry. */
function withoutNewest(reply: Reply): Reply {
  if (!Array.isArray(reply.body)) return reply
  const items: readonly { readonly id?: number }[] = reply.body
  const newest = Math.max(...items.map(({ id = 0 }) => id))
  return { ...reply, body: items.filter(({ id }) => id !== newest) }
}
