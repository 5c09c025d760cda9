import { describe, it } from 'vitest'
import { javascript, python, typescript } from './languages.ts'
import { edit, file } from './model.ts'
import { type OneTask, playOneTask } from './one-task.ts'

const kelvinTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toKelvin } from '../src/units/kelvin.js'

test('ice melts', () => {
  assert.equal(toKelvin(0), 273.15)
})
`
const thick = 'export const thick = (book: Book): boolean => book.pages > 500'
const thin = (value: string): string =>
  `export const thin = (book: Book): boolean => ${value}book.pages < 100`

const syntax: readonly OneTask[] = [
  {
    it: 'JavaScript: a function without its end',
    files: {
      ...javascript,
      'ROADMAP.md': '# Plan\n\n- [ ] T-1: Kelvin\n  - Files: `src/units/kelvin.js`\n',
    },
    answers: {
      'draft T-1': [
        file(
          'src/units/kelvin.js',
          'export function toKelvin(celsius) {\n  return celsius + 273.15\n',
        ) + file('test/kelvin.test.js', kelvinTest),
      ],
      'repair_code T-1': [
        {
          ifTold: /src\/units\/kelvin\.js:\d+:\d+/,
          text: edit(
            'src/units/kelvin.js',
            '  return celsius + 273.15',
            '  return celsius + 273.15\n}',
          ),
        },
      ],
    },
    asked: ['draft T-1', 'repair_code T-1'],
    holds: [
      [
        'src/units/kelvin.js',
        'export function toKelvin(celsius) {\n  return celsius + 273.15\n}\n',
      ],
      ['test/kelvin.test.js', kelvinTest],
    ],
    receipt: { before: { passed: 1, failed: 0, skipped: 0 }, after: { passed: 2, failed: 0 } },
  },
  {
    it: 'TypeScript: an edit that leaves a bracket open, and one repair too few',
    files: {
      ...typescript,
      'ROADMAP.md': '- [ ] T-2.1: A thin book has fewer than 100 pages (`src/model/book.ts`)\n',
    },
    answers: {
      'draft T-2.1': [edit('src/model/book.ts', thick, `${thick}\n\n${thin('[')}`)],
      'repair_code T-2.1': [
        edit('src/model/book.ts', thin('['), thin('(')),
        edit('src/model/book.ts', thin('('), thin('')),
      ],
    },
    asked: ['draft T-2.1', 'repair_code T-2.1', 'repair_code T-2.1'],
    holds: [['src/model/book.ts', /^export const thin = .* => book\.pages < 100$/m]],
  },
  {
    it: 'Python: a colon forgotten, in answers that are no stream',
    plainJson: true,
    files: {
      ...python,
      'ROADMAP.md': '* [ ] T-7: List the empty jars\n  * Files: `pantry/stock/empty.py`\n',
    },
    answers: {
      'draft T-7': [
        file(
          'pantry/stock/empty.py',
          'def empty(jars)\n    return [name for name, count in jars.items() if count == 0]\n',
        ),
      ],
      'repair_code T-7': [
        {
          ifTold: /pantry\/stock\/empty\.py:1:/,
          text: edit('pantry/stock/empty.py', 'def empty(jars)', 'def empty(jars):'),
        },
      ],
    },
    asked: ['draft T-7', 'repair_code T-7'],
    holds: [['pantry/stock/empty.py', /^def empty\(jars\):$/m]],
  },
]

const imports: readonly OneTask[] = [
  {
    it: 'JavaScript',
    files: { ...javascript, 'ROADMAP.md': '- [ ] T-1: Say it in words\n  - Files: `src/say.js`\n' },
    answers: {
      'draft T-1': [
        file(
          'src/say.js',
          `import { toFahrenheit } from './convert.js'

export const say = (celsius) => \`\${toFahrenheit(celsius)} degrees\`
`,
        ),
      ],
      'repair_code T-1': [
        {
          ifTold: /\.\/units\/convert\.js/,
          text: edit(
            'src/say.js',
            "import { toFahrenheit } from './convert.js'",
            "import { toFahrenheit } from './units/convert.js'",
          ),
        },
      ],
    },
    asked: ['draft T-1', 'repair_code T-1'],
    holds: [['src/say.js', /^import .* from '\.\/units\/convert\.js'$/m]],
  },
  {
    it: 'TypeScript',
    files: { ...typescript, 'ROADMAP.md': '- [ ] T-1: Count the pages of a shelf\n' },
    answers: {
      'draft T-1': [
        file(
          'src/context-budget.ts',
          `import type { Book } from '../models/book.ts'

export const pages = (shelf: readonly Book[]): number =>
  shelf.reduce((sum, book) => sum + book.pages, 0)
`,
        ),
      ],
      'repair_code T-1': [
        {
          ifTold: /'\.\/model\/book\.ts'/,
          text: edit(
            'src/context-budget.ts',
            "import type { Book } from '../models/book.ts'",
            "import type { Book } from './model/book.ts'",
          ),
        },
      ],
    },
    asked: ['draft T-1', 'repair_code T-1'],
    holds: [['src/context-budget.ts', /from '\.\/model\/book\.ts'$/m]],
  },
  {
    it: 'Python',
    files: { ...python, 'ROADMAP.md': '- [ ] T-1: Say whether the pantry is full\n' },
    answers: {
      'draft T-1': [
        file(
          'pantry/fill.py',
          'from pantry.count import total\n\n\ndef is_full(jars):\n    return total(jars) >= 100\n',
        ),
      ],
      'repair_code T-1': [
        {
          ifTold: /pantry\.stock\.count/,
          text: edit(
            'pantry/fill.py',
            'from pantry.count import total',
            'from pantry.stock.count import total',
          ),
        },
      ],
    },
    asked: ['draft T-1', 'repair_code T-1'],
    holds: [['pantry/fill.py', /^from pantry\.stock\.count import total$/m]],
  },
]

describe.concurrent('a syntax error is mended before it is ever on disk', () => {
  it.each(syntax)('$it', playOneTask)
})

describe.concurrent("an import with the wrong path is mended from the project's structure", () => {
  it.each(imports)('$it', playOneTask)
})
