import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLint } from '../../results/errors.ts'

const place = { folder: '/project', directory: '.', sources: [] }
const read = (output: string) =>
  readLint(output, place).map(({ file, line, test }) => `${file}:${line} ${test}`)

const rows: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'eslint, stylish',
    "\n/project/src/a.js\n  3:5   error    'x' is not defined  no-undef\n  4:1   warning  Unexpected console   no-console\n\n/project/src/b.js\n  1:1  error  Parsing error: Unexpected token\n\n✖ 3 problems (2 errors, 1 warning)\n",
    ["src/a.js:3 no-undef: 'x' is not defined", 'src/b.js:1 Parsing error: Unexpected token'],
  ],
  [
    'eslint, JSON',
    JSON.stringify([
      {
        filePath: '/project/src/a.js',
        messages: [
          { ruleId: 'no-undef', severity: 2, message: 'x is not defined', line: 3, column: 5 },
          { ruleId: 'no-console', severity: 1, message: 'c', line: 4 },
        ],
      },
    ]),
    ['src/a.js:3 no-undef: x is not defined'],
  ],
  [
    'eslint, unix',
    "/project/src/a.js:3:5: 'x' is not defined. [Error/no-undef]\n",
    ["src/a.js:3 Error/no-undef: 'x' is not defined."],
  ],
  [
    'tsc',
    "src/a.ts(3,5): error TS2304: Cannot find name 'x'.\nsrc/b.ts(1,1): error TS1005: ';' expected.\n",
    ["src/a.ts:3 TS2304: Cannot find name 'x'.", "src/b.ts:1 TS1005: ';' expected."],
  ],
  [
    'tsc, pretty',
    "src/a.ts:3:5 - error TS2304: Cannot find name 'x'.\n\n3     x()\n      ~\n",
    ["src/a.ts:3 TS2304: Cannot find name 'x'."],
  ],
  [
    'ruff, concise',
    'src/a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n',
    ['src/a.py:1 F401: `os` imported but unused'],
  ],
  [
    'ruff, full',
    'F401 [*] `os` imported but unused\n --> src/a.py:1:8\n  |\n1 | import os\n',
    ['src/a.py:1 F401: `os` imported but unused'],
  ],
  [
    'ruff, JSON',
    JSON.stringify([
      {
        code: 'F401',
        message: 'unused',
        filename: '/project/src/a.py',
        location: { row: 1, column: 8 },
      },
    ]),
    ['src/a.py:1 F401: unused'],
  ],
  [
    'flake8',
    './src/a.py:3:80: E501 line too long (90 > 79 characters)\n',
    ['src/a.py:3 E501: line too long (90 > 79 characters)'],
  ],
  [
    'mypy',
    'src/a.py:3: error: Name "x" is not defined  [name-defined]\nsrc/a.py:3: note: see\n',
    ['src/a.py:3 name-defined: Name "x" is not defined'],
  ],
  [
    'golangci-lint',
    'pkg/a.go:3:5: ineffectual assignment to x (ineffassign)\n\tx = 1\n',
    ['pkg/a.go:3 ineffassign: ineffectual assignment to x'],
  ],
  [
    'golangci-lint, JSON',
    JSON.stringify({
      Issues: [
        { FromLinter: 'ineffassign', Text: 'ineffectual', Pos: { Filename: 'pkg/a.go', Line: 3 } },
      ],
    }),
    ['pkg/a.go:3 ineffassign: ineffectual'],
  ],
  [
    'biome',
    'src/a.ts:3:5 lint/style/useConst FIXABLE ━━━━━━━━━━\n\n  × This let declares a variable that is never reassigned.\n\n  > 3 │ let a\n',
    ['src/a.ts:3 lint/style/useConst: This let declares a variable that is never reassigned.'],
  ],
  [
    'rustc',
    'error[E0425]: cannot find value `x`\n  --> src/a.rs:3:5\nwarning: unused\n  --> src/b.rs:1:1\n',
    ['src/a.rs:3 E0425: cannot find value `x`'],
  ],
  ['what lies outside', '/usr/lib/a.py:1:1: E1 x\nnode_modules/a/b.js:1:1: y\n', []],
  ['what has no place', 'All matched files use Prettier code style!\n', []],
  ['colours', '\u001b[31msrc/a.py:1:8: F401 unused\u001b[0m\r\n', ['src/a.py:1 F401: unused']],
]

describe('readLint reads', () => {
  it.each(rows)('%s', (_, output, expected) => {
    expect(read(output)).toEqual(expected)
  })

  it('any text without an error', () => {
    const hostile = [
      '[',
      '{"Issues": 3}',
      '[[[]]]',
      'null',
      'a.js:'.repeat(10_000),
      ':1:1'.repeat(10_000),
      '('.repeat(50_000),
      'a.b '.repeat(30_000),
    ]
    for (const text of hostile) expect(read(text)).toBeInstanceOf(Array)
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Array.isArray(read(text))))
  })
})
