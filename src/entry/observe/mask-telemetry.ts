import type { Telemetry, TelemetrySpan } from '../../adapters/telemetry/signals.ts'
import { createDataMask } from '../../text/secrets/mask-data.ts'
import { maskArguments } from '../redact/mask-arguments.ts'

/** The same, with every name and value redacted before it is told; of its spans, too. */
export function maskTelemetry(telemetry: Telemetry, redact: (text: string) => string): Telemetry {
  const mask = createDataMask(redact)
  const inner = new WeakMap<TelemetrySpan, TelemetrySpan>()
  return {
    ...maskArguments(telemetry, mask),
    begin(name, { facts, parent, isClient }) {
      const above = parent === null ? null : (inner.get(parent) ?? null)
      const span = telemetry.begin(mask(name), { facts: mask(facts), parent: above, isClient })
      const masked = maskArguments(span, mask)
      inner.set(masked, span)
      return masked
    },
  }
}
