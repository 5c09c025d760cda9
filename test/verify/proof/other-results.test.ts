import { expect, test } from 'vitest'
import { withOtherResults } from '../../../src/verify/proof/other-results.ts'

/** What the altered function returns. */
async function alteredScript(body: string, path = 'a.js'): Promise<unknown> {
  const text = await withOtherResults(path, `function f() {\n  ${body}\n}\n`, null)
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

test('an object has no neighbour', async () => {
  await expect(alteredScript('return { a: 1 }')).rejects.toThrow()
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
