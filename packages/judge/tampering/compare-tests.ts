import { clip } from '../../text/text.ts'
import {
  type Assertion,
  assertionText,
  isLiteral,
  type TestFileOutline,
  type TestOutline,
} from './outline.ts'

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

/** From the strongest sign that two tests are the same to the weakest. */
const keys: readonly ((placed: PlacedTest) => string)[] = [
  ({ path, test }) => `${path}\n${test.name}`,
  ({ path, test }) => `${path}\n${test.title}`,
  ({ test }) => test.name,
  ({ test }) => test.title,
  ({ test }) => test.assertions.map(assertionText).join('\n'),
]

/**
 * Finds each earlier test again: by full name, by its own name elsewhere (moved between suites or
 * files), by its assertions (renamed), or as a similar test of its file.
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

/** Renamed and edited at once: they share half of what they compare, or most words of the names. */
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
  (title.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []).filter((word) => word !== 'test')

type TakeAssertion = (assertion: Assertion) => boolean

/** What a change newly asserts, and what may therefore replace something lost. */
export interface Replacements {
  readonly takeMoved: TakeAssertion
  /** In tests only. */
  readonly takeOver: TakeAssertion
  /** Takes a row for a test, when a new table in its file asserts as much about the same things. */
  readonly takeRow: (lost: PlacedTest) => boolean
}

export function findReplacements(
  matched: readonly Matched[],
  pairs: readonly OutlinePair[],
): Replacements {
  const earlier = new Map(matched.map(({ before, after }) => [after?.test, before.test]))
  const inTests = pairs.flatMap(({ after: { tests } }) =>
    tests.flatMap((test) => newAssertions(earlier.get(test)?.assertions ?? [], test.assertions)),
  )
  const elsewhere = pairs.flatMap(({ before, after }) => newAssertions(before.others, after.others))
  return {
    takeMoved: surplusOf([...inTests, ...elsewhere]),
    takeOver: surplusOf(inTests),
    takeRow: rowsOfTables(earlier, pairs),
  }
}

/** Lets each assertion be taken once, except those that can never fail. */
function surplusOf(assertions: readonly Assertion[]): TakeAssertion {
  const real = assertions.filter(({ strength }) => strength > 0)
  const left = Map.groupBy(real, assertionText)
  return (assertion) => left.get(assertionText(assertion))?.pop() !== undefined
}

/** Assertions that are new, and those that can never fail. */
function newAssertions(before: readonly Assertion[], after: readonly Assertion[]): Assertion[] {
  const takeKnown = surplusOf(before)
  return after.filter((each) => each.strength === 0 || !takeKnown(each))
}

/** New tests on the rows of a table: each row may replace an earlier test. */
function rowsOfTables(
  earlier: ReadonlyMap<TestOutline | undefined, TestOutline>,
  pairs: readonly OutlinePair[],
): Replacements['takeRow'] {
  const tables = pairs.flatMap(({ path, after }) =>
    after.tests
      .filter((test) => isTable(test) && !isTable(earlier.get(test)))
      .map((test) => {
        // One row is the test that became the table.
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

/** Names that the assertions call or read, without keywords, numbers and strings. */
function identifiers(assertions: readonly Assertion[]): ReadonlySet<string> {
  const values = assertions.flatMap((each) => each.values).join(' ')
  const names = values.replace(/"[^"]*"/g, '').match(/[A-Za-z_]\w+/g) ?? []
  const keyword = /^(?:true|false|null|None|True|False|not|self)$/
  return new Set(names.filter((name) => !keyword.test(name)))
}

/** One thing that a test checked and no longer does. */
export interface LostAssertion {
  readonly kind: 'weakened' | 'expectation'
  readonly what: string
  readonly line: number
  /** The new expected value, as written. */
  readonly expected: string | null
}

/**
 * Lists what an existing test no longer checks. An assertion that moved elsewhere (`takeMoved`),
 * became stronger, or was replaced by an equally strong one is not lost.
 */
export function lostAssertions(
  before: TestOutline,
  after: TestOutline,
  takeMoved: TakeAssertion,
): readonly LostAssertion[] {
  const takeKept = surplusOf(after.assertions)
  const gone = before.assertions.filter((each) => each.strength > 0 && !takeKept(each))
  const fresh = newAssertions(before.assertions, after.assertions)
  const use = (assertion: Assertion) => {
    if (!assertion.repeated) fresh.splice(fresh.indexOf(assertion), 1)
  }
  const changed: LostAssertion[] = []
  const unpaired: Assertion[] = []
  for (const old of gone) {
    const partner = partnerOf(old, fresh)
    if (partner !== undefined) {
      use(partner)
      changed.push(...describeChange(old, partner))
    } else if (!takeMoved(old)) unpaired.push(old)
  }
  const removed = unpaired.flatMap((old): readonly LostAssertion[] => {
    const asStrong = fresh.find(({ strength }) => strength >= old.strength)
    if (asStrong === undefined) return [weakened(old, fresh.shift(), after.line)]
    use(asStrong)
    return []
  })
  return [...changed, ...removed]
}

/** The new assertion about the same thing: the one with the same name, else the strongest. */
function partnerOf(old: Assertion, fresh: readonly Assertion[]): Assertion | undefined {
  const named = old.values.filter((value) => !isLiteral(value))
  const kin = fresh.filter(({ values }) => values.some((value) => named.includes(value)))
  return (
    kin.find(({ name }) => name === old.name) ?? kin.toSorted((a, b) => b.strength - a.strength)[0]
  )
}

function describeChange(old: Assertion, now: Assertion): readonly LostAssertion[] {
  if (now.strength < old.strength) return [weakened(old, now, now.line)]
  if (now.name !== old.name || now.values.length !== old.values.length) return []
  const differing = [...old.values.keys()].filter((at) => old.values[at] !== now.values[at])
  const [was, is] = [old, now].map(({ values }) => values[differing[0] ?? 0] ?? '')
  if (differing.length !== 1 || now.repeated || !isValue(was) || !isValue(is)) return []
  const what = `expected ${was} before, ${is} now`
  return [{ kind: 'expectation', what, line: now.line, expected: is ?? null }]
}

const isValue = (text = ''): boolean => isLiteral(text) || /^[[{]/.test(text)

const weakened = (old: Assertion, now: Assertion | undefined, line: number): LostAssertion => ({
  kind: 'weakened',
  what: now === undefined ? `${shown(old)} was removed` : `${shown(old)} became ${shown(now)}`,
  line: now?.line ?? line,
  expected: null,
})

const shown = ({ name, values }: Assertion): string => clip(`${name}(${values.join(', ')})`, 101)
