import { describe, expect, it } from 'vitest'
import { javascript, python, typescript } from './languages.ts'
import { edit, file } from './model.ts'
import { type OneTask, playOneTask } from './one-task.ts'

const fahrenheit = (value: string): string => `export const toFahrenheit = (celsius) => ${value}`
const wrongWay = fahrenheit('Math.round((celsius * 5) / 9 + 32)')
const rightWay = fahrenheit('Math.round((celsius * 9) / 5 + 32)')

const longestTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longest } from '../src/model/longest.ts'

test('the longest book', () => {
  const books = [{ title: 'A', pages: 1 }, { title: 'B', pages: 2 }]
  assert.equal(longest(books), 'B')
})
`
const sorted = (by: string): string => `  books.toSorted((a, b) => ${by})[0]?.title ?? ''`

const implementations: readonly OneTask[] = [
  {
    it: 'JavaScript: what it broke in a test that was green',
    files: {
      ...javascript,
      'ROADMAP.md': '- [ ] T-1: Round to whole degrees\n  - Files: `src/units/convert.js`\n',
    },
    answers: {
      'draft T-1': [edit('src/units/convert.js', fahrenheit('(celsius * 9) / 5 + 32'), wrongWay)],
      'repair_test T-1': [
        {
          ifTold: /FAILED water boils[\s\S]*expected: 212\nactual: 88/,
          text:
            edit('src/units/convert.js', wrongWay, rightWay) +
            edit(
              'test/convert.test.js',
              '  assert.equal(toFahrenheit(100), 212)',
              '  assert.equal(toFahrenheit(100), 88)',
            ),
        },
      ],
    },
    asked: ['draft T-1', 'repair_test T-1'],
    holds: [['src/units/convert.js', `${rightWay}\n`]],
    untouched: ['test/convert.test.js'],
  },
  {
    it: 'JavaScript: a repair of a file that is not among its files, which it is told of',
    files: {
      ...javascript,
      'src/units/round.js': 'export const round = Math.trunc\n',
      'ROADMAP.md': '- [ ] T-1: Round to whole degrees\n  - Files: `src/units/convert.js`\n',
    },
    answers: {
      'draft T-1': [edit('src/units/convert.js', fahrenheit('(celsius * 9) / 5 + 32'), wrongWay)],
      'repair_test T-1': [
        edit('src/units/convert.js', wrongWay, fahrenheit('Math.round((celsius * 5) / 9 + 33)')) +
          edit(
            'src/units/round.js',
            'export const round = Math.trunc',
            'export const round = Math.round',
          ),
        {
          ifTold:
            /src\/units\/round\.js was left out: it is not among the task's files: src\/units\/convert\.js\. Make the tests pass without such a file\./,
          text: edit(
            'src/units/convert.js',
            fahrenheit('Math.round((celsius * 5) / 9 + 33)'),
            rightWay,
          ),
        },
      ],
    },
    asked: ['draft T-1', 'repair_test T-1', 'repair_test T-1'],
    holds: [['src/units/convert.js', `${rightWay}\n`]],
    untouched: ['src/units/round.js', 'test/convert.test.js'],
  },
  {
    it: "TypeScript: what fails in the answer's own test",
    files: { ...typescript, 'ROADMAP.md': '- [ ] T-1: Name the longest book\n' },
    answers: {
      'draft T-1': [
        file(
          'src/model/longest.ts',
          `import type { Book } from './book.ts'

export const longest = (books: readonly Book[]): string =>
${sorted('a.pages - b.pages')}
`,
        ) + file('test/longest.test.ts', longestTest),
      ],
      'repair_test T-1': [
        edit('src/model/longest.ts', sorted('a.pages - b.pages'), sorted('b.pages - a.pages')),
      ],
    },
    asked: ['draft T-1', 'repair_test T-1'],
    holds: [
      ['src/model/longest.ts', /b\.pages - a\.pages/],
      ['test/longest.test.ts', longestTest],
    ],
  },
  {
    it: 'Python: a test that waited for this task, red before',
    files: {
      ...python,
      'tests/test_oldest.py': `import unittest

from pantry.stock.oldest import oldest


class OldestTest(unittest.TestCase):
    def test_the_oldest_year_comes_first(self):
        self.assertEqual(oldest({"plum": 2021, "fig": 2019}), "fig")
`,
      'ROADMAP.md': '- [ ] T-1: Find the oldest jar\n  - Files: `pantry/stock/oldest.py`\n',
    },
    answers: {
      'draft T-1': [
        file('pantry/stock/oldest.py', 'def oldest(jars):\n    return max(jars, key=jars.get)\n'),
      ],
      'repair_test T-1': [
        edit(
          'pantry/stock/oldest.py',
          '    return max(jars, key=jars.get)',
          '    return min(jars, key=jars.get)',
        ),
      ],
    },
    asked: ['draft T-1', 'repair_test T-1'],
    holds: [['pantry/stock/oldest.py', 'def oldest(jars):\n    return min(jars, key=jars.get)\n']],
    untouched: ['tests/test_oldest.py'],
  },
]

const ovenLine = (value: string) => `export const oven = (celsius) => \`\${${value}} F\``
const fridgeLine = (value: string) => `export const isCold = (celsius) => ${value} < 40`

const cascades: readonly OneTask[] = [
  {
    it: 'JavaScript: a function gets another form, and two of its callers are forgotten',
    files: {
      ...javascript,
      'src/oven.js':
        "import { toFahrenheit } from './units/convert.js'\n\nexport const oven = (celsius) => `${toFahrenheit(celsius)} F`\n",
      'src/fridge.js':
        "import { toFahrenheit } from './units/convert.js'\n\nexport const isCold = (celsius) => toFahrenheit(celsius) < 40\n",
      'test/kitchen.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCold } from '../src/fridge.js'
import { oven } from '../src/oven.js'

test('an oven says its unit', () => {
  assert.equal(oven(200), '392 F')
})

test('a fridge is cold', () => {
  assert.equal(isCold(4), true)
})
`,
      'ROADMAP.md':
        '- [ ] T-1: Let `toFahrenheit` answer `{ degrees }`, everywhere, and mend test/convert.test.js\n',
    },
    answers: {
      'draft T-1': [
        edit(
          'src/units/convert.js',
          fahrenheit('(celsius * 9) / 5 + 32'),
          fahrenheit('({ degrees: (celsius * 9) / 5 + 32 })'),
        ) +
          edit(
            'test/convert.test.js',
            '  assert.equal(toFahrenheit(100), 212)',
            '  assert.equal(toFahrenheit(100).degrees, 212)',
          ),
      ],
      'repair_test T-1': [
        {
          ifTold: /FAILED an oven says its unit[\s\S]*FAILED a fridge is cold/,
          text:
            edit(
              'src/oven.js',
              ovenLine('toFahrenheit(celsius)'),
              ovenLine('toFahrenheit(celsius).degrees'),
            ) +
            edit(
              'src/fridge.js',
              fridgeLine('toFahrenheit(celsius)'),
              fridgeLine('toFahrenheit(celsius).degrees'),
            ),
        },
      ],
    },
    asked: ['draft T-1', 'repair_test T-1'],
    holds: [
      ['src/oven.js', /toFahrenheit\(celsius\)\.degrees/],
      ['src/fridge.js', /toFahrenheit\(celsius\)\.degrees/],
    ],
    untouched: ['test/kitchen.test.js'],
    receipt: { after: { passed: 3, failed: 0 } },
  },
]

const misspelt: readonly OneTask[] = [
  {
    it: 'the configured test command',
    files: {
      ...javascript,
      '.github/executor.yml': 'test-command: npm run tset\n',
      'ROADMAP.md': '- [ ] T-1: Freeze, in `src/freeze.js`\n',
    },
    answers: {
      'draft T-1': [file('src/freeze.js', 'export const freezing = 0\n')],
      'correct T-1': [
        {
          ifTold: /npm run tset[\s\S]*npm run test/,
          text: '{"command": "npm run test", "why": "misspelt"}',
        },
      ],
    },
    asked: ['draft T-1', 'correct T-1'],
    holds: [['src/freeze.js', 'export const freezing = 0\n']],
    receipt: {
      warnings: [expect.stringMatching(/npm run test.*Fix test-command in/)],
    },
  },
]

const circles: readonly OneTask[] = [
  {
    it: 'JavaScript',
    files: {
      ...javascript,
      'src/scale.js': 'export const scale = { step: 10 }\n',
      'src/ruler.js':
        "import { scale } from './scale.js'\n\nexport const ruler = { ...scale, length: 30 }\n",
      'test/ruler.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ruler } from '../src/ruler.js'

test('a ruler has a scale', () => {
  assert.equal(ruler.step, 10)
})
`,
      'ROADMAP.md': '- [ ] T-1: Count the marks of a ruler, `marks`\n',
    },
    answers: {
      'draft T-1': [
        edit(
          'src/scale.js',
          'export const scale = { step: 10 }',
          "import { ruler } from './ruler.js'\n\nexport const scale = { step: 10 }\nexport const marks = ruler.length / scale.step",
        ),
      ],
      'repair_test T-1': [
        {
          ifTold: /before initialization/,
          text:
            file('src/scale.js', 'export const scale = { step: 10 }\n') +
            edit(
              'src/ruler.js',
              'export const ruler = { ...scale, length: 30 }',
              'export const ruler = { ...scale, length: 30 }\nexport const marks = ruler.length / scale.step',
            ),
        },
      ],
    },
    asked: ['draft T-1', 'repair_test T-1'],
    holds: [['src/ruler.js', /^export const marks = ruler\.length \/ scale\.step$/m]],
    untouched: ['src/scale.js'],
  },
  {
    it: 'Python',
    files: {
      ...python,
      'pantry/recipe.py':
        'from pantry.stock.count import total\n\n\ndef feeds(jars):\n    return total(jars) // 2\n',
      'tests/test_recipe.py': `import unittest

from pantry.recipe import feeds


class FeedsTest(unittest.TestCase):
    def test_two_jars_feed_one(self):
        self.assertEqual(feeds({"plum": 4}), 2)
`,
      'ROADMAP.md': '- [ ] T-1: Say whom the stock feeds\n',
    },
    answers: {
      'draft T-1': [
        edit(
          'pantry/stock/count.py',
          'def total(jars):',
          'from pantry.recipe import feeds\n\n\ndef describe(jars):\n    return f"feeds {feeds(jars)}"\n\n\ndef total(jars):',
        ),
      ],
      'repair_test T-1': [
        {
          ifTold: /circular import/,
          text: edit(
            'pantry/stock/count.py',
            'from pantry.recipe import feeds\n\n\ndef describe(jars):',
            'def describe(jars):\n    from pantry.recipe import feeds\n',
          ),
        },
      ],
    },
    asked: ['draft T-1', 'repair_test T-1'],
    holds: [['pantry/stock/count.py', /^def describe\(jars\):\n {4}from pantry\.recipe import/]],
  },
]

describe.concurrent('a wrong implementation is mended from the failing test, and the test left alone', () => {
  it.each(implementations)('$it', playOneTask)
})

describe.concurrent('a change that breaks several files is mended in all of them', () => {
  it.each(cascades)('$it', playOneTask)
})

describe.concurrent('a command line that cannot run is put right', () => {
  it.each(misspelt)('$it', playOneTask)
})

describe.concurrent('a circular import is resolved', () => {
  it.each(circles)('$it', playOneTask)
})
