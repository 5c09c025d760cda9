/** Values of a span or of a measurement. */
export type TelemetryFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>

export interface TelemetrySpan {
  set(facts: TelemetryFacts): void
  /** `error` is a word for what went wrong. */
  end(error: string | null): void
}

/** Histograms in seconds or tokens, and sums: what each is, `telemetry/instruments.ts` says. */
export type MetricName =
  | 'gen_ai.client.token.usage'
  | 'gen_ai.client.operation.duration'
  | 'gen_ai.execute_tool.duration'
  | 'executor.call.duration'
  | 'executor.step.duration'
  | 'executor.tasks'
  | 'executor.cost'

export interface Telemetry {
  begin(
    name: string,
    options: {
      readonly facts: TelemetryFacts
      readonly parent: TelemetrySpan | null
      /** It waits for another process. */
      readonly isClient: boolean
    },
  ): TelemetrySpan
  record(metric: MetricName, value: number, facts: TelemetryFacts): void
  /** Sends what is left; gives up after a moment. Never throws. */
  close(): Promise<void>
}

export interface WantedSignals {
  readonly traces: boolean
  readonly metrics: boolean
}
