import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { patientFetch } from '../../../src/adapters/openai/patient-fetch.ts'
import { closers, connect, question } from './start-model.ts'

const shared = Symbol.for('undici.globalDispatcher.1')
let before: unknown

interface Limits {
  readonly headersTimeout: number
  readonly bodyTimeout: number
}

/** Milliseconds that stand for the 300 seconds of Node's client. */
const impatient: Limits = { headersTimeout: 50, bodyTimeout: 50 }

beforeEach(async () => {
  // Loads the client.
  void new Headers()
  before = Reflect.get(globalThis, shared)
  const own = before as { constructor: new (limits: Limits) => unknown }
  Reflect.set(globalThis, shared, new own.constructor(impatient))
})

afterEach(async () => {
  Reflect.set(globalThis, shared, before)
  await Promise.all(closers.splice(0).map((close) => close()))
})

/** A server that answers each request when it is told to. */
async function startSlow(serve: (url: string, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    serve(request.url ?? '', response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const reasonOf = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'answered',
    (error: unknown) => String(Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code')),
  )

it.each([
  ['headers', false, 'UND_ERR_HEADERS_TIMEOUT'],
  ['the next piece', true, 'UND_ERR_BODY_TIMEOUT'],
])('waits for %s longer than the client of Node', async (_, startsAnswer, code) => {
  const slow = Promise.withResolvers<ServerResponse>()
  const url = await startSlow((path, response) => {
    if (startsAnswer) response.write('first ')
    if (path === '/slow') slow.resolve(response)
  })
  const answer = patientFetch(`${url}/slow`).then((response) => response.text())
  const response = await slow.promise
  expect(await reasonOf(fetch(`${url}/given-up`).then((given) => given.text()))).toBe(code)
  response.end('last')
  expect(await answer).toBe(startsAnswer ? 'first last' : 'last')
})

it('is how the model is asked', async () => {
  const slow = Promise.withResolvers<ServerResponse>()
  const url = await startSlow((path, response) => {
    if (path === '/v1/chat/completions') slow.resolve(response)
  })
  const { model } = connect(`${url}/v1`)
  const reply = model.complete(question)
  const response = await slow.promise
  expect(await reasonOf(fetch(`${url}/given-up`))).toBe('UND_ERR_HEADERS_TIMEOUT')
  const choices = [{ message: { content: 'late' }, finish_reason: 'stop' }]
  response.end(JSON.stringify({ choices }))
  expect(await reply).toMatchObject({ status: 'answered', text: 'late' })
})
