import {
  type Meter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  type IMetricReader,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import {
  type Metric,
  type MetricName,
  metrics,
  type Telemetry,
  type TelemetryFacts,
  type TelemetrySpan,
  type WantedSignals,
} from './signals.ts'

/** The most milliseconds that an unresponsive collector may delay the end of a run. */
const longestWait = 1500

const service = 'roadmap-executor'

/**
 * Exports spans and metrics over OTLP (HTTP, JSON) as the standard variables say. Drops silently
 * what it cannot send: nothing is registered globally, and no OpenTelemetry library logs.
 */
export function sendTelemetry(
  wanted: WantedSignals,
  readers: readonly IMetricReader[] = [],
): Telemetry & { readonly meter: Meter } {
  const resource = describeService()
  const tracers = wanted.traces
    ? new BasicTracerProvider({
        resource,
        spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(limits()))],
      })
    : null
  const sending = wanted.metrics
    ? [
        new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter(limits()),
          exportTimeoutMillis: longestWait,
        }),
      ]
    : []
  const meters = new MeterProvider({ resource, readers: [...sending, ...readers] })
  const meter = meters.getMeter(service)
  const tracer = tracers?.getTracer(service) ?? null
  return {
    meter,
    begin: (name, options) => (tracer === null ? unsent : beginSpan(tracer, name, options)),
    record: createInstruments(meter),
    close: () => withinTime([tracers?.shutdown(), meters.shutdown()]),
  }
}

/** Our own limit, unless the user's variables set one. */
const limits = () => (process.env.OTEL_EXPORTER_OTLP_TIMEOUT ? {} : { timeoutMillis: longestWait })

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence. */
const describeService = (): Resource =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': service }))
    .merge(detectResources({ detectors: [envDetector] }))

const unsent: TelemetrySpan = { set: () => {}, end: () => {} }

/** The library's span for each `TelemetrySpan`, as a parent of others. */
const spans = new WeakMap<TelemetrySpan, Span>()

function beginSpan(
  tracer: Tracer,
  name: string,
  { facts, parent, isClient }: Parameters<Telemetry['begin']>[1],
): TelemetrySpan {
  const above = parent === null ? undefined : spans.get(parent)
  const context = above === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, above)
  const kind = isClient ? SpanKind.CLIENT : SpanKind.INTERNAL
  const span = tracer.startSpan(name, { kind, attributes: attributesOf(facts) }, context)
  const ours: TelemetrySpan = {
    set: (more) => void span.setAttributes(attributesOf(more)),
    end(error) {
      if (error !== null) {
        span.setAttribute('error.type', error)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
  spans.set(ours, span)
  return ours
}

/** Creates each instrument on first use. */
function createInstruments(meter: Meter): Telemetry['record'] {
  const made = new Map<MetricName, (value: number, facts: object) => void>()
  const make = (name: MetricName) => {
    const { description, unit, bounds }: Metric = metrics[name]
    if (bounds === undefined) {
      const counter = meter.createCounter(name, { description, unit })
      return (value: number, facts: object) => counter.add(value, { ...facts })
    }
    const advice = { explicitBucketBoundaries: [...bounds] }
    const histogram = meter.createHistogram(name, { description, unit, advice })
    return (value: number, facts: object) => histogram.record(value, { ...facts })
  }
  return (name, value, facts) => {
    const record = made.get(name) ?? make(name)
    made.set(name, record)
    record(value, facts)
  }
}

const attributesOf = (facts: TelemetryFacts) =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'object' ? [...value] : value,
    ]),
  )

async function withinTime(work: readonly (Promise<void> | undefined)[]): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, longestWait)
  await Promise.race([Promise.allSettled(work), late.promise])
  clearTimeout(timer)
}
