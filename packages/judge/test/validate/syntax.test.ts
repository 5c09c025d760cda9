import { afterAll, describe, expect, test } from 'vitest'
import { createWasmSyntaxChecker } from '../../../source/wasm-syntax-checker.ts'
import { validateFile } from '../../validate/validate-file.ts'

const syntax = createWasmSyntaxChecker()
afterAll(() => syntax.close())

const valid: Record<string, readonly string[]> = {
  'a.js': [
    '',
    '#!/usr/bin/env node\nconsole.log(1)\n',
    'import a from "./a.js"\nexport const b = await a()\n',
    'const a = require("a")\nif (!a) return\nmodule.exports = a\n',
    'with (a) { b }\n',
    'export default class { static #x = 1; get x() { return this.#x } }\n',
    'const re = /[}/]{2}/g, half = a / b / c\n',
    'const t = `a ${`b ${"}"}`} c`\n',
    'const el = <p title="}">don\'t {name}</p>\n',
    'import data from "./x.json" with { type: "json" }\nuse(data)\n',
    '// @flow\nfunction f(x: ?number): string { return "" }\n',
    'label: for (const x of y) { continue label }\n',
    'const { a = 1, ...rest } = b ?? {}; a?.b?.[c]?.()\n',
    '@sealed class A { @logged m() {} }\n',
    'using file = open()\n',
    '\uFEFFconst a = 1\r\nconst b = 2\r\n',
  ],
  'a.ts': [
    'const x = <string>y\n',
    'class A { constructor(@Inject() private readonly b: B) {} }\n',
    'enum E { A = 1 << 2 }\nnamespace N { export type T = E }\n',
    'type F<T> = T extends (infer U)[] ? U : never\n',
    'const f = <T,>(x: T): x is T => x satisfies T\n',
    'export = legacy\n',
    'import type { A } from "./a.ts"\nexport type { A }\n',
    'abstract class A { abstract m(): void; declare x: number }\n',
    'function f(this: Window, x?: number): asserts x is number {}\n',
    'let v = a as const, w = b!\n',
    'declare module "x" { export const y: number }\n',
    'const g = a < b && c > (d)\n',
    'export { elsewhere }\n',
  ],
  'a.d.ts': ['export declare const a: number\ndeclare global { interface Window { a: 1 } }\n'],
  'a.tsx': ["export const A = <T,>({ x }: { x: T }) => <><B<T> x={x} />it's</>\n"],
  'a.cjs': ['return exports.a = 1\n'],
  'a.json': [
    '{}',
    '[]',
    '"text"',
    'null',
    ' -0.5e+10 ',
    '{"a": {"b": [1, true, "\\u00e9\\n"]}}\n',
    '{"a": 1, "a": 2}',
    '{"": ""}',
    '[[], {}]',
    '"{[//]}"',
    '\uFEFF{"a": 1}\r\n',
    '{\n\t"deep": [[[[[[]]]]]]\n}',
  ],
  'tsconfig.base.json': ['{ // why\n "a": [1, /* b */], }'],
  '.vscode/settings.json': ['// none\n{}'],
  'a.yml': [
    '',
    '# only a comment\n',
    'a: 1\nb: [x, {y: z}]\n',
    '---\na: 1\n---\nb: 2\n...\n',
    '- &x 1\n- *x\n',
    'a: |\n  <<<<<<< HEAD\n  text: {{ }}\nb: >-\n  c\n',
    '!Ref name\n',
    'run: ${{ github.sha }}\n',
    '%YAML 1.1\n---\nyes: no\n',
    '# first\n%TAG ! tag:a,2026:\n%YAML 1.2 # second\n--- !b |\n%YAML 1.2\n%YAML 1.2\n',
    "\"quoted: key\": 'it''s'\n",
    'base: &base {a: 1}\nmore:\n  <<: *base\n',
    '? complex\n: value\n',
  ],
  'chart/templates/a.yaml': ['{{- if .x }}\na: {{ .Values.b }}\n{{- end }}\n'],
  'a.toml': [
    '',
    'a = 1\n',
    '[a]\nb = "c"\n[a.d]\ne = [1, 2,]\n',
    '[[x]]\ny = 1\n[[x]]\ny = 2\n',
    'd = 2026-01-01T00:00:00Z\n',
    "s = '''\n[not a table]\n'''\n",
    'a.b.c = true\n',
    'p = { x = 1, y = 2 }\n',
    'n = [0xff, 0o7, 0b1, 1_000]\n',
    'f = [inf, -nan, 1e3]\n',
    '"quoted key" = """a\\\n  b"""\n',
    '# comment\n',
  ],
  'a.py': [
    '',
    'def f(a, /, b, *, c=1) -> int:\n    return a\n',
    'class A[T]:\n    type X = T\n',
    'async def f():\n    async with a as b:\n        await b\n',
    'match x:\n    case {"a": [y, *_]} if y:\n        pass\n',
    'print(f"{x!r:>{width}} {"nested"}")\n',
    'try:\n    pass\nexcept* ValueError:\n    pass\n',
    'if (n := len(a)) > 1:\n    pass\n',
    's = """\n<<<<<<< HEAD\n"""\n',
    'x: "Float[Tensor, \'a b\']" = 1\n',
    'f = lambda *a, **k: a\n',
    'def g():\n\tyield from h()\n',
    'from __future__ import annotations\nimport os, sys as s\n',
  ],
}

/** Path, text, and the line that must be named first. */
const invalid: readonly [path: string, line: number, text: string][] = [
  ['a.js', 2, 'function f() {\n  return 1\n'],
  ['a.js', 2, 'const a = 1\nconst a = 2\n'],
  ['a.js', 1, 'const a = "x\n'],
  ['a.js', 2, 'if (a) {\n}}\n'],
  ['a.js', 1, 'const = 1\n'],
  ['a.js', 3, 'f(\n  1,\n  2;\n'],
  ['a.js', 1, 'let x: number = 1\n'],
  ['a.js', 2, 'export const a = 1\nreturn a\n'],
  ['a.js', 2, 'for (;;) {}\nbreak\n'],
  ['a.js', 1, 'const a = [1, 2\n'],
  ['a.js', 3, 'class A {\n  m( { }\n}\n'],
  ['a.js', 1, 'const a = `x ${1}\n'],
  ['a.jsx', 1, 'const a = <p><b></p>\n'],
  ['a.mjs', 1, 'return 1\n'],
  ['a.cjs', 1, 'import a from "a"\n'],
  ['a.js', 1, 'def f(x):\n    return x\n'],
  ['a.ts', 1, 'const x: = 1\n'],
  ['a.ts', 2, 'interface A {\n  b: string\n'],
  ['a.ts', 1, 'type A = { b: }\n'],
  ['a.ts', 2, 'function f(): void {\n  retrun 1\n}\n'],
  ['a.ts', 1, 'enum { A }\n'],
  ['a.ts', 1, 'import { a, from "./a.ts"\n'],
  ['a.ts', 4, 'export class A {\n  b = 1\n  c( {}\n}\n'],
  ['a.ts', 1, 'const a = <p>x</p>\n'],
  ['a.ts', 1, 'export const a = (b: string => b\n'],
  ['a.ts', 1, 'let a = 1 2\n'],
  ['a.ts', 1, 'class A { private public x = 1 }\n'],
  ['a.ts', 2, 'async function f() {}\nfunction g() { await f() }\n'],
  ['a.js', 1, 'export { missing }\n'],
  ['a.tsx', 1, 'const a = <T>x\n'],
  ['a.json', 1, ''],
  ['a.json', 2, '{\n  "a": 1,,\n}'],
  ['a.json', 3, '{\n  "a": 1,\n}'],
  ['a.json', 2, '{\n  a: 1\n}'],
  ['a.json', 1, "{'a': 1}"],
  ['a.json', 3, '{\n  "a": 1\n  "b": 2\n}'],
  ['a.json', 2, '[1,\n2'],
  ['a.json', 2, '{"a":\n}'],
  ['a.json', 1, '// comment\n{}'],
  ['a.json', 1, '{"a": undefined}'],
  ['a.json', 1, '{"a": 01}'],
  ['a.json', 1, '{"a": "b\nc"}'],
  ['a.json', 2, '{}\n{}'],
  ['a.json', 1, '{"a": [1}'],
  ['a.json', 1, '"\\x"'],
  ['tsconfig.json', 1, '{ /* open'],
  ['a.yml', 2, '# none\n%YAML 1.2\n'],
  ['a.yml', 2, '%YAML 1.2\n%YAML 1.1\n---\na: 1\n'],
  ['a.yml', 2, 'a: 1\na: 2\n'],
  ['a.yml', 1, 'a: b: c\n'],
  ['a.yml', 1, 'a: "x\n'],
  ['a.yml', 2, 'a:\n\tb: 1\n'],
  ['a.yml', 1, 'a: [1, 2'],
  ['a.yml', 2, '- a\nb: 1\n'],
  ['a.yml', 1, 'a: @x\n'],
  ['a.yml', 2, 'a: 1\nb: *nowhere\n'],
  ['a.yml', 3, 'a: |\n  x\n y\n'],
  ['a.yml', 1, 'a: "\\q"\n'],
  ['a.yml', 4, '---\na: 1\n---\nb: `x`\n'],
  ['a.yml', 1, 'key: {a: 1'],
  ['a.yml', 1, 'a: b\n c: d\n'],
  ['a.toml', 2, 'a = 1\nb = \n'],
  ['a.toml', 1, 'a = [1,\n'],
  ['a.toml', 1, '[x\na = 1\n'],
  ['a.toml', 2, 'a = 1\na = 2\n'],
  ['a.toml', 1, 'a = "x\n'],
  ['a.toml', 1, 'a\n'],
  ['a.toml', 1, 'a = 01\n'],
  ['a.toml', 1, 'a = yes\n'],
  ['a.toml', 1, 'a = 1 b = 2\n'],
  ['a.toml', 2, '[a]\n[a]\n'],
  ['a.toml', 1, 'a = { b = 1\n'],
  ['a.toml', 1, 'a: 1\n'],
  ['a.py', 1, 'def f(:\n    pass\n'],
  ['a.py', 2, 'if x:\nprint(1)\n'],
  ['a.py', 1, 'print "a"\n'],
  ['a.py', 1, 'return 1\n'],
  ['a.py', 2, 'def f():\n    await x\n'],
  ['a.py', 1, 'break\n'],
  ['a.py', 2, 'x = (1,\ny = 2\n'],
  ['a.py', 1, 'x = "a\n'],
  ['a.py', 3, 'def f():\n    a = 1\n  b = 2\n'],
  ['a.py', 1, 'class A\n    pass\n'],
  ['a.py', 1, 'x = 5 +\n'],
  ['a.py', 1, 'else:\n    pass\n'],
  ['a.py', 2, 'def f():\n    x = 1\n    global x\n'],
  ['a.py', 1, 'from __future__ import braces\n'],
  ['a.py', 1, 'const x = 1;\n'],
  ['a.py', 1, 'f(**a, *b)\n'],
]

describe('validateFile', () => {
  for (const [path, texts] of Object.entries(valid)) {
    test.each(texts)(`accepts ${path}: %j`, async (text) => {
      const report = await validateFile({ path, text }, { syntax })
      expect(report).toMatchObject({ path, valid: true, problems: [] })
      expect(report.checked).toBe(report.language !== 'template')
    })
  }

  test.each(invalid)('finds the mistake in %s, line %i: %j', async (path, line, text) => {
    const { valid, checked, problems } = await validateFile({ path, text }, { syntax })
    expect({ valid, checked, line: problems[0]?.line }).toEqual({
      valid: false,
      checked: true,
      line,
    })
    expect(problems[0]).toMatchObject({ type: 'syntax', message: expect.stringMatching(/\w/) })
    expect(problems[0]?.message).not.toMatch(/\(\d+:\d+\)$/)
    expect(problems[0]?.column).toBeGreaterThan(0)
  })

  test('covers a dozen valid and invalid texts of each kind', () => {
    for (const extension of ['js', 'ts', 'json', 'yml', 'toml', 'py']) {
      expect(valid[`a.${extension}`]?.length).toBeGreaterThanOrEqual(12)
      const wrong = invalid.filter(([path]) => path === `a.${extension}`)
      expect(wrong.length).toBeGreaterThanOrEqual(12)
    }
  })

  test.each([
    [
      'an inner block',
      'a.ts',
      'function f() {\n  if (x) {\n    g()\n}\n\nexport const y = 1\n',
      2,
      10,
    ],
    ['the last block', 'a.js', 'const s = "{"\nclass A {\n  m() {\n    g()\n', 3, 7],
    ['a call', 'a.js', 'f(`${a}(`, /[(]/, // (\n  g(1)\n', 1, 2],
    ['a Python list', 'a.py', 's = "["\nx = [1, 2  # [\ny = 3\n', 2, 5],
  ])('says which bracket of %s is left open', async (_name, path, text, line, column) => {
    const { problems } = await validateFile({ path, text }, { syntax })
    expect(problems[0]?.message).toMatch(`Line ${line}, column ${column}: This`)
    expect(problems).toContainEqual({
      type: 'syntax',
      message: expect.stringMatching(/is never closed|is not closed by/),
      line,
      column,
    })
  })

  test('says "not checked" of languages without a parser, and of a parser that is gone', async () => {
    const gone = { check: async () => ({ status: 'unavailable' as const, reason: 'killed' }) }
    expect(await validateFile({ path: 'a.scss', text: 'a {' }, { syntax })).toEqual({
      path: 'a.scss',
      language: 'scss',
      valid: true,
      checked: false,
      problems: [],
      hints: [],
    })
    expect(await validateFile({ path: 'a.py', text: 'def' }, { syntax: gone })).toMatchObject({
      language: 'python',
      checked: false,
    })
    expect(await validateFile({ path: 'x', text: '' }, { syntax })).toMatchObject({
      language: 'unknown',
      checked: false,
    })
  })
})
