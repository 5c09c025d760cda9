import type { Discussion } from '../core/ports/discussion.ts'
import type { Ports } from '../core/ports.ts'

/** What the use cases that serve events work through: a run's ports, and what people say. */
export interface Services {
  readonly ports: Ports
  readonly discussion: Discussion
}
