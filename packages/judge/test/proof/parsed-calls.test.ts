import { expect, test } from 'vitest'
import { writePlainCalls } from '../../proof/parsed-calls.ts'

const files: Readonly<Record<string, string>> = {
  'go.mod': 'module example.org/shop\n\ngo 1.22\n',
  'Cargo.toml':
    '[package]\nedition = "2021"\nname = "my-shop"\n\n[dependencies]\nserde = { version = "1" }\n',
  'src/sum.ts': '',
  'src/cart.js': '',
  'shop/__init__.py': '',
  'shop/sum.py': '',
}

/** The calls of a test file, made outside of it. */
async function callsIn(path: string, text: string, more: Readonly<Record<string, string>> = files) {
  const test = {
    ...{ path, text },
    exists: (each: string) => more[each] !== undefined,
    read: async (each: string) => more[each],
  }
  const found = await writePlainCalls(test, ['kela', 'mira'])
  return found && { ...found, calls: found.calls.map(([actual]) => actual) }
}

const script = (line: string, more = '') =>
  `import { expect, it } from 'vitest'\nimport { sum, Cart as C } from '../src/sum'\nimport * as all from "../src/cart.js"\nimport type { T } from '../src/sum'\n${more}it('sums', async () => {\n  ${line}\n})\n`

test.each<[line: string, calls: readonly string[] | null]>([
  ['expect(sum(1, -2)).toBe(3)', ['sum(1, -2)']],
  ["expect(sum([1], { a: 'b' })).toEqual({ c: [null, undefined] })", ["sum([1], { a: 'b' })"]],
  ['expect(new C(1).add(2).total).toBe(3)', ['new C(1).add(2).total']],
  ['expect(all.sum(1)).to.equal(1)', ['all.sum(1)']],
  ['expect(await sum(1)).toBe(1)', ['await sum(1)']],
  ['assert.equal(1, sum(1))', ['sum(1)']],
  ['assert.deepEqual(sum((a) => a), 1)', null],
  ['expect(sum(one)).toBe(1)', null],
  ['expect(sum(1)).toBe(expect.any(Number))', null],
  ['expect(sum(1)).not.toBe(1)', null],
  ['expect(sum(1)).toBeCloseTo(1)', null],
  ['expect(Math.max(1, 2)).toBe(2)', null],
  ['expect(sum(1 as T)).toBe(1)', null],
  ['const a = sum(1)\n  expect(a).toBe(1)', null],
  ['if (a) expect(sum(1)).toBe(1)', null],
  ['use(1)\n  expect(sum(1)).toBe(1)', null],
  ['expect(sum(1)).toBe(1)\n  expect(sum(2)).toBe(2)', ['sum(1)', 'sum(2)']],
  ["expect(sum('data/a.txt')).toBe(1)", null],
  ["expect(sum(1)).to.have.property('a').equal(3)", null],
])('TypeScript: %s', async (line, calls) => {
  const found = await callsIn('test/sum.test.ts', script(line))
  expect(found?.calls ?? null).toEqual(calls)
})

test('a program of Node.js loads the files themselves', async () => {
  const text = script('expect(sum(1)).toBe(1)', "const { a: b } = require('../src/cart')\n")
  const found = await callsIn('test/sum.test.ts', text)
  expect(found).toMatchObject({
    path: 'kela.mjs',
    argv: ['env', 'NODE_ENV=test', 'node', 'kela.mjs'],
  })
  expect(found?.text).toContain(
    'import { sum, Cart as C } from "./src/sum.ts"\nimport * as all from "./src/cart.js"\nconst { a: b } = require("./src/cart.js")\n',
  )
  expect(found?.text).not.toContain('vitest')
})

const python = (line: string, more = '') =>
  `import pytest\nfrom shop.sum import sum_all, Cart\nimport shop.sum\n${more}\ndef test_sum():\n    ${line}\n`

test.each<[line: string, calls: readonly string[] | null]>([
  ['assert sum_all([1, 2]) == 3', ['sum_all([1, 2])']],
  ['assert {"a": 1} == shop.sum.of("a")', ['shop.sum.of("a")']],
  ['assert sorted(sum_all(1)) == [1]', ['sorted(sum_all(1))']],
  ['assert Cart(total=1).total == 1', ['Cart(total=1).total']],
  ['assert Cart(1).sum() == None', ['Cart(1).sum()']],
  ['self.assertEqual(sum_all(1), 1)', ['sum_all(1)']],
  ['self.assertAlmostEqual(sum_all(1), 1)', null],
  ['self.assertCountEqual(sum_all(1), [1])', null],
  ['shop.sum.use(1)\n    assert sum_all(1) == 1', null],
  ['assert sum_all(tmp_path) == 1', null],
  ['assert len([1]) == 1', null],
])('Python: %s', async (line, calls) => {
  const found = await callsIn('tests/test_sum.py', python(line))
  expect(found?.calls ?? null).toEqual(calls)
})

const go = (line: string) => `package sum\n\nfunc TestSum(t *testing.T) {\n\t${line}\n}\n`
const reports = '{\n\t\tt.Fatal("no")\n\t}'

test.each<[line: string, calls: readonly string[] | null]>([
  [`if Add(1, -2) != 3 ${reports}`, ['Add(1, -2)']],
  [`if got := Name("a, b)", true); got != "c" ${reports}`, ['Name("a, b)", true)']],
  ['assert.Equal(t, 3, sum.Add(1))', ['Add(1)']],
  [`if Add(1) != 1 ${reports}\n\tif Add(2) != 2 ${reports}`, ['Add(1)', 'Add(2)']],
  [`use()\n\tif Add(1) != 1 ${reports}`, null],
  [`// if Add(1) != 1 ${reports.replaceAll('\n', ' ')}\n\tuse()`, null],
  ['if Add(1) != 1 {\n\t\tt.Skip()\n\t}', null],
  [`if add(1) != 1 ${reports}`, null],
  [`if other.Add(1) != 1 ${reports}`, null],
  [`if Add(one) != 1 ${reports}`, null],
  [`if Add(1) != two ${reports}`, null],
  [`if Add(Sub(1)) != 1 ${reports}`, null],
  [`if Count("data/a.txt") != 1 ${reports}`, null],
  [`if got := Add(1); other != 1 ${reports}`, null],
])('Go: %s', async (line, calls) => {
  const found = await callsIn('sum/sum_test.go', go(line))
  expect(found?.calls ?? null).toEqual(calls)
  if (found !== null) expect(found.text).toContain('zz "example.org/shop/sum"')
})

test.each<[path: string, line: string, calls: readonly string[] | null, use: string]>([
  ['src/lib.rs', 'assert_eq!(add(1, -2), 3);', ['add(1, -2)'], 'use my_shop::*;'],
  ['src/a/b.rs', 'assert_eq!(super::add(1), "a");', ['add(1)'], 'use my_shop::a::b::*;'],
  ['src/a/mod.rs', 'assert_eq!(3, add(1), "why");', ['add(1)'], 'use my_shop::a::*;'],
  ['tests/sum.rs', 'assert_eq!(add(1), 3);', ['add(1)'], 'use my_shop::add;'],
  ['src/lib.rs', 'assert_eq!(add(&[1]), 3);', null, ''],
  ['src/lib.rs', 'set();\n    assert_eq!(add(1), 3);', null, ''],
  ['src/lib.rs', 'assert_eq!(Money::add(1), 3);', null, ''],
  ['src/lib.rs', 'assert_eq!(add(1), two);', null, ''],
])('Rust: %s, %s', async (path, line, calls, use) => {
  const found = await callsIn(path, `use my_shop::add;\n#[test]\nfn sums() {\n    ${line}\n}\n`)
  expect(found?.calls ?? null).toEqual(calls)
  expect(found?.text ?? '').toContain(use)
})

test('unit tests of Rust have them, whatever stands beside', async () => {
  const text = `#[cfg(unix)]
fn mock_env() {}

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(add(1), 3);
    }
}
`
  expect((await callsIn('src/lib.rs', text))?.calls).toEqual(['add(1)'])
  expect(
    await callsIn('src/lib.rs', text.replace('mod tests {', 'mod tests {\n use mock::*;')),
  ).toBeNull()
})

test.each([
  ['what mocks', 'test/sum.test.ts', script('expect(sum(1)).toBe(1)', 'vi.mock("../src/sum")\n')],
  ['what prepares', 'test/sum.test.ts', script('expect(sum(1)).toBe(1)', 'beforeEach(f)\n')],
  [
    'what names a parameter as it does an import',
    'test_a.py',
    python('pass', 'def test_b(sum_all):\n    assert sum_all(2) == 2\n'),
  ],
  ['what is skipped', 'test/sum.test.ts', script('expect(sum(1)).toBe(1)', 'describe.skip(f)\n')],
  ['what has a fixture', 'test_a.py', python('assert sum_all(1) == 1', '@pytest.fixture\n')],
  ['what does not parse', 'test_a.py', 'def test_a(:\n    assert sum_all(1) == 1\n'],
  ['another language', 'test/a_test.rb', 'assert_equal 3, sum(1)\n'],
])('%s has none', async (_, path, text) => {
  expect(await callsIn(path, text)).toBeNull()
})

test('what runs in other surroundings has none', async () => {
  const text = script('expect(sum(1)).toBe(1)')
  const manifest = JSON.stringify({ devDependencies: { jsdom: '26' } })
  for (const [path, content] of [
    ['package.json', manifest],
    ['test/package.json', manifest],
    ['package.json', JSON.stringify({ scripts: { test: 'TZ=UTC vitest' } })],
    ['vitest.config.ts', "export default { test: { setupFiles: ['./a.ts'] } }"],
    ['vite.config.mjs', "export default { test: { environment: 'jsdom' } }"],
    ['vitest.config.js', "export default { test: { env: { TZ: 'UTC' } } }"],
  ] as const)
    expect(await callsIn('test/sum.test.ts', text, { ...files, [path]: content })).toBeNull()
  const conftest = { ...files, 'tests/conftest.py': '@pytest.fixture(autouse=True)\n' }
  expect(await callsIn('tests/test_a.py', python('assert sum_all(1) == 1'), conftest)).toBeNull()
})

test('a long file of blanks costs little', async () => {
  const blanks = ' '.repeat(100_000)
  for (const line of [`if x !=${blanks}`, `if${blanks}`, `if !(${'Equal('.repeat(15_000)}`])
    expect(await callsIn('sum/sum_test.go', go(line))).toBeNull()
  const manifest = `[lib]${'\n'.repeat(100_000)}`
  const text = '#[test]\nfn sums() {\n    assert_eq!(add(1), 3);\n}\n'
  expect(await callsIn('src/lib.rs', text, { 'Cargo.toml': manifest })).toBeNull()
})

test.each([
  ['sum/sum_test.go', go(`if Add(1) != 1 ${reports}`)],
  ['src/lib.rs', '#[test]\nfn sums() {\n    assert_eq!(add(1), 3);\n}\n'],
])('%s: none without a manifest', async (path, text) => {
  expect(await callsIn(path, text, {})).toBeNull()
})
