import type { Meter } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MetricReader } from '@opentelemetry/sdk-metrics'
import { sendTelemetry } from './send-telemetry.ts'
import type { Telemetry, WantedSignals } from './signals.ts'

/** Measures in any case, to be read here; and sends what somebody receives. */
export interface PullMetrics extends Telemetry {
  readonly meter: Meter
  /** All that was measured so far, as Prometheus' text. */
  write(): Promise<string>
}

/** Reads when it is asked to. */
class PullReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

export function openPullMetrics(wanted: WantedSignals): PullMetrics {
  const reader = new PullReader()
  const telemetry = sendTelemetry(wanted, [reader])
  // Neither time stamps nor labels that say the same in every line.
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true)
  return {
    ...telemetry,
    write: async () => serializer.serialize((await reader.collect()).resourceMetrics),
  }
}
