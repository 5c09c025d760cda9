import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { openTelemetry, wantedSignals } from '../../src/adapters/telemetry.ts'
import { runObserved } from '../entry/observe/observed-run.ts'
import { findCanaries } from '../entry/redact/canary.ts'

const endpoint = 'http://localhost:4318'

describe('what is sent where', () => {
  it.each<[string, Record<string, string>, boolean, boolean]>([
    ['nothing', {}, false, false],
    ['an empty variable', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, false, false],
    ['a name alone', { OTEL_SERVICE_NAME: 'x' }, false, false],
    ['a receiver', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, true, true],
    ['one of traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint }, true, false],
    ['one of metrics', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint }, false, true],
    [
      'no traces',
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' },
      false,
      true,
    ],
    ['no SDK', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'TRUE' }, false, false],
  ])('is told by the variables: %s', async (_, variables, traces, metrics) => {
    expect(wantedSignals(variables)).toEqual({ traces, metrics })
    if (!traces && !metrics) expect(await openTelemetry(variables)).toBeNull()
  })
})

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })
const spanShape = z.looseObject({
  ...{ name: z.string(), spanId: z.string(), traceId: z.string(), kind: z.number() },
  parentSpanId: z.string().optional(),
  attributes: z.array(attribute),
})
const tracesShape = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.looseObject({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanShape) })),
    }),
  ),
})
const metricsShape = z.object({
  resourceMetrics: z.array(
    z.object({
      scopeMetrics: z.array(
        z.object({ metrics: z.array(z.looseObject({ name: z.string(), unit: z.string() })) }),
      ),
    }),
  ),
})

const valuesOf = (attributes: readonly z.infer<typeof attribute>[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A receiver that keeps what it gets; `null` takes the connection and never answers. */
async function listen(received: Map<string, string[]> | null): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (received === null) return
    const path = request.url ?? ''
    received.set(path, [...(received.get(path) ?? []), await text(request)])
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

let servers: Server[]
beforeEach(() => {
  servers = []
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function runReceived() {
  const received = new Map<string, string[]>()
  const server = await listen(received)
  servers.push(server)
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', urlOf(server))
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test')
  await runObserved({ directory: null, telemetry: await openTelemetry(process.env) })
  const all = [...received.values()].flat().join('\n')
  expect(findCanaries(all)).toEqual([])
  expect(all).not.toContain('TEXT-OF-')
  return received
}

describe('a run', () => {
  it('is spans in spans, each with the run in it, by the conventions for generative AI', async () => {
    const bodies = (await runReceived()).get('/v1/traces') ?? []
    const parts = bodies.flatMap((body) => tracesShape.parse(JSON.parse(body)).resourceSpans)
    expect(valuesOf(parts[0]?.resource.attributes ?? [])).toMatchObject({
      'service.name': 'roadmap-executor',
      'deployment.environment.name': 'test',
    })
    const spans = parts.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const pathOf = ({ name, parentSpanId }: (typeof spans)[number]): string => {
      const parent = spans.find(({ spanId }) => spanId === parentSpanId)
      return parent === undefined ? name : `${pathOf(parent)} > ${name}`
    }
    const run = 'session > invoke_agent roadmap-executor'
    expect(spans.map(pathOf).toSorted()).toEqual(
      [
        'session',
        run,
        `${run} > step pick_task`,
        `${run} > task`,
        `${run} > task > step execute_task`,
        `${run} > task > step execute_task > chat gpt-5`,
        `${run} > task > step execute_task > forge upsert_comment`,
        `${run} > task > step verify_task`,
        `${run} > task > step verify_task > execute_tool run_command`,
        `${run} > task > step verify_task > git publish`,
      ].toSorted(),
    )
    const found = new Map(spans.map((span) => [span.name, span]))
    const attributes = (name: string) => valuesOf(found.get(name)?.attributes ?? [])
    expect(attributes('invoke_agent roadmap-executor')).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'roadmap-executor',
      'gen_ai.conversation.id': 'run-1',
      'gen_ai.usage.input_tokens': 10,
    })
    expect(attributes('step verify_task')).toMatchObject({
      ...{ 'executor.run': 'run-1', 'executor.task': 'T-1', 'executor.attempt': 1 },
      ...{ 'executor.step': 'verify_task', 'executor.outcome': 'passed' },
    })
    expect(attributes('chat gpt-5')).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.request.max_tokens': 100,
      'gen_ai.output.type': 'text',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 0,
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
      'server.address': 'api.openai.com',
      'server.port': 443,
      'executor.purpose': 'draft',
      'executor.requests': 1,
      'executor.dollars': expect.any(Number),
    })
    // 3 is a client; 2 is an error.
    expect(found.get('chat gpt-5')?.kind).toBe(3)
    expect(found.get('forge upsert_comment')).toMatchObject({ status: { code: 2 } })
    expect(attributes('forge upsert_comment')).toMatchObject({ 'error.type': 'forge_denied' })
    expect(attributes('execute_tool run_command')).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'run_command',
      'process.exit.code': 1,
    })
  })

  it('is measured', async () => {
    const bodies = (await runReceived()).get('/v1/metrics') ?? []
    const metrics = bodies
      .flatMap((body) => metricsShape.parse(JSON.parse(body)).resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    expect(Object.fromEntries(metrics.map(({ name, unit }) => [name, unit]))).toEqual({
      'gen_ai.client.token.usage': '{token}',
      'gen_ai.client.operation.duration': 's',
      'gen_ai.execute_tool.duration': 's',
      'executor.call.duration': 's',
      'executor.step.duration': 's',
      'executor.cost': '{USD}',
    })
    const tokens = metrics.find(({ name }) => name === 'gen_ai.client.token.usage')
    expect(tokens).toMatchObject({ histogram: { dataPoints: [{ count: 1, sum: 10 }] } })
  })
})

describe('a receiver that is not there, and one that never answers', () => {
  it('cost the end of a run a moment, and are not spoken of', async () => {
    const silent = await listen(null)
    const gone = await listen(null)
    servers.push(silent)
    vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', urlOf(silent))
    vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', urlOf(gone))
    await new Promise((closed) => gone.close(closed))
    const written = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'))
    const began = performance.now()
    await runObserved({ directory: null, telemetry: await openTelemetry(process.env) })
    expect(performance.now() - began).toBeLessThan(8000)
    expect(written.flatMap(({ mock }) => mock.calls)).toEqual([])
  })
})
