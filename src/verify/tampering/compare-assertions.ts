import { type Assertion, assertionText, isLiteral, type TestOutline } from './outline.ts'

/** One thing that a test asked for and no longer does. */
export interface LostAssertion {
  readonly kind: 'weakened' | 'expectation'
  readonly what: string
  readonly line: number
  /** The new expected value, as written. */
  readonly expected: string | null
}

const shownOf = (each: Assertion): string => {
  const text = `${each.name}(${each.values.join(', ')})`
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** Assertions to be taken away one by one; what can never fail is none. */
export class Surplus {
  readonly #left = new Map<string, number>()

  constructor(assertions: readonly Assertion[]) {
    for (const each of assertions) {
      if (each.strength === 0) continue
      this.#left.set(assertionText(each), (this.#left.get(assertionText(each)) ?? 0) + 1)
    }
  }

  /** Takes one of these away, if there is one. */
  take(assertion: Assertion): boolean {
    const left = this.#left.get(assertionText(assertion)) ?? 0
    if (left <= 0) return false
    this.#left.set(assertionText(assertion), left - 1)
    return true
  }
}

/** Those that were not made before, and those that can never fail. */
export function newAssertions(
  before: readonly Assertion[],
  after: readonly Assertion[],
): Assertion[] {
  const known = new Surplus(before)
  return after.filter((each) => each.strength === 0 || !known.take(each))
}

/**
 * What an existing test asks for no longer. An assertion that moved elsewhere (`surplus`), became
 * stronger, or was replaced by one as strong is none.
 */
export function lostAssertions(
  before: TestOutline,
  after: TestOutline,
  surplus: Surplus,
): readonly LostAssertion[] {
  const kept = new Surplus(after.assertions)
  const gone = before.assertions.filter((each) => each.strength > 0 && !kept.take(each))
  const fresh = newAssertions(before.assertions, after.assertions)
  const lost: LostAssertion[] = []
  const unpaired: Assertion[] = []
  for (const old of gone) {
    const index = partnerOf(old, fresh)
    const partner = fresh[index]
    if (partner === undefined) {
      if (!surplus.take(old)) unpaired.push(old)
      continue
    }
    if (!partner.repeated) fresh.splice(index, 1)
    const change = describeChange(old, partner)
    if (change !== null) lost.push(change)
  }
  return [...lost, ...unpaired.flatMap((old) => replaced(old, fresh, after))]
}

/** The new assertion about the same thing: with the same name, else the strongest. */
function partnerOf(old: Assertion, fresh: readonly Assertion[]): number {
  const named = old.values.filter((value) => !isLiteral(value))
  const kin = fresh.filter(({ values }) => values.some((value) => named.includes(value)))
  const best =
    kin.find(({ name }) => name === old.name) ?? kin.toSorted((a, b) => b.strength - a.strength)[0]
  return best === undefined ? -1 : fresh.indexOf(best)
}

function describeChange(old: Assertion, now: Assertion): LostAssertion | null {
  const place = { line: now.line, expected: null }
  if (now.strength < old.strength) {
    return { kind: 'weakened', what: `${shownOf(old)} became ${shownOf(now)}`, ...place }
  }
  if (now.name !== old.name || now.values.length !== old.values.length) return null
  const differing = old.values.flatMap((value, index) =>
    value === now.values[index] ? [] : [index],
  )
  const [only] = differing
  const [was, is] = [old.values[only ?? 0] ?? '', now.values[only ?? 0] ?? '']
  if (differing.length !== 1 || now.repeated || !isValue(was) || !isValue(is)) return null
  const what = `expected ${was} before, ${is} now`
  return { kind: 'expectation', what, line: now.line, expected: is }
}

/** Something that is expected, not something that is asked. */
const isValue = (text: string): boolean => isLiteral(text) || /^[[{]/.test(text)

function replaced(
  old: Assertion,
  fresh: Assertion[],
  after: TestOutline,
): readonly LostAssertion[] {
  const index = fresh.findIndex((each) => each.strength >= old.strength)
  const stand = fresh[index]
  if (stand !== undefined) {
    if (!stand.repeated) fresh.splice(index, 1)
    return []
  }
  const weaker = fresh.shift()
  const what =
    weaker === undefined
      ? `${shownOf(old)} was removed`
      : `${shownOf(old)} became ${shownOf(weaker)}`
  return [{ kind: 'weakened', what, line: weaker?.line ?? after.line, expected: null }]
}
