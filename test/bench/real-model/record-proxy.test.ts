import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addressOf, startRecordProxy } from '../../../bench/real-model/record-proxy.ts'
import { runChild } from '../../../harness/run-child.ts'
import {
  type ModelServer,
  startModelServer,
} from '../../../packages/github-simulator/model/start-model-server.ts'

let folder: string
let model: ModelServer

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'record-proxy-'))
  const usage = { promptTokens: 7, completionTokens: 3 }
  model = await startModelServer({
    script: [{ when: {}, answers: [{ text: 'hello you', usage }] }],
  })
})

afterEach(async () => {
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

const start = (
  temperature: number | null,
  mostRequests: number,
  onStop: () => void = () => undefined,
) =>
  startRecordProxy({
    ...{ upstream: model.url, apiKey: undefined, file: join(folder, 'exchanges.jsonl') },
    ...{ temperature, mostRequests, onStop },
  })

const ask = (url: string, more: object = {}) =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more }),
  }).then((response) => response.text())

describe('the recording proxy', () => {
  it.each([true, false])('keeps request, answer and usage; streamed: %o', async (stream) => {
    const proxy = await start(null, 6)
    expect(await ask(proxy.url, { stream })).toContain('hello')
    await fetch(`${proxy.url}/models`)
    await proxy.close()
    const kept = await readFile(join(folder, 'exchanges.jsonl'), 'utf8')
    expect(
      kept
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(proxy.exchanges)
    expect(proxy.exchanges).toMatchObject([
      {
        ...{ text: 'hello you', status: 200, promptTokens: 7, completionTokens: 3 },
        ...{ isEstimated: false, isCut: false, request: { messages: [{ content: 'hi' }] } },
      },
    ])
  })

  it.each([
    [null, {}, undefined, null],
    [0, {}, 0, null],
    [0, { temperature: 0.8 }, 0.8, 0.8],
  ])('with %o for %o it sends temperature %o', async (set, more, sent, own) => {
    const proxy = await start(set, 6)
    await ask(proxy.url, more)
    await proxy.close()
    expect(proxy.exchanges[0]?.request.temperature).toBe(sent)
    expect(proxy.exchanges[0]?.ownTemperature).toBe(own)
  })

  it('ends a program that asks once more than it may', async () => {
    const stop = new AbortController()
    let times = 0
    const proxy = await start(null, 2, () => {
      times += 1
      stop.abort()
    })
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
    const script = `const ask = () => fetch(${JSON.stringify(`${proxy.url}/chat/completions`)}, { method: 'POST', body: ${JSON.stringify(body)} }).then((answer) => answer.text()).catch(() => null).then(ask)\nask()`
    const run = await runChild(
      [process.execPath, '-e', script],
      ...([folder, process.env, 60_000, stop.signal] as const),
    )
    await proxy.close()
    expect({ ...run, times, asked: proxy.exchanges.length }).toMatchObject({
      ...{ code: null, isTimedOut: false, times: 1, asked: 2 },
    })
  })

  it('ends the program when the model cannot be reached', async () => {
    await model.close()
    let times = 0
    const proxy = await start(null, 6, () => {
      times += 1
    })
    await expect(ask(proxy.url)).rejects.toThrow()
    await proxy.close()
    expect({ times, fault: proxy.fault, exchanges: proxy.exchanges }).toEqual({
      ...{ times: 1, fault: expect.stringContaining('ECONNREFUSED'), exchanges: [] },
    })
  })

  it('counts an answer that the program cut off', async () => {
    await model.close()
    model = await startModelServer({
      script: [{ when: {}, answers: [{ text: 'on and ', fault: { kind: 'endless' } }] }],
    })
    const proxy = await start(null, 6)
    const stop = new AbortController()
    const response = await fetch(`${proxy.url}/chat/completions`, {
      ...{ method: 'POST', signal: stop.signal },
      body: JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content: 'hi' }],
        stream: true,
      }),
    })
    await response.body?.getReader().read()
    stop.abort()
    await proxy.close()
    expect(proxy.exchanges).toMatchObject([{ isCut: true, isEstimated: true }])
    expect(proxy.exchanges[0]?.completionTokens).toBeGreaterThan(0)
  })
})

it.each([
  ['http://127.0.0.1:8090/v1', '/v1/chat/completions', 'http://127.0.0.1:8090/v1/chat/completions'],
  ['http://127.0.0.1:8090/v1/', '/props', 'http://127.0.0.1:8090/props'],
  ['https://host/api/v1', '/v1/models?a=b', 'https://host/api/v1/models?a=b'],
])('behind %s, %s is %s', (upstream, path, expected) => {
  expect(addressOf(upstream, path).href).toBe(expected)
})
