/**
 * Traces and metrics with OpenTelemetry. Loads its libraries only if the standard variables name an
 * exporter, or if the App serves metrics.
 */
import type { Telemetry, WantedSignals } from './telemetry/signals.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The signals that OpenTelemetry's standard variables request. */
export function wantedSignals(environment: Environment): WantedSignals {
  if (environment.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') {
    return { traces: false, metrics: false }
  }
  const isWanted = (signal: 'TRACES' | 'METRICS') => {
    const exporter = environment[`OTEL_${signal}_EXPORTER`]?.trim() || 'otlp'
    const endpoint =
      environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ||
      environment.OTEL_EXPORTER_OTLP_ENDPOINT
    return exporter === 'otlp' && Boolean(endpoint?.trim())
  }
  return { traces: isWanted('TRACES'), metrics: isWanted('METRICS') }
}

/** Returns `null`, and loads nothing, without a receiver. */
export async function openTelemetry(environment: Environment): Promise<Telemetry | null> {
  const wanted = wantedSignals(environment)
  if (!wanted.traces && !wanted.metrics) return null
  const { sendTelemetry } = await import('./telemetry/send-telemetry.ts')
  return sendTelemetry(wanted)
}
