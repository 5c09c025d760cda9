import type { Approach } from './play.ts'

/** Requests that `single` may make by its defaults: a draft, two repairs of the code and two of failing tests. */
const asManyAsSingle = 5
/** Requests that `tools` makes for a task on average, and at most (`limits.tool-calls`). */
const asToolsMakes = 10
const asManyAsTools = 30

const reflexion = 'reflect-after: 2'

/** The rows of the table, in its order. */
export const approaches: readonly Approach[] = [
  { name: 'naive, 5 requests', naive: asManyAsSingle },
  { name: 'naive, 10 requests', naive: asToolsMakes },
  { name: 'naive, 30 requests', naive: asManyAsTools },
  { name: 'single', settings: ['strategy: single'] },
  { name: 'single, reflexion', settings: ['strategy: single', reflexion] },
  { name: 'two_phase', settings: ['strategy: two_phase'] },
  { name: 'two_phase, critic', settings: ['strategy: two_phase', 'critic: true'] },
  { name: 'tools', settings: ['strategy: tools'] },
  { name: 'tools, reflexion', settings: ['strategy: tools', reflexion] },
  { name: 'auto', settings: ['strategy: auto'] },
  { name: 'auto, no memory', settings: ['strategy: auto', 'memory: off'] },
  { name: 'auto, learning', settings: ['strategy: auto'], learns: true },
]
