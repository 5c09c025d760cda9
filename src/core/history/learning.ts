/**
 * What led to a first answer that passed: a task that was served without a repair. What acts on them
 * are the rules of `strategy: auto` (choose-way.ts) and of refinements (refine.ts). Fewer than ten samples judge nothing.
 */
import { comparedFrom } from './routing.ts'
import { type Interval, wilsonInterval } from './statistics.ts'

/** What a first request may differ in. */
export const learnedFrom = ['strategy', 'lesson', 'context', 'shape', 'complexity'] as const
export type LearnedFrom = (typeof learnedFrom)[number]

/** The judged attempts with one value: `lesson: python`. */
export interface LearningCounts {
  readonly about: LearnedFrom
  readonly value: string
  readonly samples: number
  /** Served without a repair. */
  readonly first: number
}

/** `unknown` below ten samples; `usual` when its interval holds the rate of all. */
export type Help = 'helps' | 'hinders' | 'usual' | 'unknown'

export interface Learning extends LearningCounts {
  readonly confidence: Interval | null
  readonly help: Help
}

/** Compares each value with all attempts of its kind. */
export function judgeLearning(counts: readonly LearningCounts[]): readonly Learning[] {
  return counts.map((each) => {
    const all = counts.filter(({ about }) => about === each.about)
    const sum = (key: 'samples' | 'first') => all.reduce((total, one) => total + one[key], 0)
    const confidence = wilsonInterval(each.first, each.samples)
    return {
      ...each,
      confidence,
      help: helpOf(each.samples, confidence, sum('first') / sum('samples')),
    }
  })
}

/** @param usual the rate to compare with */
export function helpOf(samples: number, confidence: Interval | null, usual: number): Help {
  if (samples < comparedFrom || confidence === null) return 'unknown'
  if (confidence.low > usual) return 'helps'
  return confidence.high < usual ? 'hinders' : 'usual'
}

/** Percent of the recoveries tried that should succeed. */
export const recoveredTarget = 60

/** Recoveries that changed something, and those whose tasks were completed later. */
export interface Recovered {
  readonly tried: number
  readonly succeeded: number
}

/** `3 of 4 recoveries succeeded (75 %, target 60 %)` */
export function describeRecovered({ tried, succeeded }: Recovered): string {
  const rate = tried === 0 ? '' : `${Math.round((succeeded / tried) * 100)} %, `
  return `${succeeded} of ${tried} recoveries succeeded (${rate}target ${recoveredTarget} %)`
}
