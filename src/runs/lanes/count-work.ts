import type { Clock } from '../../core/ports/clock.ts'

/** One of several pieces of work at the same time; `pause` while it waits for a person. */
export interface Working {
  pause(): void
  resume(): void
  end(): void
}

/** Counts the seconds in which anything is worked on, however many lanes work at the same time. */
export function countWork(clock: Pick<Clock, 'monotonic'>, start: number) {
  let active = 0
  let sum = start
  let since = 0
  const add = (change: 1 | -1): void => {
    const now = clock.monotonic()
    if (active > 0) sum += now - since
    since = now
    active += change
  }
  return {
    begin(): Working {
      let isAtWork = true
      const be = (wanted: boolean): void => {
        if (isAtWork !== wanted) add(wanted ? 1 : -1)
        isAtWork = wanted
      }
      add(1)
      let isOver = false
      return {
        pause: () => be(false),
        resume: () => be(!isOver),
        end() {
          isOver = true
          be(false)
        },
      }
    },
    seconds(): number {
      const now = clock.monotonic()
      return active > 0 ? sum + now - since : sum
    },
  }
}
