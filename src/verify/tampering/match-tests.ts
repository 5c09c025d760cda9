import { type Assertion, assertionText, type TestFileOutline, type TestOutline } from './outline.ts'

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

/** From the surest sign that two are one test to the weakest. */
const keys: readonly ((placed: PlacedTest) => string)[] = [
  ({ path, test }) => `${path}\n${test.name}`,
  ({ path, test }) => `${path}\n${test.title}`,
  ({ test }) => test.name,
  ({ test }) => test.title,
  ({ test }) => test.assertions.map(assertionText).join('\n'),
]

/**
 * Finds each earlier test again: by name, by its own name elsewhere (moved between suites or
 * files), by what it asserts (renamed), or as one of its file that is like it.
 */
export function matchTests(pairs: readonly OutlinePair[]): readonly Matched[] {
  const placed = (side: 'before' | 'after') =>
    pairs.flatMap(({ path, [side]: { tests } }) => tests.map((test) => ({ path, test })))
  const before = placed('before')
  const free = new Set<PlacedTest>(placed('after'))
  const found = new Map<PlacedTest, PlacedTest>()
  const matchBy = (find: (each: PlacedTest) => PlacedTest | undefined) => {
    for (const each of before) {
      const match = found.has(each) ? undefined : find(each)
      if (match === undefined) continue
      found.set(each, match)
      free.delete(match)
    }
  }
  for (const key of keys) {
    const groups = Map.groupBy(free, key)
    matchBy((each) => (key(each) === '' ? undefined : groups.get(key(each))?.shift()))
  }
  matchBy(({ path, test }) =>
    [...free].find((other) => other.path === path && isKin(test, other.test)),
  )
  return before.map((each) => ({ before: each, after: found.get(each) ?? null }))
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

/**
 * New tests that run on the rows of a table: each row may stand for a test that there was.
 *
 * @returns takes a row for a test, where a table of its file asserts as much about the same things
 */
export function rowsOfTables(
  matched: readonly Matched[],
  pairs: readonly OutlinePair[],
): (lost: PlacedTest) => boolean {
  const earlier = new Map(matched.map(({ before, after }) => [after?.test, before.test]))
  const tables = pairs.flatMap(({ path, after }) =>
    after.tests
      .filter((test) => isTable(test) && !isTable(earlier.get(test)))
      .map((test) => {
        // One row is the test that was made into the table.
        const rows = test.rows === 1 ? null : test.rows
        const room = (rows ?? Number.POSITIVE_INFINITY) - (earlier.has(test) ? 1 : 0)
        return { path, room, names: identifiers(test.assertions), strength: strongest(test) }
      }),
  )
  return ({ path, test }) => {
    const wanted = identifiers(test.assertions)
    const table = tables.find(
      (each) =>
        each.path === path &&
        each.room > 0 &&
        each.strength >= strongest(test) &&
        [...wanted].some((name) => each.names.has(name)),
    )
    if (table === undefined) return false
    table.room -= 1
    return true
  }
}

const isTable = (test: TestOutline | undefined): boolean =>
  test !== undefined && (test.rows !== 1 || test.assertions.some(({ repeated }) => repeated))

const strongest = ({ assertions }: TestOutline): number =>
  Math.max(0, ...assertions.map(({ strength }) => strength))

/** What is called or read in the assertions: not keywords, numbers or strings. */
function identifiers(assertions: readonly Assertion[]): ReadonlySet<string> {
  const text = assertions
    .flatMap(({ values }) => values)
    .join(' ')
    .replace(/"[^"]*"/g, '')
  return new Set(
    (text.match(/[A-Za-z_]\w+/g) ?? []).filter(
      (name) => !/^(?:true|false|null|None|True|False|not|self)$/.test(name),
    ),
  )
}
