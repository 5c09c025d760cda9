import type { FileMemory } from '../../src/adapters/file-store/memory-file.ts'
import { keepFresh, learnFix, usableFixes } from '../../src/core/learn-fix.ts'
import type { KnownFix } from '../../src/core/ports/memory.ts'

/** A memory of fixes that lasts as long as the process; it is always the first day of 2026. */
export function createKnownFixes(known: readonly KnownFix[] = []): FileMemory {
  const now = '2026-01-01T00:00:00.000Z'
  let fixes = known
  return {
    recall: async (signature) =>
      usableFixes(fixes).find((each) => each.signature === signature) ?? null,
    learn: async (outcome) => {
      fixes = learnFix(fixes, outcome, now)
    },
    join: async (others) => {
      fixes = keepFresh([...fixes, ...others], now)
      return fixes
    },
    all: async () => usableFixes(fixes),
    clear: async () => {
      const removed = fixes
      fixes = []
      return removed
    },
  }
}
