import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, test } from 'vitest'
import type { ScriptedReply } from '../../packages/github-simulator/model/model-script.ts'
import { ExecutorError } from '../../src/core/domain/errors.ts'
import { noKey } from '../../src/core/ports/model.ts'
import { type Saying, testModelContract } from '../contracts/model.ts'
import { llamaList, startServer } from './openai/local-servers.ts'
import { apiKey, closers, connect, question, start } from './openai/start-model.ts'

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

testModelContract('openai-model', async (sayings, test) => {
  const { model, clock } = await start(sayings.map(toScript))
  await test(model, clock.advance)
})

function toScript(saying: Saying): ScriptedReply {
  switch (saying.kind) {
    case 'answer':
      return { text: saying.text }
    case 'cut':
      return { text: saying.text, finish: 'length' }
    case 'unavailable':
      return {
        fault: {
          kind: 'status',
          status: 503,
          retryAfter: new Date(saying.retryAt).toUTCString(),
        },
      }
    case 'rejected':
      return { fault: { kind: 'status', status: 404 } }
  }
}

describe('faults', () => {
  const good = 'a whole answer'
  const overload: ScriptedReply = { fault: { kind: 'status', status: 429 } }

  test.each<[name: string, fault: ScriptedReply, sleeps: readonly number[]]>([
    ['429', overload, [1.125]],
    ['429 with seconds', { fault: { kind: 'status', status: 429, retryAfter: 7 } }, [7]],
    [
      '429 with a date',
      { fault: { kind: 'status', status: 429, retryAfter: 'Fri, 02 Jan 2026 03:04:25 GMT' } },
      [20],
    ],
    ['429 with nonsense', { fault: { kind: 'status', status: 429, retryAfter: 'soon' } }, [1.125]],
    ['500', { fault: { kind: 'status', status: 500 } }, [1.125]],
    ['408', { fault: { kind: 'status', status: 408 } }, [1.125]],
    ['a cut stream', { text: 'half of it', fault: { kind: 'truncate' } }, [1.125]],
    ['a dropped connection', { fault: { kind: 'drop' } }, [1.125]],
    ['broken JSON', { fault: { kind: 'garbage' } }, [1.125]],
    ['a web page', { fault: { kind: 'html' } }, [1.125]],
  ])('%s is retried after a wait', async (_, fault, sleeps) => {
    for (const ignoresStream of [false, true]) {
      const { model, clock, server, heard } = await start([fault, good], {
        quirks: { ignoresStream },
      })
      const reply = await model.complete(question)
      expect(reply).toMatchObject({ status: 'answered', text: good })
      const reason = expect.stringContaining('127.0.0.1')
      expect(reply).toMatchObject({ setbacks: [{ reason, seconds: sleeps[0] }] })
      expect(clock.sleeps).toEqual(sleeps)
      expect(heard).toContainEqual({ kind: 'retrying', seconds: sleeps[0], reason })
      expect(server.requests).toHaveLength(2)
    }
  })

  test.each<[name: string, fault: ScriptedReply, reason: RegExp]>([
    ['429', overload, /^127\.0\.0\.1:\d+: answered 429: The script says 429\.$/],
    ['a cut stream', { text: 'half', fault: { kind: 'truncate' } }, /connection failed \(UND_ERR/],
    ['a dropped connection', { fault: { kind: 'drop' } }, /connection failed \(UND_ERR_SOCKET\)/],
    ['broken JSON', { fault: { kind: 'garbage' } }, /the answer is not JSON: \{"choices"/],
    ['a web page', { fault: { kind: 'html' } }, /a web page, not JSON; a base URL usually ends/],
  ])('%s for ever is unavailable after three retries', async (_, fault, reason) => {
    const { model, clock, server } = await start([{ when: {}, answers: [fault] }])
    const reply = await model.complete(question)
    expect(reply).toMatchObject({ status: 'unavailable', retryAt: null })
    expect(reply.status === 'unavailable' && reply.reason).toMatch(reason)
    expect(reply.status === 'unavailable' && reply.setbacks).toHaveLength(3)
    expect(clock.sleeps).toEqual([1.125, 2.25, 4.5])
    expect(server.requests).toHaveLength(4)
    expect(reply.usage.requests).toBe(4)
  })

  it.each([
    [400, "This model's maximum context length is 4096 tokens.", 4096],
    [413, 'Request body too large for gpt-4o model. Max size: 8000 tokens.', 8000],
    [429, 'Request too large for m on tokens per min (TPM): Limit 6000, Requested 7000', 6000],
    [500, 'the request exceeds the available context size (512 tokens)', 512],
  ])('%s: %s is no outage, and not asked again', async (status, message, window) => {
    const fault: ScriptedReply = { fault: { kind: 'status', status, message } }
    const { model, clock, server } = await start([...Array.from({ length: 6 }, () => fault), good])
    for (let times = 0; times < 6; times += 1) {
      expect(await model.complete(question)).toMatchObject({ status: 'too_large', window })
    }
    expect(await model.complete(question)).toMatchObject({ status: 'answered', text: good })
    expect(clock.sleeps).toEqual([])
    expect(server.requests).toHaveLength(7)
  })

  it('keeps what was said where only the continuation is too large', async () => {
    const message = 'prompt is too long'
    const { model } = await start([
      { text: 'the beginning', finish: 'length' },
      { fault: { kind: 'status', status: 400, message } },
    ])
    expect(await model.complete(question)).toMatchObject({
      ...{ status: 'answered', text: 'the beginning', finish: 'length' },
    })
  })

  it('does not wait longer than a minute', async () => {
    const { model, clock } = await start([
      { fault: { kind: 'status', status: 429, retryAfter: 61 } },
    ])
    expect(await model.complete(question)).toMatchObject({
      status: 'unavailable',
      retryAt: '2026-01-02T03:05:06.000Z',
    })
    expect(clock.sleeps).toEqual([])
  })

  it('gives up silence in mid-answer, and before it', async () => {
    for (const after of [undefined, 4]) {
      const silence = { kind: 'slow' as const, seconds: 1000, ...(after && { after }) }
      const { model } = await start([{ text: 'long thought', fault: silence }, good], {
        stallSeconds: 0.2,
      })
      expect(await model.complete(question)).toMatchObject({ status: 'answered', text: good })
    }
  })

  it.each([
    ['before the first data', undefined, 'silent', 1],
    ['in mid-answer', 4, 'answered', 2],
  ])('ends a call on demand when the endpoint is silent %s', async (_, after, status, sent) => {
    const silence = { kind: 'slow' as const, seconds: 1000, ...(after && { after }) }
    const { model, clock, server } = await start([{ text: 'long thought', fault: silence }, good], {
      stallSeconds: 0.2,
    })
    const reply = await model.complete({ ...question, endsWhenSilent: true })
    expect(reply).toMatchObject({ status, usage: { requests: sent } })
    expect(server.requests).toHaveLength(sent)
    expect(clock.sleeps).toHaveLength(sent - 1)
  })

  it('takes a slow answer that is never silent for too long', async () => {
    const fault = { kind: 'slow' as const, seconds: 0.05, after: 3 }
    const { model, clock } = await start([{ text: 'slowly', fault }])
    expect(await model.complete(question)).toMatchObject({ text: 'slowly' })
    expect(clock.sleeps).toEqual([])
  })

  const numbered = Array.from({ length: 400 }, (_, at) => `assert square(${at}) == ${at * at}\n`)

  it.each([
    ['is far too long', numbered.join(''), 200_000],
    ['repeats itself', 'again ', 30_000],
  ])('leaves an endless answer that %s, and does not continue it', async (_, text, most) => {
    const { model, server } = await start([{ text, fault: { kind: 'endless' } }])
    const reply = await model.complete({ ...question, maxOutputTokens: 8000 })
    expect(reply).toMatchObject({ status: 'answered', finish: 'length', runaway: true })
    expect(reply.status === 'answered' && reply.text.length).toBeLessThan(most)
    expect(server.requests).toHaveLength(1)
  })

  it('does not continue an answer that repeats itself when it reaches its length', async () => {
    const text = 'Check it once more. '.repeat(60)
    const { model, server } = await start([{ text, finish: 'length' }, good])
    expect(await model.complete(question)).toMatchObject({ finish: 'length', runaway: true })
    expect(server.requests).toHaveLength(1)
  })

  it('reports a server that is not there', async () => {
    const { server, model } = await start([])
    await server.close()
    expect(await model.complete(question)).toMatchObject({
      status: 'unavailable',
      reason: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('books what a cut answer has cost', async () => {
    const { model } = await start([{ text: 'x'.repeat(400), fault: { kind: 'truncate' } }, 'y'])
    const { usage } = await model.complete(question)
    expect(usage).toEqual({
      requests: 2,
      promptTokens: 28,
      completionTokens: 51,
      dollars: expect.closeTo((28 * 0.15 + 51 * 0.6) / 1e6, 12),
    })
  })
})

describe('refusals', () => {
  test.each([400, 401, 402, 403, 404])('%d is not retried', async (status) => {
    const fault = { kind: 'status' as const, status, message: `No: ${apiKey} is not welcome.` }
    const { model, clock, server } = await start([{ fault }])
    const error = await model.complete(question).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ExecutorError)
    expect(error).toMatchObject({
      code: 'model_rejected',
      message: expect.stringContaining(`answered ${status}: No: [key] is not welcome.`),
    })
    expect(clock.sleeps).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  test.each([401, 403, 404])('%d is not about a parameter, whatever it says', async (status) => {
    const fault = { kind: 'status' as const, status, message: 'no stream, no max_tokens' }
    const { model, server } = await start([{ when: {}, answers: [{ fault }] }])
    await expect(model.complete(question)).rejects.toMatchObject({ code: 'model_rejected' })
    expect(server.requests).toHaveLength(1)
  })

  it('does not wait for a quota that is used up', async () => {
    const { model } = await start([
      { fault: { kind: 'status', status: 429, code: 'insufficient_quota' } },
    ])
    await expect(model.complete(question)).rejects.toMatchObject({ code: 'model_rejected' })
  })

  it('refuses a base URL that is none, when it is needed', async () => {
    const { model } = connect('localhost:11434/v1')
    await expect(model.complete(question)).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('localhost:11434/v1 is not an http'),
    })
  })

  it('trims a key, and refuses one that cannot be sent without quoting it', async () => {
    const { server } = await start(['fine'], { apiKey })
    const { model } = connect(server.url, { key: ` ${apiKey}\n` })
    expect(await model.complete(question)).toMatchObject({ text: 'fine' })
    for (const broken of [`${apiKey}\n${apiKey}`, '']) {
      const error = await connect(server.url, { key: broken })
        .model.complete(question)
        .catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'config_invalid' })
      expect(inspectDeep(error)).not.toContain(apiKey)
    }
  })

  it('tries the key without a request to the model', async () => {
    const { model, server } = await start([], { apiKey: 'sk-another-key-9876543210' })
    await expect(model.tryKey?.()).rejects.toMatchObject({
      code: 'model_rejected',
      message: expect.stringMatching(/127\.0\.0\.1:\d+: answered 401$/),
    })
    const { model: without } = connect(server.url, { key: noKey })
    const unset = expect.stringContaining('answered 401 (OPENAI_API_KEY is not set)')
    await expect(without.tryKey?.()).rejects.toMatchObject({ message: unset })
    expect(server.requests).toEqual([])
  })

  it('takes a restricted key that may not read the list', async () => {
    const paths: string[] = []
    const server = createServer((request, response) => {
      request.resume()
      paths.push(`${request.method} ${request.url}`)
      response.writeHead(request.url === '/v1/models' ? 401 : 400).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(async () => void server.close())
    const { port } = server.address() as AddressInfo
    const { model } = connect(`http://127.0.0.1:${port}/v1`)
    await expect(model.tryKey?.()).resolves.toBeUndefined()
    expect(paths).toEqual(['GET /v1/models', 'POST /v1/chat/completions'])
  })

  it('takes a key to be right where no list says otherwise', async () => {
    const { baseUrl } = await startServer({})
    await expect(connect(baseUrl).model.tryKey?.()).resolves.toBeUndefined()
    await expect(connect('http://127.0.0.1:9').model.tryKey?.()).resolves.toBeUndefined()
  })

  it('never shows the key, whatever goes wrong', async () => {
    // Long enough that shortening would cut the key in two.
    const echo = `${'x'.repeat(270)} you sent ${apiKey}`
    const { model } = await start([
      { when: {}, answers: [{ fault: { kind: 'status', status: 500, message: echo } }] },
    ])
    const said = JSON.stringify(await model.complete(question))
    expect(said).toContain('you sent [key]')
    expect(said).not.toContain(apiKey.slice(0, 8))
    const wrong = await start([], { apiKey: 'sk-another-key-9876543210' })
    const error = await wrong.model.complete(question).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'model_rejected' })
    expect(inspectDeep(error)).not.toContain(apiKey)
  })
})

/** Everything reachable from an error: messages, stacks, causes, fields. */
function inspectDeep(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (seen.has(value)) return ''
  seen.add(value)
  return Reflect.ownKeys(value)
    .map((key) => inspectDeep(Reflect.get(value, key), seen))
    .join('\n')
}

describe('cancelling', () => {
  it('rejects with the reason, while waiting for the endpoint', async () => {
    for (const after of [undefined, 4]) {
      const fault = { kind: 'slow' as const, seconds: 1000, ...(after && { after }) }
      const { server } = await start([{ when: {}, answers: [{ text: 'long thought', fault }] }])
      const controller = new AbortController()
      const { model } = connect(server.url, { signal: controller.signal })
      const reply = model.complete(question)
      await expect.poll(() => server.requests.length).toBe(1)
      controller.abort(new Error('the person pressed Ctrl-C'))
      await expect(reply).rejects.toThrow('the person pressed Ctrl-C')
    }
  })

  it('rejects with the reason, in the middle of a wait', async () => {
    const { server } = await start([{ fault: { kind: 'status', status: 429 } }])
    const controller = new AbortController()
    const { model } = connect(server.url, {
      signal: controller.signal,
      sleep: async (_, signal) => {
        controller.abort(new Error('cancelled in a wait'))
        expect(signal?.aborted).toBe(true)
        throw signal?.reason
      },
    })
    await expect(model.complete(question)).rejects.toThrow('cancelled in a wait')
  })

  it('asks nothing once cancelled', async () => {
    const { server } = await start(['never'])
    const { model } = connect(server.url, { signal: AbortSignal.abort(new Error('too late')) })
    await expect(model.complete(question)).rejects.toThrow('too late')
    expect(server.requests).toEqual([])
  })
})

it('asks a server nearby for its window, and counts nine tenths of it', async () => {
  const { baseUrl } = await startServer({
    '/v1/models': llamaList,
    '/props': { default_generation_settings: { n_ctx: 4_096 } },
  })
  expect(await connect(baseUrl).model.window?.('any')).toBe(3_686)
})
