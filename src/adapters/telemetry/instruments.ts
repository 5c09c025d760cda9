import type { Meter } from '@opentelemetry/api'
import type { MetricName, Telemetry } from './signals.ts'

interface Kind {
  readonly description: string
  readonly unit: string
  /** Upper bounds of a histogram; none for a sum. */
  readonly bounds?: readonly number[]
}

/** As the GenAI conventions have them for tokens and durations of model calls. */
const tokenBounds = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304]
const secondBounds = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]
/** Tests of a project take minutes. */
const workBounds = [0.1, 0.5, 1, 2, 5, 15, 60, 300, 1800, 7200]

const kinds: Readonly<Record<MetricName, Kind>> = {
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
}

/** Records by name; an instrument is made when it is first used. */
export function createInstruments(meter: Meter): Telemetry['record'] {
  const made = new Map<MetricName, (value: number, facts: object) => void>()
  const make = (name: MetricName) => {
    const { description, unit, bounds } = kinds[name]
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
