import { type Assertion, assertionText, isLiteral, type TestOutline } from './outline.ts'

/** One thing that a test asked for and no longer does. */
export interface LostAssertion {
  readonly kind: 'weakened' | 'expectation'
  readonly what: string
  readonly line: number
  /** The new expected value, as written. */
  readonly expected: string | null
}

/** Takes one assertion like this away, if one is left. */
export type TakeAssertion = (assertion: Assertion) => boolean

/** Assertions to be taken away one by one; what can never fail is no assertion. */
export function surplusOf(assertions: readonly Assertion[]): TakeAssertion {
  const left = Map.groupBy(
    assertions.filter(({ strength }) => strength > 0),
    assertionText,
  )
  return (assertion) => left.get(assertionText(assertion))?.pop() !== undefined
}

/** Those that were not made before, and those that can never fail. */
export function newAssertions(
  before: readonly Assertion[],
  after: readonly Assertion[],
): Assertion[] {
  const takeKnown = surplusOf(before)
  return after.filter((each) => each.strength === 0 || !takeKnown(each))
}

/**
 * What an existing test asks for no longer. An assertion that moved elsewhere (`takeMoved`), became
 * stronger, or was replaced by one as strong is not lost.
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
    if (partner === undefined) {
      if (!takeMoved(old)) unpaired.push(old)
      continue
    }
    use(partner)
    changed.push(...describeChange(old, partner))
  }
  const removed = unpaired.flatMap((old): readonly LostAssertion[] => {
    const asStrong = fresh.find(({ strength }) => strength >= old.strength)
    if (asStrong === undefined) return [weakened(old, fresh.shift(), after.line)]
    use(asStrong)
    return []
  })
  return [...changed, ...removed]
}

/** The new assertion about the same thing: with the same name, else the strongest. */
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

/** Something that is expected, not something that is asked. */
const isValue = (text = ''): boolean => isLiteral(text) || /^[[{]/.test(text)

const weakened = (old: Assertion, now: Assertion | undefined, line: number): LostAssertion => ({
  kind: 'weakened',
  what: now === undefined ? `${shown(old)} was removed` : `${shown(old)} became ${shown(now)}`,
  line: now?.line ?? line,
  expected: null,
})

function shown({ name, values }: Assertion): string {
  const text = `${name}(${values.join(', ')})`
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
