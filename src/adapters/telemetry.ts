/**
 * Traces and metrics by OpenTelemetry. Its libraries are loaded only where the standard variables name
 * an exporter, or where the App asks for metrics of its own.
 */
import type { Telemetry, WantedSignals } from './telemetry/signals.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Which signals somebody named a receiver for, by the variables that OpenTelemetry defines. */
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

/** `null`, and nothing loaded, where nobody receives it. */
export async function openTelemetry(environment: Environment): Promise<Telemetry | null> {
  const wanted = wantedSignals(environment)
  if (!wanted.traces && !wanted.metrics) return null
  const { sendTelemetry } = await import('./telemetry/send-telemetry.ts')
  return sendTelemetry(wanted)
}
