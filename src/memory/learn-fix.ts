import { isBefore, secondsBefore } from '../domain/instant.ts'
import type { FixOutcome, KnownFix } from '../ports/memory.ts'

const mostFixes = 200
const longestDays = 90
const mostFailures = 2
/** Characters. */
const longestText = 400

const day = 24 * 60 * 60

/** What is known after one more try. One fix is kept for each error: the one that worked last. */
export function learnFix(
  known: readonly KnownFix[],
  outcome: FixOutcome,
  now: string,
): readonly KnownFix[] {
  const { signature, fix, worked } = outcome
  if ([signature, fix].some((text) => text === '' || text.length > longestText)) return known
  const earlier = known.find((each) => each.signature === signature)
  const others = known.filter((each) => each !== earlier)
  if (earlier?.fix === fix) return keepFresh([...others, count(earlier, outcome, now)], now)
  if (!worked) return known
  const { type, strategy } = outcome
  const first = { signature, type, strategy, fix, worked: 1, failed: 0, failedInARow: 0, at: now }
  return keepFresh([...others, first], now)
}

const count = (earlier: KnownFix, { worked }: FixOutcome, now: string): KnownFix => ({
  ...earlier,
  worked: earlier.worked + (worked ? 1 : 0),
  failed: earlier.failed + (worked ? 0 : 1),
  failedInARow: worked ? 0 : earlier.failedInARow + 1,
  at: now,
})

/** Those that still count, the last tried first: not too old, not given up, one for each error. */
export function keepFresh(known: readonly KnownFix[], now: string): readonly KnownFix[] {
  const oldest = secondsBefore(now, longestDays * day)
  const seen = new Set<string>()
  return known
    .filter(({ failedInARow, at }) => failedInARow < mostFailures && !isBefore(at, oldest))
    .toSorted((a, b) => (isBefore(a.at, b.at) ? 1 : isBefore(b.at, a.at) ? -1 : 0))
    .filter(({ signature }) => !seen.has(signature) && seen.add(signature))
    .slice(0, mostFixes)
}
