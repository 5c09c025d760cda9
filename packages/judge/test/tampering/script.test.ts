import { describe, expect, it } from 'vitest'
import { findWeakenedTests } from '../../tampering/weakened-tests.ts'
import { created, deleted, kindsIn, modified, type Row } from './cases.ts'

const adds = "it('adds', () => { expect(add(1, 2)).toBe(3) })\n"
const takes = "it('takes', () => { expect(take(3, 2)).toEqual({ left: 1 }) })\n"
const path = 'test/sum.test.ts'

const weaker: readonly Row[] = [
  [
    'a test renamed whose expectation changed',
    "it('adds numbers', () => { expect(add(1, 2)).toBe(3); expect(add(2, 2)).toBe(4) })",
    "it('totals', () => { expect(add(1, 2)).toBe(3); expect(add(2, 2)).toBe(5) })",
    ['expectation adds numbers'],
  ],
  [
    'tests that became rows which ask for less',
    "it('a', () => { expect(f(1)).toBe(1) })\nit('b', () => { expect(f(2)).toBe(2) })",
    "it.each([[1], [2]])('%i', (x) => { expect(f(x)).toBeDefined() })",
    ['deleted a', 'deleted b'],
  ],
  ['a test deleted', adds + takes, adds, ['deleted takes']],
  ['all tests deleted', adds + takes, 'export {}\n', ['deleted adds', 'deleted takes']],
  ['it.skip', adds, adds.replace('it(', 'it.skip('), ['skipped adds']],
  ['xit', adds, adds.replace('it(', 'xit('), ['skipped adds']],
  ['it.todo', adds, "it.todo('adds')\n", ['skipped adds']],
  ['it.fails', adds, adds.replace('it(', 'it.fails('), ['skipped adds']],
  [
    'describe.skip',
    `describe('sum', () => { ${adds} })`,
    `describe.skip('sum', () => { ${adds} })`,
    ['skipped sum > adds'],
  ],
  ['only', adds + takes, adds + takes.replace('it(', 'it.only('), ['skipped']],
  [
    'fdescribe',
    `describe('a', () => { ${adds} })\n${takes}`,
    `fdescribe('a', () => { ${adds} })\n${takes}`,
    ['skipped'],
  ],
  [
    'options of node:test',
    "test('a', () => { assert.equal(f(), 1) })",
    "test('a', { skip: true }, () => { assert.equal(f(), 1) })",
    ['skipped a'],
  ],
  [
    't.skip()',
    "test('a', (t) => { assert.equal(f(), 1) })",
    "test('a', (t) => { t.skip(); assert.equal(f(), 1) })",
    ['skipped a'],
  ],
  [
    'this.skip()',
    "it('a', function () { assert.equal(f(), 1) })",
    "it('a', function () { this.skip(); assert.equal(f(), 1) })",
    ['skipped a'],
  ],
  [
    'toEqual to toBeTruthy',
    takes,
    takes.replace('toEqual({ left: 1 })', 'toBeTruthy()'),
    ['weakened takes'],
  ],
  ['toBe to toBeDefined', adds, adds.replace('toBe(3)', 'toBeDefined()'), ['weakened adds']],
  [
    'toEqual to toMatchObject',
    takes,
    takes.replace('toEqual', 'toMatchObject'),
    ['weakened takes'],
  ],
  [
    'a value to anything',
    adds,
    adds.replace('toBe(3)', 'toEqual(expect.anything())'),
    ['weakened adds'],
  ],
  ['toBe to not.toBeNull', adds, adds.replace('toBe(3)', 'not.toBeNull()'), ['weakened adds']],
  [
    'a constant',
    adds,
    adds.replace('expect(add(1, 2)).toBe(3)', 'expect(true).toBe(true)'),
    ['weakened adds'],
  ],
  ['a thing and itself', adds, adds.replace('toBe(3)', 'toBe(add(1, 2))'), ['weakened adds']],
  ['another value', adds, adds.replace('toBe(3)', 'toBe(4)'), ['expectation adds']],
  ['another object', takes, takes.replace('left: 1', 'left: 2'), ['expectation takes']],
  [
    'an assertion removed',
    "it('a', () => { expect(f()).toBe(1)\n expect(g()).toBe(2) })",
    "it('a', () => { expect(f()).toBe(1) })",
    ['weakened a'],
  ],
  [
    'an assertion in a comment',
    adds,
    adds.replace('expect(add(1, 2)).toBe(3)', '/* expect(add(1, 2)).toBe(3) */ add(1, 2)'),
    ['weakened adds'],
  ],
  ['a body emptied', adds, "it('adds', () => {})\n", ['weakened adds']],
  ['an early return', adds, adds.replace('{ expect', '{ return; expect'), ['weakened adds']],
  [
    'if (false)',
    adds,
    adds.replace('{ expect(add(1, 2)).toBe(3) }', '{ if (false) { expect(add(1, 2)).toBe(3) } }'),
    ['weakened adds'],
  ],
  [
    'a swallowed failure',
    adds,
    adds.replace('{ expect(add(1, 2)).toBe(3) }', '{ try { expect(add(1, 2)).toBe(3) } catch {} }'),
    ['weakened adds'],
  ],
  [
    'assert.equal to assert.ok',
    "test('a', () => { assert.equal(f(2), 4) })",
    "test('a', () => { assert.ok(f(2)) })",
    ['weakened a'],
  ],
  [
    'assert.deepEqual to assert',
    "test('a', () => { assert.deepEqual(f(2), [4]) })",
    "test('a', () => { assert(f(2)) })",
    ['weakened a'],
  ],
  [
    'toThrow with a reason to without',
    "it('a', () => { expect(f).toThrow(/no/) })",
    "it('a', () => { expect(f).toThrow() })",
    ['weakened a'],
  ],
  [
    'chai equal to exist',
    "it('a', () => { expect(f(1)).to.equal(2) })",
    "it('a', () => { expect(f(1)).to.exist })",
    ['weakened a'],
  ],
  [
    'rows taken out',
    "it.each([[1, 2], [3, 4]])('%i', (a, b) => { expect(f(a)).toBe(b) })",
    "it.each([[1, 2]])('%i', (a, b) => { expect(f(a)).toBe(b) })",
    ['weakened %i'],
  ],
  [
    'an inline snapshot',
    "it('a', () => { expect(f()).toMatchInlineSnapshot('\"x\"') })",
    "it('a', () => { expect(f()).toMatchInlineSnapshot('\"y\"') })",
    ['expectation a'],
  ],
  [
    'a nested test of node:test',
    "test('a', async (t) => { await t.test('b', () => { assert.equal(f(), 1) }) })",
    "test('a', async (t) => { assert.ok(true) })",
    ['deleted a > b'],
  ],
]

const honest: readonly Row[] = [
  ['nothing', adds, adds, []],
  ['a test added', adds, adds + takes, []],
  ['an assertion added', adds, adds.replace('toBe(3)', 'toBe(3); expect(add(2, 2)).toBe(4)'), []],
  [
    'assertions that became a loop',
    "it('a', () => { expect(out).toContain('x'); expect(out).toContain('y') })",
    "it('a', () => { for (const each of ['x', 'y']) expect(out).toContain(each) })",
    [],
  ],
  [
    'a test alone, as before',
    `it.only('a', () => { expect(f(1)).toBe(1) })\n${adds}`,
    `it.only('a', () => { expect(f(1)).toBe(1) })\n${adds}${takes}`,
    [],
  ],
  [
    'a test alone where there were none',
    '// later',
    "it.only('a', () => { expect(f(1)).toBe(1) })",
    [],
  ],
  ['a test renamed', adds + takes, adds.replace("'adds'", "'sums two numbers'") + takes, []],
  [
    'a test renamed and extended',
    adds,
    "it('sums', () => { expect(add(1, 2)).toBe(3); expect(add(0, 0)).toBe(0) })",
    [],
  ],
  ['a test moved into a suite', adds + takes, `describe('sum', () => { ${adds} })\n${takes}`, []],
  [
    'a test moved between suites',
    `describe('a', () => { ${adds} })\ndescribe('b', () => { ${takes} })`,
    `describe('a', () => { ${adds}${takes} })`,
    [],
  ],
  ['a suite renamed', `describe('a', () => { ${adds} })`, `describe('sum', () => { ${adds} })`, []],
  ['tests in another order', adds + takes, takes + adds, []],
  [
    'formatting',
    adds,
    'it(\n  "adds",\n  () => {\n    expect(\n      add(1, 2),\n    ).toBe(3);\n  },\n);\n',
    [],
  ],
  ['it and test', adds, adds.replace('it(', 'test('), []],
  [
    'async',
    adds,
    adds.replace('() =>', 'async () =>').replace('expect(add', 'expect(await add'),
    [],
  ],
  ['a stronger assertion', adds.replace('toBe(3)', 'toBeTruthy()'), adds, []],
  ['toEqual to toStrictEqual', takes, takes.replace('toEqual', 'toStrictEqual'), []],
  [
    'a table made of tests',
    "it('one', () => { expect(add(1, 1)).toBe(2) })\nit('two', () => { expect(add(2, 2)).toBe(4) })",
    "it.each([[1, 1, 2], [2, 2, 4]])('%i + %i', (a, b, sum) => { expect(add(a, b)).toBe(sum) })",
    [],
  ],
  [
    'a tagged table made of tests',
    "it('one', () => { expect(add(1, 1)).toBe(2) })\nit('two', () => { expect(add(2, 2)).toBe(4) })",
    "it.each`\n a | sum\n ${1} | ${2}\n ${2} | ${4}\n`('adds', ({ a, sum }) => { expect(add(a, a)).toBe(sum) })",
    [],
  ],
  [
    'a loop made of assertions',
    "it('a', () => { expect(f(1)).toBe(1); expect(f(2)).toBe(2); expect(f(3)).toBe(3) })",
    "it('a', () => { for (const n of [1, 2, 3]) expect(f(n)).toBe(n) })",
    [],
  ],
  [
    'rows added',
    "it.each([[1, 2]])('%i', (a, b) => { expect(f(a)).toBe(b) })",
    "it.each([[1, 2], [3, 4]])('%i', (a, b) => { expect(f(a)).toBe(b) })",
    [],
  ],
  [
    'two tests made one',
    adds + takes,
    "it('counts', () => { expect(add(1, 2)).toBe(3); expect(take(3, 2)).toEqual({ left: 1 }) })",
    [],
  ],
  [
    'one test made two',
    "it('a', () => { expect(f()).toBe(1)\n expect(g()).toBe(2) })",
    "it('a', () => { expect(f()).toBe(1) })\nit('b', () => { expect(g()).toBe(2) })",
    [],
  ],
  [
    'an assertion moved into a function',
    "it('a', () => { expect(f()).toBe(1) })\nit('b', () => { expect(f()).toBe(1) })",
    "const check = () => { expect(f()).toBe(1) }\nit('a', () => { check() })\nit('b', () => { check() })",
    [],
  ],
  [
    'an import',
    `import { add } from './sum'\n${adds}`,
    `import { add } from './sum/index.ts'\n${adds}`,
    [],
  ],
  ['a call renamed', adds, adds.replace('add(1, 2)', 'sum(1, 2)'), []],
  [
    'an object asked in parts',
    takes,
    takes.replace(
      'expect(take(3, 2)).toEqual({ left: 1 })',
      'const it = take(3, 2); expect(it.left).toBe(1)',
    ),
    [],
  ],
  ['no longer skipped', adds.replace('it(', 'it.skip('), adds, []],
  ['a skipped test deleted', adds + takes.replace('it(', 'it.skip('), adds, []],
  ['a new test skipped', adds, `${adds}it.todo('takes')`, []],
  [
    'other conditions of skipping',
    "it.skipIf(process.platform === 'win32')('a', () => { expect(f()).toBe(1) })",
    "it.skipIf(windows)('a', () => { expect(f()).toBe(1) })",
    [],
  ],
  [
    'a message',
    "test('a', () => { assert.equal(f(), 1) })",
    "test('a', () => { assert.equal(f(), 1, 'f is wrong') })",
    [],
  ],
  ['hooks', adds, `beforeEach(() => { reset() })\n${adds}`, []],
  [
    'code that is no test',
    'export const skip = (it) => it.skip()\n',
    'export const a = regex.test(text)\n',
    [],
  ],
]

describe('in JavaScript and TypeScript', () => {
  it.each(weaker)('finds %s', async (_, before, after, found) => {
    expect(await kindsIn(modified(path, before, after))).toEqual(found)
  })

  it.each(honest)('is quiet about %s', async (_, before, after) => {
    expect(await findWeakenedTests(modified(path, before, after))).toEqual([])
  })

  it.each<[string, Parameters<typeof kindsIn>[0], readonly string[]]>([
    ['a file deleted', deleted(path, adds + takes), ['deleted adds', 'deleted takes']],
    [
      'a file renamed',
      [...deleted(path, adds + takes), ...created('test/add.test.ts', adds + takes)],
      [],
    ],
    [
      'a file renamed away',
      [...deleted(path, adds), ...created('notes/sum.ts.bak', adds)],
      ['deleted adds'],
    ],
    [
      'a test moved to another file',
      [...modified(path, adds + takes, adds), ...created('test/take.test.ts', takes)],
      [],
    ],
    [
      'an assertion moved to a helper file',
      [
        ...modified(
          path,
          "it('a', () => { expect(f()).toBe(1) })",
          "import { expectOne } from './one.ts'\nit('a', () => { expectOne(f) })",
        ),
        ...created('test/one.ts', 'export function expectOne(f) { expect(f()).toBe(1) }'),
      ],
      [],
    ],
    ['a new file', created(path, 'it.skip("x", () => {})'), []],
    ['source code', modified('src/sum.ts', 'expect(a).toBe(1)', ''), []],
  ])('of %s', async (_, changes, found) => {
    expect(await kindsIn(changes)).toEqual(found)
  })

  it('names the place and both readings', async () => {
    const text = `\n\n${takes.replace('toEqual({ left: 1 })', 'toBeTruthy()')}`
    expect(await findWeakenedTests(modified(path, takes, text))).toEqual([
      {
        kind: 'weakened',
        path,
        line: 3,
        what: 'toEqual(take(3,2), {left:1}) became toBeTruthy(take(3,2))',
        test: 'takes',
        expected: null,
      },
    ])
    const [changed] = await findWeakenedTests(
      modified(path, adds, adds.replace('toBe(3)', 'toBe(4)')),
    )
    expect(changed).toMatchObject({ what: 'expected 3 before, 4 now', expected: '4', line: 1 })
  })
})
