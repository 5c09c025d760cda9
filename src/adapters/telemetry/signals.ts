/** Attributes of a span or a measurement. */
export type TelemetryFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>

export interface TelemetrySpan {
  set(facts: TelemetryFacts): void
  /** `error` is a word for the failure. */
  end(error: string | null): void
}

export interface Metric {
  readonly description: string
  readonly unit: string
  /** Upper bounds of a histogram; absent for a sum. */
  readonly bounds?: readonly number[]
}

/** From the GenAI conventions for tokens and durations of model requests. */
const tokenBounds = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304]
const secondBounds = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]
/** A project's tests take minutes. */
const workBounds = [0.1, 0.5, 1, 2, 5, 15, 60, 300, 1800, 7200]

/** Histograms in seconds or tokens, and sums. */
export const metrics = {
  'gen_ai.client.token.usage': {
    description: 'Tokens of a model call.',
    unit: '{token}',
    bounds: tokenBounds,
  },
  'gen_ai.client.operation.duration': {
    description: 'Seconds of a model call, retries included.',
    unit: 's',
    bounds: secondBounds,
  },
  'gen_ai.execute_tool.duration': {
    description: 'Seconds of a command in the sandbox.',
    unit: 's',
    bounds: workBounds,
  },
  'executor.call.duration': {
    description: 'Seconds of a write to GitHub, or of git.',
    unit: 's',
    bounds: secondBounds,
  },
  'executor.step.duration': {
    description: 'Seconds of a step.',
    unit: 's',
    bounds: workBounds,
  },
  'executor.tasks': { description: 'Tasks that a run worked on, by verdict.', unit: '{task}' },
  'executor.cost': { description: 'Dollars that model calls cost.', unit: '{USD}' },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof metrics

export interface Telemetry {
  begin(
    name: string,
    options: {
      readonly facts: TelemetryFacts
      readonly parent: TelemetrySpan | null
      /** True if it waits for another process. */
      readonly isClient: boolean
    },
  ): TelemetrySpan
  record(metric: MetricName, value: number, facts: TelemetryFacts): void
  /** Sends the rest; gives up after a moment. Never throws. */
  close(): Promise<void>
}

export interface WantedSignals {
  readonly traces: boolean
  readonly metrics: boolean
}
