import { learnFix, usableFixes } from '../../src/memory/learn-fix.ts'
import type { KnownFix, Memory } from '../../src/ports/memory.ts'

/** A memory of fixes that lasts as long as the process; it is always the first day of 2026. */
export function createKnownFixes(known: readonly KnownFix[] = []): Memory {
  const now = '2026-01-01T00:00:00.000Z'
  let fixes = known
  return {
    recall: async (signature) =>
      usableFixes(fixes).find((each) => each.signature === signature) ?? null,
    learn: async (outcome) => {
      fixes = learnFix(fixes, outcome, now)
    },
    all: async () => usableFixes(fixes),
    clear: async () => {
      const removed = fixes
      fixes = []
      return removed
    },
  }
}
