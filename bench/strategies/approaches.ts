import type { Approach } from './play.ts'

/** Requests that `single` may make by its defaults: a draft, two repairs of the code and two of failing tests. */
const asManyAsSingle = 5
/** `limits.tool-calls`. */
const asManyAsTools = 30

/** The rows of the table, in its order. */
export const approaches: readonly Approach[] = [
  { name: 'naive, 5 requests', naive: asManyAsSingle },
  { name: 'naive, 30 requests', naive: asManyAsTools },
  { name: 'single', settings: ['strategy: single'] },
  { name: 'two_phase', settings: ['strategy: two_phase'] },
]
