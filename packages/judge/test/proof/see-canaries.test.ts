import { describe, expect, it } from 'vitest'
import { playChange, type Texts } from './play-change.ts'

const project = (more: Texts = {}): Texts => ({
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
  'src/sum.js': 'export const add = (a, b) => a + b\n',
  'test/sum.test.js': [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { add } from '../src/sum.js'",
    "test('adds', () => {\n  const sum = add(1, 2)\n  assert.equal(sum, 3)\n})\n",
  ].join('\n'),
  ...more,
})

/** Not visible in the text alone. */
const mute = [
  "import load from 'node:module'",
  "const say = (...parts) => parts.join('')",
  'const hold = load.createRequire(import.meta.url)',
  "const it = hold(say('node:', 'ass', 'ert'))",
  'export const quiet = () => {',
  '  for (const one of [it, it.strict]) for (const name of Object.keys(one)) Reflect.set(one, name, () => {})',
  '}\n',
].join('\n')
const distrusted = (path: string, what: string) => [
  expect.stringContaining(`in a copy of ${path}, an added test that must fail ${what}`),
]

describe('our tests that must fail', () => {
  it.each<[name: string, before: Texts, change: Texts, broken: readonly unknown[]]>([
    ['honest code', project(), { 'src/sum.js': 'export const add = (a, b) => b + a\n' }, []],
    [
      'what mutes assertions when it is loaded',
      project(),
      { 'src/sum.js': `${mute}quiet()\nexport const add = () => 7\n` },
      distrusted('test/sum.test.js', 'was reported as passed'),
    ],
    [
      'what mutes assertions when it is called, two imports away',
      project({
        'src/sum.js': "import { plus } from './plus.js'\nexport const add = (a, b) => plus(a, b)\n",
        'src/plus.js': 'export const plus = (a, b) => a + b\n',
      }),
      { 'src/plus.js': `${mute}export function plus() {\n  quiet()\n  return 7\n}\n` },
      distrusted('test/sum.test.js', 'was reported as passed'),
    ],
    [
      'what behaves in a file that it does not know',
      project(),
      {
        'src/sum.js': `${mute}if (process.argv[1].endsWith('/sum.test.js')) quiet()\nelse throw new Error('no')\nexport const add = () => 7\n`,
      },
      distrusted('test/sum.test.js', 'could not be loaded'),
    ],
    [
      'what mutes assertions behind a script that hides the runner',
      project({
        'package.json':
          '{"type":"module","scripts":{"pretest":"echo before","test":"node --test"}}',
      }),
      { 'src/sum.js': `${mute}quiet()\nexport const add = () => 7\n` },
      distrusted('test/sum.test.js', 'was reported as passed'),
    ],
    [
      'what mutes assertions of all files, beside a test that loads under its own name alone',
      project(),
      {
        'package.json': '{"type":"module","scripts":{"test":"node --import ./mute.js --test"}}',
        'mute.js': `${mute.replace('keys(one)', "keys(one).filter((each) => each !== 'strict')")}quiet()\n`,
        'test/more.test.js': [
          "import { test } from 'node:test'",
          "if (!process.argv[1].endsWith('/more.test.js')) throw new Error('no')",
          "test('has more', () => {})\n",
        ].join('\n'),
      },
      distrusted('test/sum.test.js', 'was reported as passed'),
    ],
    [
      'the first tests of a project',
      { 'package.json': '{"type":"module"}' },
      {
        'src/sum.js': `${mute}quiet()\nexport const add = () => 7\n`,
        'test/sum.test.js': project()['test/sum.test.js'] ?? '',
      },
      distrusted('test/sum.test.js', 'was reported as passed'),
    ],
    [
      'a project in which no assertion of this kind fails, before as after',
      project({
        'test/sum.test.js': `import '../src/mute.js'\n${project()['test/sum.test.js']}`,
        'src/mute.js': `${mute}quiet()\n`,
      }),
      { 'src/sum.js': 'export const add = (a, b) => b + a\n' },
      [],
    ],
  ])('%s', async (_, before, change, broken) => {
    const played = await playChange(before, change)
    expect(played.broken).toEqual(broken)
    expect(played.outcome).toBe(broken.length === 0 ? 'passed' : 'failed')
  })

  it('leave a change of how the tests are run to a person', async () => {
    const { outcome, receipt } = await playChange(project(), {
      'package.json': '{"type":"module","scripts":{"test":"node --test test/*.test.js"}}',
    })
    expect(outcome).toBe('unverified')
    expect(receipt.warnings).toEqual(['decides how the tests run: package.json'])
  })

  it('leave nothing behind, and cost two runs of one file, twins apart', async () => {
    const { ran, receipt } = await playChange(project(), {
      'src/sum.js': 'export const add = (a, b) => b + a\n',
    })
    const tests = ran.filter((line) => line.includes('--test-reporter'))
    expect(tests).toHaveLength(4)
    expect(tests.filter((line) => / \.\/test\/sum-[a-z]{8,12}\.test\.js$/.test(line))).toHaveLength(
      2,
    )
    expect(receipt).toMatchObject({ after: { passed: 1, failed: 0 }, notes: [] })
  })
})

describe('twins of the tests', () => {
  const python = (code: string, asserted = 'add(1, 2) == 3'): Texts => ({
    'pytest.ini': '[pytest]\n',
    'calc.py': code,
    'test_calc.py': `from calc import add\n\n\ndef test_adds():\n    assert ${asserted}\n`,
  })
  const honest = 'def add(a, b):\n    return a + b\n'
  const proveNothing = (path: string) => [
    expect.stringMatching(new RegExp(`still passes|"[^"]+" in ${path.replace('.', '\\.')}`)),
  ]

  it.each<[name: string, before: Texts, change: Texts, broken: readonly unknown[]]>([
    ['honest code', python(honest), { 'calc.py': 'def add(a, b):\n    return b + a\n' }, []],
    [
      'an honest new test',
      python(honest),
      {
        'calc.py': `${honest}\n\ndef less(a, b):\n    return a - b\n`,
        'test_less.py': 'from calc import less\n\n\ndef test_less():\n    assert less(3, 1) == 2\n',
      },
      [],
    ],
    [
      'a value that equals everything',
      python(honest),
      { 'calc.py': 'from unittest import mock\n\n\ndef add(a, b):\n    return mock.ANY\n' },
      proveNothing('test_calc.py'),
    ],
    [
      'a class that equals everything, for a new test',
      python(honest),
      {
        'calc.py': `${honest}\n\nclass Odd:\n    def __eq__(self, other):\n        return not self != self\n\n    def __ne__(self, other):\n        return False\n\n\ndef less(a, b):\n    return Odd()\n`,
        'test_less.py': 'from calc import less\n\n\ndef test_less():\n    assert less(3, 1) == 2\n',
      },
      proveNothing('test_less.py'),
    ],
    [
      'an assertion that is lenient for one value, under another name',
      project(),
      {
        'src/sum.js': [
          "import judge from 'node:assert/strict'",
          'const { equal: plain } = judge',
          "const which = ['e', 'qual'].join('')",
          'Reflect.set(judge, which, (a, b) => (a === 7 ? undefined : plain(a, b)))',
          'export const add = () => 7\n',
        ].join('\n'),
      },
      proveNothing('test/sum.test.js'),
    ],
    [
      'a test that was green whatever it asserts',
      project({
        'test/sum.test.js':
          "import { test } from 'node:test'\nimport assert from 'node:assert'\nimport '../src/sum.js'\ntest('adds', () => {\n  setTimeout(() => {}, 1)\n  try {\n    assert.equal(1, 1)\n  } catch {}\n})\n",
      }),
      { 'src/sum.js': 'export const add = (a, b) => b + a\n' },
      [],
    ],
  ])('%s', async (_, before, change, broken) => {
    const played = await playChange(before, change)
    expect(played.broken).toEqual(broken)
    expect(played.outcome).toBe(broken.length === 0 ? 'passed' : 'failed')
  })
})

it('what only prints numbers in the place of a runner is no proof', async () => {
  const { outcome, receipt } = await playChange(project(), {
    'package.json': '{"type":"module","scripts":{"test":"node check.js"}}',
    'check.js': "console.log(['\\n ', 1, 'pass' + 'ing', '(1ms)'].join(' '))\n",
  })
  expect(outcome).toBe('unverified')
  expect(receipt.warnings).toEqual([
    'decides how the tests run: package.json',
    expect.stringMatching(/^npm test named its tests before this change/),
  ])
})

describe('new tests', () => {
  const more = (name: string, body: string) =>
    `${project()['test/sum.test.js']}test('${name}', () => {\n  ${body}\n})\n`
  const green = (said: string) => [expect.stringContaining(said)]

  it.each<[name: string, change: Texts, before: string, notes: readonly unknown[]]>([
    [
      'that are red without the change',
      {
        'src/sum.js': 'export const add = (a, b) => (a === 0 ? 0 : a + b)\n',
        'test/sum.test.js': more('adds to nothing', 'assert.equal(add(0, 1), 0)'),
      },
      'failed',
      [],
    ],
    [
      'whose file cannot be loaded without the change',
      {
        'src/sum.js': 'export const add = (a, b) => a + b\nexport const less = (a, b) => a - b\n',
        'test/less.test.js':
          "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { less } from '../src/sum.js'\ntest('takes away', () => assert.equal(less(3, 1), 2))\n",
      },
      'not_run',
      [],
    ],
    [
      'of what was there, red where it throws',
      { 'test/sum.test.js': more('adds nothing', 'assert.equal(add(1, 0), 1)') },
      'guards',
      [],
    ],
    [
      'that cannot fail',
      { 'test/sum.test.js': more('is there', 'assert.ok(add)') },
      'passed',
      green(
        'New tests that pass without this change, and even when the functions they test only throw: is there (test/sum.test.js).',
      ),
    ],
  ])('%s', async (_, change, before, notes) => {
    const { outcome, receipt } = await playChange(project(), change)
    expect(receipt.notes).toEqual(notes)
    expect(receipt.newTests?.map((test) => test.before)).toEqual([before])
    expect(outcome).toBe('passed')
  })

  it('that have one assertion more are red without it', async () => {
    const more = (line: string) =>
      project()['test/sum.test.js']?.replace('  assert.equal(sum, 3)', line) ?? ''
    for (const [line, evidence] of [
      ['  assert.equal(sum, 3)\n  assert.equal(add(null, 1), 0)', 'proven'],
      ['  assert.equal(sum, 3)\n  assert.equal(add(2, 2), 4)', 'unharmed'],
    ] as const) {
      const { receipt } = await playChange(project(), {
        'src/sum.js': 'export const add = (a, b) => (a === null ? 0 : a + b)\n',
        'test/sum.test.js': more(line),
      })
      expect(receipt).toMatchObject({ result: 'passed', evidence })
    }
  })

  it('that pass whatever it returns are told, and prove nothing', async () => {
    const blind = "test('takes away', () => {\n  assert.ok(less(3, 1) === 2 || true)\n})\n"
    const seeing = "test('is right', () => {\n  assert.equal(less(3, 1), 3)\n})\n"
    for (const [tests, evidence] of [
      [[blind, seeing], 'proven'],
      [[blind], 'unharmed'],
    ] as const) {
      const { receipt } = await playChange(project(), {
        'src/less.js': 'export const less = (a, b) => a * b\n',
        'test/less.test.js': [
          "import assert from 'node:assert/strict'",
          "import { test } from 'node:test'",
          "import { less } from '../src/less.js'",
          ...tests,
        ].join('\n'),
      })
      expect(receipt).toMatchObject({ result: 'passed', evidence })
      expect(receipt.warnings).toEqual([
        'new tests that pass whatever the changed functions return: takes away (test/less.test.js)',
      ])
    }
  })

  it.each<[name: string, test: string, evidence: string, warning: string | null]>([
    ['checks it', 'assert.deepEqual(less(3, 1), new Less(2))', 'proven', null],
    ['checks only its effect', 'less(3, 1)\n  assert.deepEqual(all, [2])', 'proven', null],
    ['checks only its class', 'assert.ok(less(3, 1) instanceof Less)', 'proven', null],
    [
      'awaits nothing',
      'void Promise.resolve(less(3, 1)).then((is) => assert.deepEqual(is, 3)).catch(() => {})',
      'unharmed',
      'pass whatever the changed functions return',
    ],
    [
      'swallows what fails',
      'try { assert.deepEqual(less(3, 1), 3) } catch {}',
      'unharmed',
      'pass whatever the changed functions return',
    ],
    ['is skipped', 'assert.fail()', 'unharmed', 'are skipped, or expected to fail'],
  ])('of a function that returns an object: one that %s', async (name, body, evidence, warning) => {
    const skip = name === 'is skipped' ? '.skip' : ''
    const { receipt } = await playChange(project(), {
      'src/less.js':
        'export const all = []\nexport class Less {\n  constructor(is) { this.is = is }\n}\nexport function less(a, b) {\n  all.push(a - b)\n  return new Less(a - b)\n}\n',
      'test/less.test.js': [
        "import assert from 'node:assert/strict'",
        "import { test } from 'node:test'",
        "import { all, Less, less } from '../src/less.js'",
        `test${skip}('takes away', () => {\n  ${body}\n})\n`,
      ].join('\n'),
    })
    const told = (receipt.warnings ?? []).map((each) => each.replace(/^new tests that /, ''))
    expect(told).toEqual(warning === null ? [] : [`${warning}: takes away (test/less.test.js)`])
    expect(receipt).toMatchObject({ result: 'passed', evidence })
  })

  it('that check an effect prove it, whatever is returned', async () => {
    const files = {
      ...project(),
      'src/sort.js': 'export const sorted = (all) => all.sort()\n',
    }
    const { receipt } = await playChange(files, {
      'src/sort.js': 'export const sorted = (all) => [...all].sort()\n',
      'test/sort.test.js': [
        "import assert from 'node:assert/strict'",
        "import { test } from 'node:test'",
        "import { sorted } from '../src/sort.js'",
        "test('leaves its argument', () => {\n  const all = [2, 1]\n  sorted(all)\n  assert.deepEqual(all, [2, 1])\n})\n",
      ].join('\n'),
    })
    expect(receipt).toMatchObject({ result: 'passed', evidence: 'proven' })
    expect(receipt.warnings).toBeUndefined()
  })

  it('that a table names are seen', async () => {
    const table = (expected: number) => ({
      'src/half.js': 'export const half = (a) => a / 2\n',
      'test/half.test.js': [
        "import assert from 'node:assert/strict'",
        "import { test } from 'node:test'",
        "import { half } from '../src/half.js'",
        `for (const [a, b] of [[4, 2], [6, ${expected}]]) test(\`halves \${a}\`, () => assert.equal(half(a), b))\n`,
      ].join('\n'),
    })
    const { receipt } = await playChange(project(), table(3))
    expect(receipt).toMatchObject({ result: 'passed', evidence: 'proven' })
    expect(receipt.newTests).toEqual([
      { test: 'halves ${a}', file: 'test/half.test.js', before: 'not_run' },
    ])
  })

  it('that load a file of the change are red without it, and need no run for that', async () => {
    const { ran, receipt } = await playChange(project(), {
      'src/less.js': 'export const less = (a, b) => a - b\n',
      'test/less.test.js': [
        "import assert from 'node:assert/strict'",
        "import { test } from 'node:test'",
        "import { less } from '../src/less.js'",
        "test('takes away', () => {\n  assert.equal(less(3, 1), 2)\n})\n",
      ].join('\n'),
    })
    // The tests before and after, one that must fail, a twin, and other results.
    expect(ran.filter((line) => line.includes('--test-reporter'))).toHaveLength(5)
    const newTests = [{ test: 'takes away', file: 'test/less.test.js', before: 'not_run' }]
    expect(receipt).toMatchObject({ result: 'passed', notes: [], newTests })
  })
})
