import type { Meter } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MetricReader } from '@opentelemetry/sdk-metrics'
import { sendTelemetry } from './send-telemetry.ts'
import type { Telemetry, WantedSignals } from './signals.ts'

/** Always measures, for reading here; also exports if the variables request it. */
export interface PullMetrics extends Telemetry {
  readonly meter: Meter
  /** Returns everything measured so far in Prometheus format. */
  write(): Promise<string>
}

/** Reads only on request. */
class PullReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

export function openPullMetrics(wanted: WantedSignals): PullMetrics {
  const reader = new PullReader()
  const telemetry = sendTelemetry(wanted, [reader])
  // Omits time stamps, and labels that are the same on every line.
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true)
  return {
    ...telemetry,
    write: async () => serializer.serialize((await reader.collect()).resourceMetrics),
  }
}
