import { expect, test } from 'vitest'
import { withThrowingBodies } from '../../proof/throwing-bodies.ts'

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
