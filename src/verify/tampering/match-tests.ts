import { assertionText, type TestFileOutline, type TestOutline } from './outline.ts'

/** One test file, before and after. */
export interface OutlinePair {
  readonly path: string
  readonly before: TestFileOutline
  readonly after: TestFileOutline
}

export interface PlacedTest {
  readonly path: string
  readonly test: TestOutline
}

export interface Matched {
  readonly before: PlacedTest
  /** `null` when it is gone. */
  readonly after: PlacedTest | null
}

type Key = (placed: PlacedTest) => string

const bodyOf = ({ test }: PlacedTest): string =>
  test.assertions.length === 0 ? '' : test.assertions.map(assertionText).join('\n')

/** From the surest sign that two are one test to the weakest. */
const keys: readonly Key[] = [
  ({ path, test }) => `${path}\n${test.name}`,
  ({ path, test }) => `${path}\n${test.title}`,
  ({ test }) => test.name,
  ({ test }) => test.title,
  bodyOf,
]

/**
 * Finds each earlier test again: by name, by its own name elsewhere (moved between suites or
 * files), by what it asserts (renamed), or where its neighbours show it must be.
 */
export function matchTests(pairs: readonly OutlinePair[]): readonly Matched[] {
  const before = pairs.flatMap(({ path, before: { tests } }) =>
    tests.map((test) => ({ path, test })),
  )
  const after = pairs.flatMap(({ path, after: { tests } }) => tests.map((test) => ({ path, test })))
  const found = new Map<PlacedTest, PlacedTest>()
  const taken = new Set<PlacedTest>()
  for (const key of keys) {
    const free = Map.groupBy(
      after.filter((each) => !taken.has(each)),
      key,
    )
    for (const each of before) {
      if (found.has(each) || key(each) === '') continue
      const match = free.get(key(each))?.shift()
      if (match === undefined) continue
      found.set(each, match)
      taken.add(match)
    }
  }
  matchByPlace(before, after, found, taken)
  return before.map((each) => ({ before: each, after: found.get(each) ?? null }))
}

/** Between two neighbours that were found again, in the same number, stand the same tests. */
function matchByPlace(
  before: readonly PlacedTest[],
  after: readonly PlacedTest[],
  found: Map<PlacedTest, PlacedTest>,
  taken: Set<PlacedTest>,
): void {
  const gaps = Map.groupBy(
    before.filter((each) => !found.has(each)),
    ({ path }) => path,
  )
  const rooms = Map.groupBy(
    after.filter((each) => !taken.has(each)),
    ({ path }) => path,
  )
  for (const [path, lost] of gaps) {
    const fresh = rooms.get(path) ?? []
    for (const each of lost) {
      const index = fresh.findIndex((other) => isKin(each.test, other.test))
      const [match] = index < 0 ? [] : fresh.splice(index, 1)
      if (match === undefined) continue
      found.set(each, match)
      taken.add(match)
    }
  }
}

/** Renamed and edited at once: they share what they compare, or the most of their names. */
function isKin(before: TestOutline, after: TestOutline): boolean {
  const values = new Set(after.assertions.flatMap((each) => each.values))
  const own = before.assertions.flatMap((each) => each.values)
  const shared = own.filter((value) => values.has(value)).length
  if (own.length > 0 && shared * 2 >= own.length) return true
  const words = new Set(wordsOf(after.title))
  const wanted = wordsOf(before.title)
  return wanted.length > 1 && wanted.filter((word) => words.has(word)).length * 2 > wanted.length
}

const wordsOf = (title: string): readonly string[] =>
  title
    .toLowerCase()
    .match(/[a-z0-9]{3,}/g)
    ?.filter((word) => word !== 'test') ?? []
