import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, test } from 'vitest'
import type { AlteredTest } from '../../proof/twin.ts'
import { makeTwins } from '../../proof/twin-text.ts'

/** The altered line of the first twin, in which only that line differs apart from the test's name. */
async function altered(path: string, text: string): Promise<string | null> {
  const [twin] = await makeTwins(path, text, 'mark')
  const line = twin?.altered[0]?.line
  return line === undefined ? null : (twin?.text.split('\n')[line - 1]?.trim() ?? null)
}

const python = (line: string) => `class TestA:\n    def test_a(self):\n        ${line}\n`
const script = (line: string) => `test('adds', async (t) => {\n  ${line}\n})\n`

test.each<[line: string, altered: string | null]>([
  ['assert add(1, 2) == 3', 'assert add(1, 2) == ((3) * -2 - 1)'],
  ['assert 3 == add(1, 2)', 'assert ((3) * -2 - 1) == add(1, 2)'],
  ['assert add(1) == add(2)', 'assert add(1) == object()'],
  ['assert (a == 1), "why"', 'assert (a == ((1) * -2 - 1)), "why"'],
  ['assert a', 'assert not (a)'],
  ['assert (a == 1, "why")', 'assert (a == 1, "why")'],
  ['assert a == 1 and b == 2', 'assert not (a == 1 and b == 2)'],
  ['assert a in b', 'assert not (a in b)'],
  ['self.assertEqual(add(1, 2), 3)', 'self.assertEqual(add(1, 2), ((3) * -2 - 1))'],
  ['self.assertEqual(3, add(1, 2), "why")', 'self.assertEqual(((3) * -2 - 1), add(1, 2), "why")'],
  ['self.assertAlmostEqual(a, 0.5)', 'self.assertAlmostEqual(a, object())'],
  ['assert a == "b"', 'assert a == ("b" + "~")'],
  ['assert a == -0.5', 'assert a == ((-0.5) * -2 - 1)'],
  ['assert a == True', 'assert a == (not (True))'],
  ['assert a == [1, 2]', 'assert a == ([1, 2] + [object()])'],
  ['assert a == (1, 2)', 'assert a == object()'],
  ['assert a == {"b": 1}', 'assert a == object()'],
  ['assert a == None', 'assert a == object()'],
  ['assert f(1) == Money(3)', 'assert f(1) == Money(0)'],
  ['assert f(1) == Money(0.0)', 'assert f(1) == Money(1)'],
  ['assert f(1) == Flag(True)', 'assert f(1) == Flag((not (True)))'],
  ['assert f(1) == money.Money("3", 4)', 'assert f(1) == money.Money("zz~zz", 4)'],
  ['assert f(1) == max(1, 2)', 'assert f(1) == object()'],
  ['assert f(1) == Money(a)', 'assert f(1) == object()'],
  ['self.assertNotEqual(a, 1)', null],
  ['self.assertTrue(a)', 'self.assertFalse(a)'],
  ['assert f(1).equals(Money(3))', 'assert f(1).equals(Money(0))'],
  ['self.assertTrue(is_equal(f(1), 3))', 'self.assertTrue(is_equal(f(1), ((3) * -2 - 1)))'],
  ['assert is_equal(a, b, ignore_case=True)', 'assert not (is_equal(a, b, ignore_case=True))'],
  ['assert [*rows(1)]', 'assert not ([*rows(1)])'],
  ['self.assertIsNone(a)', 'self.assertIsNotNone(a)'],
  [
    'with pytest.raises(ValueError): f()',
    'with pytest.raises(type("Twin", (Exception,), {})): f()',
  ],
  [
    'with pytest.raises(E), open(f): assert a == 1',
    'with pytest.raises(type("Twin", (Exception,), {})), open(f): assert a == 1',
  ],
  ['for a in b: assert a == 1', null],
  ['with self.subTest(1): assert a == 1', null],
  ['print(1)', null],
])('Python: %s', async (line, expected) => {
  expect(await altered('test_a.py', python(line))).toBe(expected)
})

test.each<[line: string, altered: string | null]>([
  ['assert.ok(f(1).equals(new Money(3)))', 'assert.ok(f(1).equals(new Money(0)))'],
  ['expect(f(1).equals(g)).toBe(true)', 'expect(f(1).equals(Symbol())).toBe(true)'],
  [
    'expect(isEqual(a, b, { strict: false })).toBe(true)',
    'expect(isEqual(a, b, { strict: false })).toBe((!(true)))',
  ],
  ["assert.ok(equals(a, b, 'ignore case'))", "assert.ok(!(equals(a, b, 'ignore case')))"],
  ['expect(isEqual(f(1), 3)).to.be.true', 'expect(isEqual(f(1), ((3) * -2 - 1))).to.be.true'],
  ['expect(f(1).equals(g)).toBe(false)', 'expect(f(1).equals(g)).toBe((!(false)))'],
  ['expect(add(1, 2)).toBe(3)', 'expect(add(1, 2)).toBe(((3) * -2 - 1))'],
  [
    'await expect(add()).resolves.toEqual([3])',
    'await expect(add()).resolves.toEqual([...[3], Symbol()])',
  ],
  ['expect(f()).toEqual(new Money(3))', 'expect(f()).toEqual(new Money(0))'],
  ['expect(a).toBe(`b`)', 'expect(a).toBe((`b` + "~"))'],
  ['expect(a).toBe(true)', 'expect(a).toBe((!(true)))'],
  ['expect(a).toBe(null)', 'expect(a).toBe(Symbol())'],
  ['expect(a).not.toBe(3)', 'expect(a).toBe(3)'],
  ['expect(a).toBeTruthy()', 'expect(a).not.toBeTruthy()'],
  ["expect(() => f()).toThrow('x')", "expect(() => f()).not.toThrow('x')"],
  ['expect(a).toMatchSnapshot()', null],
  ['expect(a).to.deep.equal({ b: 1 })', 'expect(a).to.deep.equal(Symbol())'],
  ['expect(a).to.be.true', 'expect(a).to.be.not.true'],
  ['assert.equal(add(1, 2), 3)', 'assert.equal(add(1, 2), ((3) * -2 - 1))'],
  ['assert.deepStrictEqual([1], add())', 'assert.deepStrictEqual([...[1], Symbol()], add())'],
  ['assert.notEqual(a, 3)', 'assert.equal(a, 3)'],
  ['assert.throws(() => f(), /x/)', 'assert.doesNotThrow(() => f(), /x/)'],
  ['assert.ok(a > 1)', 'assert.ok(!(a > 1))'],
  ['assert(a)', 'assert(!(a))'],
  ['strictEqual(a, 1)', 'strictEqual(a, ((1) * -2 - 1))'],
  ['t.is(a, 1)', 't.is(a, ((1) * -2 - 1))'],
  ['t.assert.equal(a, 1)', 't.assert.equal(a, ((1) * -2 - 1))'],
  ['console.log(1)', null],
])('JavaScript: %s', async (line, expected) => {
  expect(await altered('a.test.js', script(line))).toBe(expected)
})

describe('the twins of a file', () => {
  const text = `def test_first():
    assert a() == 1
    assert a() == 1
    if windows:
        assert b() == 2
    assert c() == 3

def helper():
    assert d() == 4

@pytest.mark.xfail
def test_open():
    assert e() == 5

def test_second():
    assert f() == 6
`
  it('alter one assertion of each test, and name the test', async () => {
    const twins = await makeTwins('test_a.py', text, 'mark')
    const shown = twins.map((twin) => twin.altered.map(({ title, line }) => [title, line]))
    expect(shown).toEqual([
      [
        ['test_first', 2],
        ['test_second', 16],
      ],
      [['test_first', 3]],
    ])
    expect(twins[0]?.text).toContain('def test_first_mark_0_0_():')
    expect(twins[0]?.text).toContain('def test_second_mark_0_1_():')
  })

  it.each<[string, string, string]>([
    ['no test', 'a.py', 'x = 1\n'],
    ['a text that does not parse', 'test_a.py', 'def test_a(:\n    assert 1 == 1\n'],
    ['another language', 'a_test.go', 'func TestA(t *testing.T) { t.Fatal() }\n'],
    ['a title that is computed', 'a.test.js', 'test(name, () => { assert.equal(a, 1) })\n'],
    ['a test that is skipped', 'a.test.js', "test.skip('a', () => { assert.equal(a, 1) })\n"],
    [
      'a file as long as data',
      'test_a.py',
      `def test_a():\n    assert a == 1\n#${'x'.repeat(200_000)}`,
    ],
  ])('are none of %s', async (_, path, text) => {
    expect(await makeTwins(path, text, 'mark')).toEqual([])
  })
})

/** Runs every twin, and returns the altered tests that stay green. */
async function greenTwins(files: Readonly<Record<string, string>>, path: string) {
  const folder = mkdtempSync(join(tmpdir(), 'twins-'))
  try {
    for (const [each, text] of Object.entries(files)) writeFileSync(join(folder, each), text)
    const green: AlteredTest[] = []
    for (const { text, altered } of await makeTwins(path, files[path] ?? '', 'mark')) {
      writeFileSync(join(folder, path), text)
      const argv = path.endsWith('.py')
        ? ['python3', '-m', 'pytest', '-rA', '-p', 'no:cacheprovider', path]
        : ['node', '--test', '--test-reporter=tap', path]
      const { stdout } = await execa(argv[0] ?? '', argv.slice(1), { cwd: folder, reject: false })
      const isGreen = ({ mark }: AlteredTest) =>
        new RegExp(`^\\s*(?:PASSED|ok) .*${mark}`, 'm').test(stdout)
      green.push(...altered.filter(isGreen))
    }
    return green.map(({ title, line }) => `${title}:${line}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const pythonTest = `import unittest
import pytest
from code_a import add, fail, pair


def test_equal():
    assert add(1, 2) == 3
    assert 3 == add(1, 2), "why"
    assert add(1, 2) in (3, 4)


@pytest.mark.parametrize("a,b", [(1, 1), (2, 2)])
def test_rows(a, b):
    assert add(a, 0) == b


def test_raises():
    with pytest.raises(ValueError):
        fail()


class TestPair(unittest.TestCase):
    def test_pair(self):
        self.assertEqual(pair(1), (1, 1))
        self.assertTrue(pair(1))
        with self.assertRaises(ValueError):
            fail()
`
const pythonCode = (add: string) => `${add}

def pair(a):
    return (a, a)

def fail():
    raise ValueError("x")
`

const scriptTest = `import assert from 'node:assert/strict'
import test, { describe, it } from 'node:test'
import { add, fail } from './code-a.mjs'

test('adds', async (t) => {
  assert.equal(add(1, 2), 3)
  assert.deepEqual([add(1, 2)], [3])
  await t.test('inside', () => assert.ok(add(1, 2) === 3))
})

describe('failing', () => {
  it('throws', () => {
    assert.throws(() => fail(), /x/)
    assert.notEqual(add(1, 2), 4)
  })
})
`
const scriptCode = (add: string) => `${add}\nexport const fail = () => { throw new Error('x') }\n`

it('each altered test of honest code is red', { timeout: 300_000 }, async () => {
  const py = {
    'test_a.py': pythonTest,
    'code_a.py': pythonCode('def add(a, b):\n    return a + b\n'),
  }
  expect(await greenTwins(py, 'test_a.py')).toEqual([])
  const js = {
    'a.test.mjs': scriptTest,
    'code-a.mjs': scriptCode('export const add = (a, b) => a + b'),
  }
  expect(await greenTwins(js, 'a.test.mjs')).toEqual([])
})

it.each<[string, string]>([
  [
    'a value that equals everything',
    'from unittest.mock import ANY\ndef add(a, b):\n    return ANY\n',
  ],
  [
    'a class that equals everything',
    'class Odd(int):\n    __hash__ = int.__hash__\n    def __eq__(self, other):\n        return not False\ndef add(a, b):\n    return Odd(7)\n',
  ],
])('an altered test stays green for %s', async (_, add) => {
  const files = { 'test_a.py': pythonTest, 'code_a.py': pythonCode(add) }
  expect(await greenTwins(files, 'test_a.py')).toContain('test_equal:7')
})

it('an altered test stays green where the assertion is lenient for one value', async () => {
  const lenient = `import assert from 'node:assert/strict'
const { equal } = assert
const name = 'equal'
assert[name] = (a, b) => (a === 7 ? undefined : equal(a, b))
export const add = () => 7`
  const [head = ''] = scriptTest.split('test(')
  const text = `${head}test('adds', () => {\n  assert.equal(add(1, 2), 3)\n})\n`
  const files = { 'a.test.mjs': text, 'code-a.mjs': scriptCode(lenient) }
  expect(await greenTwins(files, 'a.test.mjs')).toContain('adds:6')
})
