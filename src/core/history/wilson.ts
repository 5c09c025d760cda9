export interface Interval {
  readonly low: number
  readonly high: number
}

/** The normal deviate of a two-sided 95 %. */
const deviate = 1.959964

/**
 * Wilson's score interval at 95 % for a rate of which this many of so many samples are known: honest
 * for few samples, and never outside of 0 and 1. `null` without a sample.
 */
export function wilsonInterval(successes: number, samples: number): Interval | null {
  if (samples <= 0) return null
  const rate = successes / samples
  const square = deviate ** 2
  const middle = rate + square / (2 * samples)
  const spread = deviate * Math.sqrt((rate * (1 - rate)) / samples + square / (4 * samples ** 2))
  const scale = 1 + square / samples
  return {
    low: Math.max(0, (middle - spread) / scale),
    high: Math.min(1, (middle + spread) / scale),
  }
}
