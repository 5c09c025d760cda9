import { AsyncLocalStorage } from 'node:async_hooks'

/** The lane whose step makes a call; 0 for the walk between tasks, and for a run without lanes. */
const lanes = new AsyncLocalStorage<number>()

export const currentLane = (): number => lanes.getStore() ?? 0

/** Does the work of a step so that its calls are known to be of this lane. */
export const inLane = <Result>(lane: number, work: () => Promise<Result>): Promise<Result> =>
  lanes.run(lane, work)

/** One value for each lane, made at its first use. */
export interface ByLane<Value> {
  /** That of the current lane. */
  own(): Value
  all(): readonly Value[]
}

export function byLane<Value>(make: () => Value): ByLane<Value> {
  const values = new Map<number, Value>()
  return {
    own() {
      const value = values.get(currentLane()) ?? make()
      values.set(currentLane(), value)
      return value
    },
    all: () => [...values].sort(([a], [b]) => a - b).map(([, value]) => value),
  }
}
