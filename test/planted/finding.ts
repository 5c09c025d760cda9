import type { Bug } from '../plant-bugs.ts'

/** What was found from outside, and its mend taken away: the test that must fail then. */
export interface Finding extends Bug {
  /** The number that the finding has in its issue. */
  readonly of: string
  /** What is wrong without the mend. */
  readonly name: string
  /** One test file, of the tiers of `npm test`. */
  readonly test: string
  /** Its tests whose names have these words; all when not given. */
  readonly only?: string
}
