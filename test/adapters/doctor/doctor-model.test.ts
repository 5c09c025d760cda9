import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it, test } from 'vitest'
import type { ScriptedReply } from '../../../packages/github-simulator/model/model-script.ts'
import {
  type ModelServer,
  startModelServer,
} from '../../../packages/github-simulator/model/start-model-server.ts'
import { checkModel } from '../../../src/adapters/doctor/doctor-model.ts'
import { someSettings } from '../../fakes/facts.ts'

const key = 'sk-doctor-0123456789'
const models = ['small-1', 'qwen:latest', 'models/gemini']
const failing = (status: number, message: string): ScriptedReply => ({
  fault: { kind: 'status', status, message },
})

const check = (baseUrl: string, name: string, { asks = true, apiKey = key } = {}) =>
  checkModel({
    settings: { ...someSettings().model, baseUrl, name },
    ...{ apiKey, asks },
  })

interface Case {
  readonly it: string
  readonly model?: string
  readonly answer?: ScriptedReply
  readonly asks?: boolean
  readonly apiKey?: string
  readonly says: RegExp
  readonly next?: RegExp
  readonly status: 'ok' | 'warn' | 'fail'
  readonly calls?: number
}

const cases: readonly Case[] = [
  {
    it: 'a model that answers',
    status: 'ok',
    says: /small-1 at .* answers \(\d\.\d s, \d+ tokens\)$/,
  },
  {
    it: 'one that has no room to answer',
    answer: { text: '', finish: 'length' },
    status: 'ok',
    says: /answers/,
  },
  {
    it: 'one that calls that an error',
    // The limit is asked for by its other name, too.
    calls: 2,
    answer: failing(
      400,
      'Could not finish the message because max_tokens or model output limit was reached.',
    ),
    ...{ status: 'ok', says: /answers/ },
  },
  {
    it: 'a wrong key',
    apiKey: 'sk-other-0123456789',
    status: 'fail',
    calls: 0,
    says: /rejects the key \(401\)$/,
    next: /OPENAI_API_KEY/,
  },
  {
    it: 'a wrong key, looked up',
    ...{ apiKey: 'sk-other-0123456789', asks: false, calls: 0 },
    ...{ status: 'fail', says: /rejects the key \(401\)$/, next: /OPENAI_API_KEY/ },
  },
  {
    it: 'a model that is not there',
    ...{ model: 'smal-1', calls: 0, status: 'fail', says: /has no model smal-1$/ },
    next: /^Did you mean small-1\? It lists small-1, qwen:latest, models\/gemini\.$/,
  },
  {
    it: 'a model that is not there, looked up',
    ...{
      model: 'other-9',
      asks: false,
      calls: 0,
      status: 'fail',
      says: /has no model other-9$/,
      next: /^It lists/,
    },
  },
  {
    it: 'a model, looked up',
    asks: false,
    calls: 0,
    status: 'ok',
    says: /answers and has small-1$/,
  },
  {
    it: 'the newest of a name',
    model: 'qwen',
    asks: false,
    calls: 0,
    status: 'ok',
    says: /has qwen$/,
  },
  {
    it: 'a folder before the name',
    model: 'gemini',
    asks: false,
    calls: 0,
    status: 'ok',
    says: /has gemini$/,
  },
  {
    it: 'overload',
    answer: failing(503, 'Loading'),
    status: 'warn',
    says: /does not answer now: it answered 503/,
    next: /try again/,
  },
  {
    it: 'a refusal',
    answer: failing(400, 'No chat here'),
    status: 'fail',
    says: /rejects a request for small-1: it answered 400: No chat/,
  },
]

test.for(cases)('doctor asks the model: $it', async (one) => {
  const { model = 'small-1', answer = { text: 'ok' }, calls = 1, next } = one
  const script = [{ when: {}, answers: [answer] }]
  // A model that is not in the list is called all the same where the list does not bind the server.
  const server = await startModelServer({ script, models, apiKey: key })
  afterAll(() => server.close())
  const found = await check(server.url, model, one)
  expect(found).toMatchObject({ name: 'model', status: one.status })
  expect(found.detail).toMatch(one.says)
  expect(found.detail).not.toContain(key)
  if (next !== undefined) expect(found.next).toMatch(next)
  else if (one.status === 'ok') expect(found.next).toBe('')
  expect(callsOf(server)).toEqual(Array(calls).fill(['doctor', 16]))
})

const callsOf = ({ requests }: ModelServer) =>
  requests.map(({ purpose, maxTokens }) => [purpose, maxTokens])

it('says that a list is unknown, and calls the model all the same', async () => {
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.writeHead(404).end('not found')
    const choices = [{ message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }]
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/v1`
  expect(await check(url, 'any')).toMatchObject({ status: 'ok' })
  const looked = await check(url, 'any', { asks: false })
  expect(looked).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('does not say whether it has any'),
  })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const gone = await check(url, 'any')
  expect(gone).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching(/cannot be reached \(/),
  })
})
