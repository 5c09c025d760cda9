import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import type { ModelScript } from '../../packages/github-simulator/model/model-script.ts'
import { type ModelServer, startModelServer } from '../../packages/github-simulator/model.ts'
import { createRedactor } from '../../packages/text/secrets/redact.ts'
import { createModelRelay } from '../../src/adapters/model-relay.ts'
import type { Admission, RelayedRequest, RelaySize } from '../../src/core/ports/relay.ts'
import { someSettings } from '../fakes/facts.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'

const key = 'sk-canary-0123456789abcdefghij'

interface Given {
  readonly script?: ModelScript
  readonly baseUrl?: string
  /** The reason of the first refused request, from this one on. */
  readonly mostRequests?: number
  readonly signal?: AbortSignal
}

/** A relay to a model server, and what it admitted and booked. */
async function start({ script = ['hello'], baseUrl, mostRequests = 100, signal }: Given = {}) {
  const server: ModelServer = await startModelServer({ script, apiKey: key })
  onTestFinished(() => server.close())
  const sizes: RelaySize[] = []
  const booked: RelayedRequest[] = []
  const admit = async (size: RelaySize): Promise<Admission> => {
    sizes.push(size)
    if (sizes.length > mostRequests) return { status: 'over_budget', reason: 'Nothing is left.' }
    const settle = async (ended: RelayedRequest) => void booked.push(ended)
    return { status: 'admitted', model: 'ours', maxOutputTokens: 400, settle }
  }
  const settings = { ...someSettings().model, prices: { ours: { prompt: 1e6, completion: 2e6 } } }
  const relay = await createModelRelay({
    ...{ baseUrl: baseUrl ?? server.url, apiKey: key, settings, clock: createFakeClock() },
    ...{ redact: createRedactor([key]), signal: signal ?? new AbortController().signal },
  }).open('ours', admit)
  onTestFinished(() => relay.close())
  const { OPENAI_API_KEY: word = '', OPENAI_BASE_URL: root = '' } = relay.env
  const ask = (path: string, body: unknown, headers: Record<string, string> = bearer(word)) =>
    fetch(`${root}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { server, relay, word, sizes, booked, ask }
}

const bearer = (word: string) => ({ authorization: `Bearer ${word}` })
const hello = { model: 'any', messages: [{ role: 'user', content: 'hi' }] }

describe('a request of a program', () => {
  test.each<[string, string, object, (word: string) => Record<string, string>]>([
    ['a completion', '/chat/completions', hello, bearer],
    ['a stream', '/chat/completions', { ...hello, stream: true }, bearer],
    ['a response', '/responses', { model: 'any', input: 'hi' }, bearer],
    [
      'messages',
      '/messages',
      { ...hello, max_tokens: 9000 },
      (word) => ({ 'x-api-key': word, 'anthropic-version': '2023-06-01' }),
    ],
  ])('gets %s of our model, which is booked', async (_, path, body, headers) => {
    const { server, word, ask, booked, sizes } = await start()
    const answer = await ask(path, body, headers(word))
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('hello')
    expect(server.requests).toMatchObject([{ model: 'ours', maxTokens: 400 }])
    expect(sizes).toMatchObject([{ maxOutputTokens: path === '/messages' ? 9_000 : 16_000 }])
    const [{ usage } = { usage: null }] = booked
    expect(booked).toMatchObject([{ status: 200, usage: { requests: 1 } }])
    expect(usage?.dollars).toBe((usage?.promptTokens ?? 0) + 2 * (usage?.completionTokens ?? 0))
    expect(usage?.completionTokens).toBeGreaterThan(0)
  })

  test.each<[string, string, unknown, object, number]>([
    ['without the word', '/chat/completions', hello, {}, 401],
    ['with another word', '/chat/completions', hello, bearer('sk-relay-0'), 401],
    ['with the key itself', '/chat/completions', hello, bearer(key), 401],
    ['to another path', '/files', hello, null as never, 404],
    ['that is no JSON', '/chat/completions', '{', null as never, 400],
    ['that is a list', '/chat/completions', '[]', null as never, 400],
    [
      'that names an address',
      '/responses',
      { input: [{ image_url: 'https://x/?code' }] },
      null as never,
      400,
    ],
  ])('%s is refused, and never reaches the endpoint', async (_, path, body, headers, status) => {
    const { server, word, ask, booked } = await start()
    const answer = await ask(path, body, headers === null ? bearer(word) : { ...headers })
    expect(answer.status).toBe(status)
    expect(server.requests).toEqual([])
    expect(booked).toEqual([])
  })

  it('ends the program once it is over budget', async () => {
    const { relay, ask, booked } = await start({
      script: [{ when: {}, answers: ['x'] }],
      mostRequests: 1,
    })
    expect((await ask('/chat/completions', hello)).status).toBe(200)
    expect(relay.overBudget()).toBeNull()
    const refused = await ask('/chat/completions', hello)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ error: { type: 'insufficient_quota' } })
    expect([relay.overBudget(), relay.signal.aborted]).toEqual(['Nothing is left.', true])
    expect(booked).toHaveLength(1)
  })

  it('waits for the one before it: a budget is exact', async () => {
    const seen = { open: 0, most: 0 }
    const endpoint = createServer((asked, answer) => {
      seen.open += 1
      seen.most = Math.max(seen.most, seen.open)
      asked.resume().once('end', async () => {
        // Long enough for the others to arrive if nothing holds them.
        for (let turn = 0; turn < 300; turn += 1) await setImmediate()
        seen.open -= 1
        answer.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
    }).listen(0, '127.0.0.1')
    await once(endpoint, 'listening')
    onTestFinished(() => void endpoint.close())
    const { port } = endpoint.address() as AddressInfo
    const { ask, booked } = await start({ baseUrl: `http://127.0.0.1:${port}/v1` })
    await Promise.all(['a', 'b', 'c', 'd'].map(() => ask('/chat/completions', hello)))
    expect([seen.most, booked.length]).toEqual([1, 4])
  })
})

describe('a fault of the endpoint', () => {
  it('is passed on without the key, and kept', async () => {
    const fault = { kind: 'status', status: 401, message: `Incorrect key: ${key}` } as const
    const { relay, ask, booked } = await start({ script: [{ fault }, 'good'] })
    const answer = await ask('/chat/completions', hello)
    expect(answer.status).toBe(401)
    expect(await answer.text()).not.toContain(key)
    expect(relay.failure()).toMatchObject({ status: 401 })
    expect(relay.failure()?.reason).not.toContain(key)
    expect(booked).toMatchObject([{ status: 401, usage: { requests: 1, promptTokens: 0 } }])
    await (await ask('/chat/completions', hello)).text()
    expect(relay.failure()).toBeNull()
  })

  it('is passed on without a part of the key, wherever the error is cut', async () => {
    const fault = { kind: 'status', status: 400, message: `${'x'.repeat(63_965)} ${key}` } as const
    const { ask } = await start({ script: [{ fault }] })
    expect(await (await ask('/chat/completions', hello)).text()).not.toContain('canary')
  })

  it('keeps the wait that it names', async () => {
    const fault = { kind: 'status', status: 429, retryAfter: 7 } as const
    const { ask } = await start({ script: [{ fault }] })
    expect((await ask('/chat/completions', hello)).headers.get('retry-after')).toBe('7')
  })

  it('is told where nobody answers', async () => {
    const { relay, ask, booked } = await start({ baseUrl: 'http://127.0.0.1:9/v1' })
    expect((await ask('/chat/completions', hello)).status).toBe(502)
    expect(relay.failure()).toMatchObject({
      status: 0,
      reason: expect.stringMatching(/^127\.0\.0\.1:9: (?:bad port|.*ECONNREFUSED)/),
    })
    expect(booked).toMatchObject([{ status: 0, usage: { promptTokens: 0 } }])
  })

  it('counts what a broken answer had', async () => {
    const { ask, booked } = await start({
      script: [{ text: 'x'.repeat(4000), fault: { kind: 'truncate', after: 2000 } }],
    })
    const answer = await ask('/chat/completions', { ...hello, stream: true })
    await expect(answer.text()).rejects.toThrow()
    expect(booked[0]?.usage.completionTokens).toBeGreaterThan(100)
  })

  it('never takes the key elsewhere', async () => {
    const heard: (string | undefined)[] = []
    const other = createServer(({ headers }, answer) => {
      heard.push(headers.authorization)
      answer.end('{}')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const away = createServer((_, answer) => {
      answer.writeHead(307, { location: `http://127.0.0.1:${port}/v1/chat/completions` }).end()
    }).listen(0, '127.0.0.1')
    await once(away, 'listening')
    onTestFinished(() => void [other, away].map((server) => server.close()))
    const baseUrl = `http://127.0.0.1:${(away.address() as AddressInfo).port}/v1`
    const { ask } = await start({ baseUrl })
    expect((await ask('/chat/completions', hello)).status).toBe(502)
    expect(heard).toEqual([])
  })
})

describe('a program that does not wait for its answer', () => {
  /** An endpoint that says when it is asked, and answers when it is told. */
  async function held(stream: boolean) {
    const asked = Promise.withResolvers<void>()
    const told = Promise.withResolvers<void>()
    const usage = { prompt_tokens: 70, completion_tokens: 90 }
    const text = JSON.stringify({ choices: [], usage })
    const endpoint = createServer(async (_, answer) => {
      const type = stream ? 'text/event-stream' : 'application/json'
      answer.on('error', () => undefined).writeHead(200, { 'content-type': type })
      if (stream) answer.write(`data: {"choices":[{"delta":{"content":"${'x'.repeat(400)}"}}]}\n\n`)
      else answer.flushHeaders()
      asked.resolve()
      await told.promise
      answer.end(stream ? `data: ${text}\n\n` : text)
    }).listen(0, '127.0.0.1')
    await once(endpoint, 'listening')
    onTestFinished(() => {
      told.resolve()
      endpoint.closeAllConnections()
      endpoint.close()
    })
    const { port } = endpoint.address() as AddressInfo
    const relay = await start({ baseUrl: `http://127.0.0.1:${port}/v1` })
    const gone = new AbortController()
    const answer = fetch(`${relay.relay.env.OPENAI_BASE_URL}/chat/completions`, {
      ...{ method: 'POST', headers: bearer(relay.word), signal: gone.signal },
      body: JSON.stringify({ ...hello, stream }),
    }).catch(() => null)
    await asked.promise
    return { ...relay, gone, told, answer }
  }

  test.each([true, false])('pays for it all the same (stream: %s)', async (stream) => {
    const { gone, answer, told, booked } = await held(stream)
    gone.abort()
    await answer
    // Long enough for the relay to notice.
    for (let turn = 0; turn < 300; turn += 1) await setImmediate()
    told.resolve()
    await expect.poll(() => booked.length).toBe(1)
    expect(booked).toMatchObject([{ usage: { promptTokens: 70, completionTokens: 90 } }])
  })

  test.each<[boolean, number]>([
    [true, 100],
    [false, 400],
  ])('pays for what it leaves open at its end (stream: %s)', async (stream, tokens) => {
    const { answer, relay, booked } = await held(stream)
    if (stream) await (await answer)?.body?.getReader().read()
    await relay.close()
    expect(booked).toMatchObject([{ usage: { completionTokens: tokens } }])
    expect(booked[0]?.usage.promptTokens).toBeGreaterThan(10)
  })
})

it('ends with the run, and books what is open', async () => {
  const run = new AbortController()
  const { relay, ask, booked } = await start({
    signal: run.signal,
    script: [{ text: 'x'.repeat(400), fault: { kind: 'slow', seconds: 60, after: 10 } }],
  })
  const answer = await ask('/chat/completions', { ...hello, stream: true })
  run.abort()
  await expect(answer.text()).rejects.toThrow()
  await relay.close()
  expect(relay.signal.aborted).toBe(true)
  expect(relay.overBudget()).toBeNull()
  expect(booked).toHaveLength(1)
})
