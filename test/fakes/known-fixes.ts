import type { FileMemory } from '../../src/adapters/file-store/memory-file.ts'
import type { KnownFix } from '../../src/core/domain/known-fix.ts'
import {
  joinMemories,
  learnFix,
  type MemoryContent,
  usableFixes,
} from '../../src/core/learn-fix.ts'

/** A memory of fixes that lasts as long as the process; it is always the first day of 2026. */
export function createKnownFixes(
  known: readonly KnownFix[] = [],
): Omit<FileMemory, 'forget' | 'correct'> {
  const now = '2026-01-01T00:00:00.000Z'
  let kept: MemoryContent = { fixes: known, forgotten: [] }
  return {
    recall: async (signature) =>
      usableFixes(kept.fixes).find((each) => each.signature === signature) ?? null,
    learn: async (outcome) => {
      kept = { ...kept, fixes: learnFix(kept.fixes, outcome, now) }
    },
    join: async (other) => {
      kept = joinMemories(kept, other, now)
      return kept
    },
    all: async () => usableFixes(kept.fixes),
    forgotten: async () => kept.forgotten.map(({ id }) => id),
  }
}
