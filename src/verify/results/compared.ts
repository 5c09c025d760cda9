/** What an assertion compared, each as its message prints it. */
export interface Compared {
  readonly expected: string | null
  readonly actual: string | null
}

type Order = 'expected first' | 'actual first'

/** Messages of assertion libraries; the first that fits is taken. Each is anchored or bounded. */
const messages: readonly (readonly [RegExp, Order])[] = [
  // JUnit 4 and 5, TestNG
  [/expected: ?<([^\n]{0,400}?)> but was: ?<([^\n]{0,400}?)>/, 'expected first'],
  // AssertJ, NUnit, Hamcrest
  [/^\s*expected: ?([^\n]+)\n\s*but(?: was)?:\s?([^\n]+)/im, 'expected first'],
  // RSpec, minitest, Jest, Bun, xUnit, testify
  [/^\s*expected: ?([^\n]+)\n\s*(?:got|actual|received) *: *([^\n]+)/im, 'expected first'],
  // MSTest
  [/Expected:<([^\n]{0,400}?)>\. Actual:<([^\n]{0,400}?)>/, 'expected first'],
  // PHPUnit
  [/Failed asserting that (.{1,400}?) is identical to (.{1,400})\.$/m, 'actual first'],
  [
    /Failed asserting that (.{1,400}?) (?:matches expected|is equal to) (.{1,400})\.$/m,
    'actual first',
  ],
  // Rust
  [/^\s*left: ([^\n]+)\n\s*right: ([^\n]+)/m, 'actual first'],
  // Go, by convention
  [/\bgot:? ([^\n,;]{1,200})[,;] (?:want|expected):? ([^\n]{1,200})/i, 'actual first'],
  [/\b(?:want|expected):? ([^\n,;]{1,200})[,;] (?:but )?got:? ([^\n]{1,200})/i, 'expected first'],
]

/** `null` for both where the message is of none of the known forms. */
export function comparedIn(message: string): Compared {
  for (const [pattern, order] of messages) {
    const found = pattern.exec(message)
    if (found === null) continue
    const [, first = '', second = ''] = found
    return order === 'expected first'
      ? { expected: first.trim(), actual: second.trim() }
      : { expected: second.trim(), actual: first.trim() }
  }
  return { expected: null, actual: null }
}
