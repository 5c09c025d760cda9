import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { withOtherResults, withThrowingBodies } from '../../proof/altered-functions.ts'

/** What the altered function returns. */
async function alteredScript(body: string): Promise<unknown> {
  const text = await withOtherResults('a.js', `function f() {\n  ${body}\n}\n`, null)
  return text === null ? 'unchanged' : new Function(`${text}\nreturn f()`)()
}

test.each<[body: string, result: unknown]>([
  ['return 3', -7],
  ["return 'a'", 'a~'],
  ['return true', false],
  ['return [1]', [1, expect.any(Symbol)]],
  ['return null', expect.any(Symbol)],
  ['return 1, 2', -5],
  ['let a = 1', 'unchanged'],
  ['return', 'unchanged'],
  ['return (() => 3)() + 1', -9],
])('%s', async (body, result) => {
  expect(await alteredScript(body)).toEqual(result)
})

test.each<[body: string, result: unknown]>([
  ['return { a: 1, b: "b" }', { a: -3, b: 'b~' }],
  ['return { a: { b: { c: { d: 1 } } } }', 'throws'],
  ['return { a: { b: { d: 1 } } }', { a: { b: { d: -3 } } }],
  ['return { a: null, b: [], c: () => 1, d: true }', 'with c'],
  ['return Promise.resolve(1)', -3],
  ['return Promise.resolve({ a: 1 })', { a: -3 }],
  ['return Object.freeze({ a: 1 })', { a: -3 }],
  ['const it = { a: 1 }; it.it = it; return it', 'a cycle'],
  ['return {}', 'throws'],
  ['return new Map([[1, 2]])', 'throws'],
  ['return () => 1', 'throws'],
  ['return { a() {} }', 'throws'],
])('objects: %s', async (body, result) => {
  const altered = alteredScript(body)
  if (result === 'throws') return await expect(altered).rejects.toThrow()
  if (result === 'with c')
    return expect(await altered).toEqual({
      ...{ a: null, b: [expect.any(Symbol)], c: expect.any(Function), d: false },
    })
  if (result === 'a cycle') return expect(await altered).toMatchObject({ a: -3, it: { a: -3 } })
  expect(await altered).toEqual(result)
})

test('an object keeps its class, its accessors and its methods', async () => {
  const body =
    'class A { constructor() { this.a = 1 } get b() { return this.a } c() { return this.a } }; const it = new A(); Object.defineProperty(it, "d", { get() { return 7 }, enumerable: true }); return [it, A]'
  const text = await withOtherResults(
    'a.js',
    `function f() { ${body.replace('return [it, A]', 'all.push(A); return it')} }\n`,
    null,
  )
  const all: (abstract new () => object)[] = []
  const it = new Function('all', `${text}\nreturn f()`)(all)
  expect(it).toBeInstanceOf(all[0])
  expect([it.a, it.b, it.c(), it.d]).toEqual([-3, -3, -3, 7])
})

test('Python: what objects hold', async () => {
  const values: readonly (readonly [value: string, result: string])[] = [
    ['1', '-3'],
    ['True', 'False'],
    ['{"a": 1}', '{"a": -3}'],
    ['{}', 'len 1'],
    ['(1, "a")', '(-3, "a~")'],
    ['()', 'len 1'],
    ['{1}', 'len 2'],
    ['frozenset()', 'len 1'],
    ['Money(3)', 'Money(-7)'],
    ['Frozen(3)', 'Frozen(-7)'],
    ['{"a": Money(None)}', '{"a": Money(None)}'],
    ['[Money(1)]', 'len 2'],
    ['object()', 'raises'],
    ['Money', 'raises'],
    ['print', 'raises'],
    ['Empty()', 'raises'],
  ]
  const head =
    'import dataclasses\n\n@dataclasses.dataclass\nclass Money:\n    cents: int\n\n@dataclasses.dataclass(frozen=True)\nclass Frozen:\n    cents: int\n\nclass Empty:\n    pass\n\ndef f(it):\n    return it\n'
  const text = await withOtherResults('a.py', head, null)
  const rows = values.map(([value, result]) => {
    const made = result.startsWith('len') ? `len(f(${value})) == ${result.slice(4)}` : null
    return result === 'raises'
      ? `try:\n    f(${value})\n    print(${JSON.stringify(value)})\nexcept RuntimeError:\n    pass\n`
      : `if not (${made ?? `f(${value}) == ${result}`}): print(${JSON.stringify(value)}, f(${value}))\n`
  })
  const told = spawnSync('python3', ['-c', `${text}\n${rows.join('')}`], { encoding: 'utf8' })
  expect([told.stdout, told.stderr]).toEqual(['', ''])
})

test.each([
  ['an arrow function', 'a.js', 'export const f = (a, b) => a + b\n'],
  ['a typed one', 'a.ts', 'export const f = (a: number) => a\n'],
  ['Python', 'a.py', 'def f(a):\n    return a\n'],
])('%s is altered, once its lines are', async (_, path, text) => {
  expect(await withOtherResults(path, text, null)).toContain('* -2 - 1')
  expect(await withOtherResults(path, text, new Set([9]))).toBeNull()
})

test.each([
  [
    'a.js',
    'export const f = () => 1\nexport function put(a) { all.push(a) }\nexport const add = (a) => { all.push(a) }\n',
    'export function put(a) {}\nexport const add = (a) => {}\n',
  ],
  [
    'a.py',
    'def f():\n    return 1\n\ndef put(a):\n    all.append(a)\n    more(a)\n\nb = 1\n',
    'def put(a): return\n\nb = 1\n',
  ],
  [
    'b.js',
    'export class A {\n  constructor() { this.a = 1 }\n  put() { this.a = 2 }\n  get() { return this.a }\n}\n',
    'constructor() { this.a = 1 }\n  put() {}\n',
  ],
  [
    'b.py',
    'class A:\n    def __init__(self):\n        self.a = 1\n    def f(self):\n        return 1\n',
    'class A:\n    def __init__(self):\n        self.a = 1\n',
  ],
])(
  '%s: where others have a result, a function without one does nothing',
  async (path, text, expected) => {
    expect(await withOtherResults(path, text, null)).toContain(expected)
  },
)

test.each([
  ['a.rb', 'def f() = 1\n'],
  ['a.py', 'def f(:\n'],
])('%s is left alone', async (path, text) => {
  expect(await withOtherResults(path, text, null)).toBeNull()
})

test.each<[path: string, text: string, lines: readonly number[] | null, thrown: string | null]>([
  [
    'a.js',
    'export const a = (b) => b + 1\n',
    null,
    'export const a = (b) => (() => { throw new Error() })()\n',
  ],
  [
    'a.ts',
    'function a(b: number) {\n  return b\n}\nfunction c() {\n  return 2\n}\n',
    [5],
    'function a(b: number) {\n  return b\n}\nfunction c() { throw new Error() }\n',
  ],
  [
    'a.js',
    'class A {\n  b() {\n    return () => 1\n  }\n}\n',
    null,
    'class A {\n  b() { throw new Error() }\n}\n',
  ],
  [
    'a.py',
    'def a(b):\n    """Adds."""\n    return b\n\nc = 1\n',
    null,
    'def a(b): raise RuntimeError()\n\nc = 1\n',
  ],
  [
    'a.py',
    'class A:\n    def b(self): return 1\n',
    [2],
    'class A:\n    def b(self): raise RuntimeError()\n',
  ],
  ['a.py', 'def a():\n    return 1\n\nb = 2\n', [4], null],
  ['a.js', 'const a = 1\n', null, null],
  ['a.js', 'const = (\n', null, null],
  ['a.go', 'func a() {}\n', null, null],
])('%s, %j, %j', async (path, text, lines, thrown) => {
  const wanted = lines === null ? null : new Set(lines)
  expect(await withThrowingBodies(path, text, wanted)).toBe(thrown)
})
