import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Project } from './bench.ts'
import { javascript, python, typescript } from './languages.ts'
import { edit, file } from './model.ts'
import { type OneTask, playOneTask } from './one-task.ts'

const total = 'def total(jars):\n    return sum(jars.values())'
const thick = 'export const thick = (book: Book): boolean => book.pages > 500'
const fahrenheit = (value: string): string => `export const toFahrenheit = (celsius) => ${value}`
const formula = '(celsius * 9) / 5 + 32'

const wrongPaths: readonly OneTask[] = [
  {
    it: 'JavaScript: the folder is left out',
    files: {
      ...javascript,
      'ROADMAP.md': '- [ ] T-1: Round to whole degrees\n  - Files: `src/convert.js`\n',
    },
    answers: {
      'draft T-1': [
        {
          ifTold: /src\/units\/convert\.js\n```\nexport const toFahrenheit/,
          text: edit(
            'src/units/convert.js',
            fahrenheit(formula),
            fahrenheit(`Math.round(${formula})`),
          ),
        },
      ],
    },
    asked: ['draft T-1'],
    holds: [['src/units/convert.js', /Math\.round/]],
  },
  {
    it: 'TypeScript: other letters, and the answer uses the name of the roadmap',
    files: {
      ...typescript,
      'ROADMAP.md': '- [ ] T-1: Thick is more than 400 pages\n  - Files: `src/models/Book.ts`\n',
    },
    answers: {
      'draft T-1': [edit('src/models/Book.ts', thick, thick.replace('500', '400'))],
      'repair_code T-1': [
        {
          ifTold: /If you mean src\/model\/book\.ts/,
          text: edit('src/model/book.ts', thick, thick.replace('500', '400')),
        },
      ],
    },
    asked: ['draft T-1', 'repair_code T-1'],
    holds: [['src/model/book.ts', /book\.pages > 400/]],
  },
  {
    it: 'Python: a package that was moved',
    files: {
      ...python,
      'ROADMAP.md': '- [ ] T-1: An empty pantry holds nothing\n  - Files: `stock/count.py`\n',
    },
    answers: {
      'draft T-1': [
        edit('pantry/stock/count.py', total, total.replace('sum(', 'sum((jars or {}) and ')),
      ],
    },
    asked: ['draft T-1'],
    holds: [['pantry/stock/count.py', /\(jars or \{\}\)/]],
  },
]

const broken = 'export const stale = (book) => {\n  return book.due < Date.now(\n}\n'
const staleTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stale } from '../src/stale.js'

test('a book that was due is stale', () => {
  assert.equal(stale({ due: 0 }), true)
})
`
const brokenCommit = { 'src/stale.js': broken, 'test/stale.test.js': staleTest }

const syntaxErrors: readonly OneTask[] = [
  {
    it: 'in another file: it neither hinders the task nor is hidden',
    files: { ...javascript, ...brokenCommit, 'ROADMAP.md': '- [ ] T-1: Convert to kelvin\n' },
    answers: {
      'draft T-1': [file('src/kelvin.js', 'export const toKelvin = (celsius) => celsius + 273\n')],
    },
    asked: ['draft T-1'],
    holds: [['src/kelvin.js', /273/]],
    untouched: ['src/stale.js'],
    receipt: {
      before: { passed: 1, failed: 1, skipped: 0 },
      after: { passed: 1, failed: 1, skipped: 0 },
    },
  },
  {
    it: 'in the file of the task: it is mended',
    files: {
      ...javascript,
      ...brokenCommit,
      'ROADMAP.md': '- [ ] T-1: Make stale.js load again\n  - Files: `src/stale.js`\n',
    },
    answers: {
      'draft T-1': [
        edit('src/stale.js', '  return book.due < Date.now(', '  return book.due < Date.now()'),
      ],
    },
    asked: ['draft T-1'],
    holds: [['src/stale.js', broken.replace('now(', 'now()')]],
    receipt: { after: { passed: 2, failed: 0, skipped: 0 } },
  },
  {
    it: 'in the file of the task, and the answer leaves it there',
    isBrokenBefore: true,
    files: {
      ...javascript,
      ...brokenCommit,
      'ROADMAP.md': '- [ ] T-1: A book is stale a day later\n  - Files: `src/stale.js`\n',
    },
    answers: {
      'draft T-1': [
        edit(
          'src/stale.js',
          'export const stale = (book) => {',
          'const day = 86_400_000\n\nexport const stale = (book) => {',
        ),
      ],
      'repair_test T-1': [
        edit(
          'src/stale.js',
          '  return book.due < Date.now(',
          '  return book.due + day < Date.now()',
        ),
      ],
    },
    asked: ['draft T-1', 'repair_test T-1'],
    holds: [['src/stale.js', /book\.due \+ day < Date\.now\(\)/]],
    receipt: { after: { passed: 2, failed: 0, skipped: 0 } },
  },
]

const package_ = { version: '4.0.7', resolved: 'https://registry.invalid/picomatch.tgz' }
const lock = (packages: object): string =>
  `${JSON.stringify({ name: 'globs', version: '1.0.0', lockfileVersion: 3, requires: true, packages }, null, 2)}\n`

/** As `npm ci` leaves it, from a registry that nobody could reach here. */
function install({ path, put }: Project): void {
  const from = fileURLToPath(new URL('../../../node_modules/picomatch', import.meta.url))
  cpSync(from, join(path, 'node_modules/picomatch'), { recursive: true, dereference: true })
  put('node_modules/.package-lock.json', lock({ 'node_modules/picomatch': package_ }))
}

const globs = {
  '.gitignore': 'node_modules/\n',
  'package.json': `${JSON.stringify({ name: 'globs', version: '1.0.0', type: 'module', scripts: { test: 'node --test' }, dependencies: { picomatch: '^4.0.0' } }, null, 2)}\n`,
  'package-lock.json': lock({
    '': { name: 'globs', version: '1.0.0', dependencies: { picomatch: '^4.0.0' } },
    'node_modules/picomatch': package_,
  }),
  'src/matches.js':
    "import picomatch from 'picomatch'\n\nexport const matches = (path, glob) => picomatch(glob)(path)\n",
  'test/matches.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches } from '../src/matches.js'

test('a star stands for a name', () => {
  assert.equal(matches('a.js', '*.js'), true)
})
`,
}

const packages: readonly OneTask[] = [
  {
    it: "a project's packages come from the user's own checkout",
    files: { ...globs, 'ROADMAP.md': '- [ ] T-1: List what matches\n  - Files: `src/list.js`\n' },
    prepare: install,
    answers: {
      'draft T-1': [
        file(
          'src/list.js',
          "import { matches } from './matches.js'\n\nexport const list = (paths, glob) => paths.filter((path) => matches(path, glob))\n",
        ) +
          file(
            'test/list.test.js',
            globs['test/matches.test.js']
              .replace('{ matches }', '{ list }')
              .replace('matches.js', 'list.js')
              .replace("matches('a.js', '*.js'), true", "list(['a.js', 'b.md'], '*.js').length, 1"),
          ),
      ],
    },
    asked: ['draft T-1'],
    holds: [['src/list.js', /filter/]],
    untouched: ['package.json', 'package-lock.json'],
    receipt: {
      before: { passed: 1, failed: 0, skipped: 0 },
      after: { passed: 2, failed: 0, skipped: 0 },
      notes: [expect.stringContaining('packages in the working copy are used')],
    },
  },
]

const script = '#!/usr/bin/env node\nconsole.log(21)\n'
const scripts: readonly OneTask[] = [
  ['as a file', file('bin/degrees.js', script)],
  [
    'as a diff',
    '```diff\ndiff --git a/bin/degrees.js b/bin/degrees.js\nnew file mode 100755\n--- /dev/null\n+++ b/bin/degrees.js\n@@ -0,0 +1,2 @@\n+#!/usr/bin/env node\n+console.log(21)\n```\n',
  ],
].map(([it = '', answer = '']) => ({
  it,
  files: {
    ...javascript,
    'ROADMAP.md':
      '- [ ] T-1: A script prints the degrees\n  - Files: `bin/degrees.js`\n  - Accept: `./bin/degrees.js`\n',
  },
  answers: { 'draft T-1': [answer] },
  asked: ['draft T-1'],
  holds: [['bin/degrees.js', script]],
}))

describe.concurrent('the accept command starts a script by its path', () => {
  it.each(scripts)('$it', playOneTask)
})

describe.concurrent('the roadmap names a wrong path', () => {
  it.each(wrongPaths)('$it', playOneTask)
})

describe.concurrent('an earlier commit left a syntax error', () => {
  it.each(syntaxErrors)('$it', playOneTask)
})

describe.concurrent('dependencies', () => {
  it.each(packages)('$it', playOneTask)
})
