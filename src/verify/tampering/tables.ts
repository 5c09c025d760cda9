import type { Matched, OutlinePair, PlacedTest } from './match-tests.ts'
import type { Assertion, TestOutline } from './outline.ts'

interface Table {
  readonly path: string
  readonly names: ReadonlySet<string>
  readonly strength: number
  room: number
}

/** New tests that run on the rows of a table: each row may stand for a test that there was. */
export class Tables {
  readonly #tables: readonly Table[]

  constructor(matched: readonly Matched[], pairs: readonly OutlinePair[]) {
    const known = new Map(
      matched.flatMap(({ before, after }) => (after ? [[after.test, before.test]] : [])),
    )
    const fresh = pairs.flatMap(({ path, after }) =>
      after.tests
        .filter((test) => isTable(test) && !isTable(known.get(test)))
        .map((test) => ({ path, test })),
    )
    this.#tables = fresh.map(({ path, test }) => ({
      path,
      names: identifiers(test.assertions),
      strength: Math.max(0, ...test.assertions.map(({ strength }) => strength)),
      // One row is the test that was made into the table.
      room:
        (test.rows === null || test.rows === 1 ? Number.POSITIVE_INFINITY : test.rows) -
        (known.has(test) ? 1 : 0),
    }))
  }

  /** Takes a row for this test, where one asserts as much about the same things. */
  take({ path, test }: PlacedTest): boolean {
    const wanted = identifiers(test.assertions)
    const strength = Math.max(0, ...test.assertions.map((each) => each.strength))
    const table = this.#tables.find(
      (each) =>
        each.path === path &&
        each.room > 0 &&
        each.strength >= strength &&
        [...wanted].some((name) => each.names.has(name)),
    )
    if (table === undefined) return false
    table.room -= 1
    return true
  }
}

const isTable = (test: TestOutline | undefined): boolean =>
  test !== undefined && (test.rows !== 1 || test.assertions.some(({ repeated }) => repeated))

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
