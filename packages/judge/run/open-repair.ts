import { isForbidding } from '../../change/change.ts'
import { failureSaying } from '../compare/read-outcome.ts'
import { excerptOf } from '../validate/explain.ts'
import { failingTests, type TriedChange } from './failing-tests.ts'
import type { guardTests } from './guard-tests.ts'

/** The repair of a tried change: what it has to fix, what it may not change, and the check of its answer. */
export const openRepair = (tried: TriedChange) => ({
  /** When no test is broken, the failure is a missing test, which `require-tests` asks for. */
  failures:
    tried.broken.length > 0 || tried.failure === null
      ? tried.broken
      : [failureSaying('verification', tried.failure.message)],
  /** Failing tests that existed before this attempt: files that no repair may change. */
  readOnly: failingTests(tried),
  /** Problems that no other text of the same file can solve. */
  forbidden: tried.problems.filter(isForbidding),
  /** The code around a problem, as a model may see it; empty for a problem without a line. */
  excerptOf: (problem: Parameters<typeof excerptOf>[1]) => excerptOf(tried.draft, problem),
  /** As `guardTests`. */
  guard: async (answer: Parameters<typeof guardTests>[0]) =>
    (await import('./guard-tests.ts')).guardTests(answer, tried),
})
