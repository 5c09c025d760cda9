import { createRandom } from '../../../../bench/statistics.ts'

/** Choices that are the same for the same seed. */
export interface Chance {
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  pick<T>(items: readonly T[]): T
  /** True with this probability. */
  happens(share: number): boolean
}

export function chanceOf(seed: number): Chance {
  const random = createRandom(seed)
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  return {
    between,
    pick<T>(items: readonly T[]): T {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    happens: (share) => random() < share,
  }
}
