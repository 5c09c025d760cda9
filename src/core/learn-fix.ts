import { isBefore, secondsBefore } from './domain/instant.ts'
import { type FixOutcome, type Forgotten, type KnownFix, longestFix } from './domain/known-fix.ts'
import { factId } from './fact-id.ts'

const mostFixes = 200
const longestDays = 90
const mostFailures = 2
/** How far another machine's clock may be ahead, in days; a fix from later would never expire. */
const daysAhead = 2

const day = 24 * 60 * 60

/** Adds the outcome of one try. Keeps one fix for each error: the one that worked last. */
export function learnFix(
  known: readonly KnownFix[],
  outcome: FixOutcome,
  now: string,
): readonly KnownFix[] {
  const { signature, fix, worked } = outcome
  if ([signature, fix].some((text) => text === '' || text.length > longestFix)) return known
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

/**
 * Returns the fixes worth keeping, most recently tried first: recent ones, one for each error. Keeps abandoned ones,
 * so that another machine's memory does not bring them back. Joining is commutative and idempotent.
 */
export const keepFresh = (known: readonly KnownFix[], now: string): readonly KnownFix[] =>
  freshest(known, now, byWeight, ({ signature }) => signature)

/** The first of each key in this order, without old ones. */
function freshest<T extends { readonly at: string }>(
  all: readonly T[],
  now: string,
  order: (a: T, b: T) => number,
  keyOf: (each: T) => string,
): readonly T[] {
  const oldest = secondsBefore(now, longestDays * day)
  const latest = secondsBefore(now, -daysAhead * day)
  const fresh = all.filter(({ at }) => !isBefore(at, oldest) && !isBefore(latest, at))
  const byKey = Map.groupBy(fresh.toSorted(order), keyOf)
  return [...byKey.values()].flatMap(([first]) => first ?? []).slice(0, mostFixes)
}

/** What a disk or the repository remembers. */
export interface MemoryContent {
  readonly fixes: readonly KnownFix[]
  readonly forgotten: readonly Forgotten[]
}

export const fixId = ({ signature, fix }: Pick<KnownFix, 'signature' | 'fix'>): string =>
  factId('fix', signature, fix)

/** Joins two memories; a fix that a person forgot stays away until it is learned again. */
export function joinMemories(a: MemoryContent, b: MemoryContent, now: string): MemoryContent {
  const forgotten = freshest([...a.forgotten, ...b.forgotten], now, byTime, ({ id }) => id)
  const since = new Map(forgotten.map(({ id, at }) => [id, at]))
  const isKept = (fix: KnownFix) => {
    const at = since.get(fixId(fix))
    return at === undefined || isBefore(at, fix.at)
  }
  return { fixes: keepFresh([...a.fixes, ...b.fixes].filter(isKept), now), forgotten }
}

/** Newest first. */
const byTime = (a: Forgotten, b: Forgotten): number => compare(b.at, a.at) || compare(a.id, b.id)

/** The fixes to offer: failing ones are abandoned eventually. */
export const usableFixes = (known: readonly KnownFix[]): readonly KnownFix[] =>
  known.filter(({ failedInARow }) => failedInARow < mostFailures)

/** Most recently tried first; at equal times, the more certain one. */
function byWeight(a: KnownFix, b: KnownFix): number {
  if (isBefore(a.at, b.at)) return 1
  if (isBefore(b.at, a.at)) return -1
  return b.worked - a.worked || a.failed - b.failed || compare(textOf(a), textOf(b))
}

const textOf = ({ signature, type, strategy, fix, failedInARow }: KnownFix): string =>
  JSON.stringify([signature, type, strategy, fix, failedInARow])

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
