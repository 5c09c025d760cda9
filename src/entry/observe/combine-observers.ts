import type { Observer } from '../../graph/run-graph.ts'

/** Each of them is told, in this order. */
export const combineObservers = (...observers: readonly Observer[]): Observer => ({
  noticed: (sentence) => {
    for (const observer of observers) observer.noticed?.(sentence)
  },
  started: (node, state) => {
    for (const observer of observers) observer.started?.(node, state)
  },
  asking: () => {
    for (const observer of observers) observer.asking?.()
  },
  finished: (node, outcome, state) => {
    for (const observer of observers) observer.finished?.(node, outcome, state)
  },
})
