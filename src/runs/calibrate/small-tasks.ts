/** The tasks of a calibration, invented for it: the question, and the parts that an answer must have. */

import type { Failure } from '../../core/domain/attempt.ts'

/** A task about one file, with the test that is shown beside it. */
export interface SmallTask {
  /** As in a roadmap. */
  readonly line: string
  /** `Python, a stub`: what a person reads. */
  readonly about: string
  readonly path: string
  readonly text: string
  readonly test: { readonly path: string; readonly text: string }
  /** What the file must still have, or have then. */
  readonly keeps: readonly string[]
  /** What must be gone. */
  readonly drops: readonly string[]
}

const vowels: SmallTask = {
  line: '- [ ] T-1: Implement `count_vowels` in `words/vowels.py`',
  about: 'Python, a stub',
  path: 'words/vowels.py',
  text: `def count_vowels(text):
    """Return how many letters of the text are a, e, i, o or u, in either case."""
    raise NotImplementedError
`,
  test: {
    path: 'tests/test_vowels.py',
    text: `from words.vowels import count_vowels


def test_counts_both_cases():
    assert count_vowels("Apple pie") == 4


def test_counts_nothing_in_nothing():
    assert count_vowels("") == 0
`,
  },
  keeps: ['def count_vowels('],
  drops: ['NotImplementedError'],
}

const clamp: SmallTask = {
  line: '- [ ] T-2: Implement `clamp` in `lib/clamp.js`',
  about: 'JavaScript, a stub',
  path: 'lib/clamp.js',
  text: `/** The value, but at least \`low\` and at most \`high\`. */
export function clamp(value, low, high) {
  throw new Error('not written yet')
}
`,
  test: {
    path: 'test/clamp.test.js',
    text: `import assert from 'node:assert/strict'
import test from 'node:test'
import { clamp } from '../lib/clamp.js'

test('clamps to both ends', () => {
  assert.equal(clamp(5, 1, 3), 3)
  assert.equal(clamp(-5, 1, 3), 1)
  assert.equal(clamp(2, 1, 3), 2)
})
`,
  },
  keeps: ['export function clamp('],
  drops: ['not written yet'],
}

const basket: SmallTask = {
  line: '- [ ] T-3: `total` in `shop/basket.py` must multiply each price by its quantity',
  about: 'Python, a mistake',
  path: 'shop/basket.py',
  text: `class Basket:
    """The articles that a customer wants, with their quantities."""

    def __init__(self):
        self._lines = []

    def add(self, name, price, quantity=1):
        if quantity < 1:
            raise ValueError("quantity must be at least 1")
        self._lines.append((name, price, quantity))

    def remove(self, name):
        self._lines = [line for line in self._lines if line[0] != name]

    def names(self):
        return sorted(name for name, _, _ in self._lines)

    def total(self):
        return sum(price for _, price, _ in self._lines)

    def is_empty(self):
        return len(self._lines) == 0
`,
  test: {
    path: 'tests/test_basket.py',
    text: `from shop.basket import Basket


def test_total_counts_quantities():
    basket = Basket()
    basket.add("pen", 3, 2)
    basket.add("ink", 5)
    assert basket.total() == 11
`,
  },
  keeps: ['class Basket:', 'def add(', 'def remove(', 'def names(', 'def is_empty(', 'def total('],
  drops: ['sum(price for _, price, _ in'],
}

const shifts: SmallTask = {
  line: '- [ ] T-4: `minutesBetween` in `lib/shifts.js` must count a shift that ends after midnight',
  about: 'JavaScript, a mistake',
  path: 'lib/shifts.js',
  text: `const minutesOfDay = 24 * 60

/** Minutes since midnight of a time like \`08:30\`. */
export function minutesOf(time) {
  const [hours, minutes] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Minutes of a shift from one time to another. */
export function minutesBetween(start, end) {
  return minutesOf(end) - minutesOf(start)
}

/** True when a time is in the night. */
export function isNight(time) {
  const minutes = minutesOf(time)
  return minutes < 6 * 60 || minutes >= 22 * 60
}

export function format(minutes) {
  const inDay = minutes % minutesOfDay
  return \`\${Math.floor(inDay / 60)} h \${inDay % 60} min\`
}
`,
  test: {
    path: 'test/shifts.test.js',
    text: `import assert from 'node:assert/strict'
import test from 'node:test'
import { minutesBetween } from '../lib/shifts.js'

test('counts past midnight', () => {
  assert.equal(minutesBetween('22:00', '06:00'), 480)
  assert.equal(minutesBetween('09:00', '17:30'), 510)
})
`,
  },
  keeps: ['minutesOf(', 'export function minutesBetween(', 'function isNight(', 'function format('],
  drops: [],
}

const stock: SmallTask = {
  line: '- [ ] T-5: Add `reorder_list` to `shop/stock.py`',
  about: 'Python, a new function',
  path: 'shop/stock.py',
  text: `def receive(stock, name, amount):
    """Add an amount of an article to the stock."""
    stock[name] = stock.get(name, 0) + amount
    return stock


def take(stock, name, amount):
    """Take an amount of an article out of the stock."""
    if stock.get(name, 0) < amount:
        raise ValueError(f"not enough {name}")
    stock[name] -= amount
    return stock


def value(stock, prices):
    return sum(amount * prices[name] for name, amount in stock.items())
`,
  test: {
    path: 'tests/test_stock.py',
    text: `from shop.stock import reorder_list


def test_lists_what_is_short_by_name():
    assert reorder_list({"pen": 2, "ink": 9, "cap": 0}, 3) == ["cap", "pen"]
`,
  },
  keeps: ['def receive(', 'def take(', 'def value(', 'def reorder_list('],
  drops: [],
}

export const codeTasks: readonly SmallTask[] = [vowels, clamp, basket, shifts, stock]

/** A task that failed, for the question why. */
export const failedTask = {
  line: '- [ ] T-6: Make `resize` in `lib/image.js` keep the colours',
  failure: {
    at: 'failed',
    message: 'The tests fail.',
    problems: [],
    failures: [],
    output: `Error: Cannot find package 'pixel-tools' imported from lib/image.js
    at packageResolve (node:internal/modules/esm/resolve:873:9)`,
  } satisfies Failure,
} as const

/** A task whose file is not shown: it has to be read first. */
export const unseenTask = {
  line: '- [ ] T-7: The greeting ends with an exclamation mark',
  map: `package.json: node --test
src/greet.js: greet
src/main.js: main
test/greet.test.js`,
}

/** A change that does not parse: the closing bracket of a call is missing. */
export const brokenChange = {
  line: '- [ ] T-8: `mean` returns 0 for no values',
  path: 'lib/mean.py',
  text: `def mean(values):
    if len(values) == 0:
        return 0
    return sum(values) / max(1, len(values)
`,
  problem: { type: 'syntax', line: 4, column: 31, message: "'(' was never closed" },
  excerpt: `  2 |     if len(values) == 0:
  3 |         return 0
> 4 |     return sum(values) / max(1, len(values)`,
  keeps: ['def mean(', 'sum(values)'],
}
