import type { PastTask } from '../../core/ports/store.ts'

/** How far forecasts were off, learned from tasks that were finished. */
export interface Calibration {
  /** What a forecast is multiplied by. */
  readonly factor: number
  /** The finished tasks it was learned from; 0: nothing was, and the forecast is a guess. */
  readonly samples: number
}

export const uncalibrated: Calibration = { factor: 1, samples: 0 }

/** Fewer tasks than this say more about themselves than about the next one. */
const fewest = 3
const smallest = 0.25
const largest = 8

/**
 * The median of what finished tasks took over what was forecast for them: one that went astray moves
 * it little. Between a quarter and eight times, whatever the history says.
 */
export function calibrate(past: readonly PastTask[]): Calibration {
  const ratios = past
    .map(({ tokens, forecastTokens }) => tokens / forecastTokens)
    .filter((ratio) => Number.isFinite(ratio) && ratio > 0)
    .sort((a, b) => a - b)
  if (ratios.length < fewest) return uncalibrated
  const middle = ratios.length / 2
  const median = ((ratios[Math.ceil(middle) - 1] ?? 1) + (ratios[Math.floor(middle)] ?? 1)) / 2
  return { factor: Math.min(largest, Math.max(smallest, median)), samples: ratios.length }
}

/** `from 5 past tasks`, or that it is a guess. */
export const describeBasis = ({ samples }: Pick<Calibration, 'samples'>): string =>
  samples === 0 ? 'a guess, until three tasks are done' : `from ${samples} past tasks`
