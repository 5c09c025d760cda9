import { afterAll, describe, expect, test } from 'vitest'
import type { SyntaxLanguage } from '../syntax-checker.ts'
import { createWasmSyntaxChecker } from '../wasm-syntax-checker.ts'

const checker = createWasmSyntaxChecker()
afterAll(() => checker.close())

const valid: Readonly<Record<SyntaxLanguage, string>> = {
  python: 'x = 1\n',
  go: 'package a\n\nvar x = "😀"\n',
  java: 'class A {}\n',
  rust: "fn f<'a>(x: &'a str) -> char { '{' }\n",
  ruby: 'puts "é"\n',
  php: '<?php\necho "é";\n',
  shell: 'echo "é"\n',
  sql: "SELECT 'é';\n",
  c: 'int x;\n',
  cpp: 'class A {};\n',
  csharp: 'class A {}\n',
  kotlin: 'class A\n',
  swift: 'struct A {}\n',
}

const languages = Object.keys(valid).filter((name): name is SyntaxLanguage => name in valid)

/** Language, text, and where and how its first problem is told; columns in UTF-16 units. */
const invalid: readonly [SyntaxLanguage, string, number, number, RegExp][] = [
  ['go', 'package a\n\nvar x = "😀" "b"\n', 3, 14, /^expected ';', found "b"$/],
  ['go', 'package a\nfunc f() {\n', 2, 11, /^expected '}', found 'EOF'$/],
  ['java', 'class A {\n  int x = 1\n}\n', 3, 1, /^expected `;`, found `}`$/],
  ['java', 'class A {\n  int x;\n', 2, 9, /found the end of the file$/],
  ['java', 'class A { char c = #; }\n', 1, 20, /^unexpected character `#`$/],
  ['java', 'class A { void f() { g(; } }\n', 1, 24, /^expected `\)`, found `;`$/],
  ['java', 'class A {\n  public f(int x) {}\n}\n', 2, 3, /^`f` has no return type/],
  ['java', 'class A { A() {} void f() { g(); 1 + 2; } }\n', 1, 34, /^`1 \+ 2` is no statement$/],
  ['rust', 'fn f(x: u8, y) {}\n', 1, 1, /^the parameter `y` has no type$/],
  ['rust', 'fn f() {\n  else {}\n}\n', 2, 3, /^`else` is a keyword$/],
  ['rust', 'fn f() { let fn = 1; }\n', 1, 14, /^`fn` is a keyword$/],
  ['rust', 'fn f() { g("a\\q"); }\n', 1, 14, /^`\\q` is no escape sequence$/],
  ['rust', 'let x = 1;\n', 1, 1, /^`let` stands outside any function$/],
  ['rust', 'fn f() {\n  let é = ;\n}\n', 2, 9, /^unexpected `=`$/],
  ['ruby', 'x = "é" + ]\n', 1, 11, /^unexpected ']'; expected an expression/],
  ['ruby', 'def f\n  1\n', 2, 4, /end-of-input/],
  ['php', '<?php\n$é = 1\n$b = 2;\n', 2, 6, /^unexpected `1`$/],
  ['shell', 'echo "é"; fi\n', 1, 11, /`fi` can only be used to end an `if`/],
  ['shell', '#!/bin/sh\nx=(1\n', 2, 3, /./],
  ['sql', "SELECT '😀',\nFROM x;\n", 2, 1, /at or near "FROM"/],
  ['sql', "SELECT '😀' FROM x WHERE;\n", 1, 25, /at or near ";"/],
  ['c', 'int f() {\n  return 0\n}\n', 2, 11, /^missing `;`$/],
  ['cpp', 'class A {\n  int x;\n', 2, 9, /^unexpected end of the file$/],
  ['csharp', 'class A { int F( { } }\n', 1, 16, /^unexpected/],
  ['kotlin', 'fun f() {\n  val x =\n', 2, 10, /^unexpected end of the file$/],
  ['swift', 'func f() {\n  let x = (1\n}\n', 2, 13, /^missing `\)`$/],
]

describe('each parser', () => {
  test.each(languages)('accepts %s', async (language) => {
    const found = await checker.check(language, valid[language])
    expect(found).toEqual({ status: 'checked', problems: [] })
  })

  test.each([
    [
      'java',
      'enum E { A; E() { this(1); } void f() { new E(); i++; x = 1; switch (x) { default: } y = switch (x) { default -> 6; }; } }',
    ],
    ['java', 'record R(int x) { R { if (x < 1) throw new E(); } R() { this(1); } }'],
    [
      'java',
      'class A { class B { B() {} } Object o = new A() { void f() {} }; Runnable r = () -> f(); }',
    ],
    ['rust', 'trait T { fn f(u8) -> u8 { 1 } fn g(&self, _: u8); }'],
    [
      'rust',
      "fn f(&'static self, (a, b): (u8, u8), r#fn: fn(u8)) { m!(fn x else); 'a: loop { break 'a } }",
    ],
    ['rust', 'fn f() { g("\\n\\x1b\\u{1F600}\\\n  a", \'\\\'\', b"\\0", r"\\q") }'],
    [
      'rust',
      '#[cfg(type = "a")] extern "C" { fn f(x: u8, ...); } macro_rules! m { ($x:ident) => { let $x = 1; } }',
    ],
  ] as const)('accepts what the rules of %s are near to: %s', async (language, text) => {
    expect(await checker.check(language, text)).toEqual({ status: 'checked', problems: [] })
  })

  test.each(languages)('accepts %s with Windows line ends, and nothing', async (language) => {
    for (const text of [valid[language].replaceAll('\n', '\r\n'), '']) {
      // Only Go's files cannot be empty; that is said elsewhere.
      expect(await checker.check(language, text)).toEqual({ status: 'checked', problems: [] })
    }
  })

  test.each(invalid)(
    'says where %s is wrong: %j',
    async (language, text, line, column, message) => {
      const found = await checker.check(language, text)
      expect(found).toMatchObject({ status: 'checked' })
      const [first] = found.status === 'checked' ? found.problems : []
      expect(first).toEqual({ line, column, message: expect.stringMatching(message) })
    },
  )

  test('a script for sh may be one for bash', async () => {
    const text = '#!/bin/sh\nx=(1 2)\n[[ $x == a* ]] && echo "${x[@]}"\n'
    expect(await checker.check('shell', text)).toEqual({ status: 'checked', problems: [] })
  })

  test.each(['#!/bin/ksh\nprint a |&\n', '#!/usr/bin/env bats\n@test "a" {\n  true\n}\n'])(
    'the first line names the dialect: %j',
    async (text) => {
      expect(await checker.check('shell', text)).toEqual({ status: 'checked', problems: [] })
    },
  )

  test('keys of associative arrays are no arithmetic', async () => {
    const text = 'declare -A a=(\n  [x:y]=1\n)\necho "${a[x:y]}"\n'
    expect(await checker.check('shell', text)).toEqual({ status: 'checked', problems: [] })
  })
})

describe('Go', () => {
  const lines = (count: number) => `package a\n\n${'var _ = "a line of text"\n'.repeat(count)}`

  test.each([8_000, 20_000, 40_000])('of %d lines is read, good and bad', async (count) => {
    const good = await checker.check('go', lines(count))
    expect(good).toEqual({ status: 'checked', problems: [] })
    const bad = await checker.check('go', `${lines(count)}func f() {\n`)
    expect(bad.status === 'checked' && bad.problems.length).toBeGreaterThan(0)
  })

  test('that exhausts its parser leaves it usable', async () => {
    const deep = `package a\n\nvar x = ${'('.repeat(60_000)}1${')'.repeat(60_000)}\n`
    expect((await checker.check('go', deep)).status).toBe('checked')
    expect(await checker.check('go', 'package a\n')).toEqual({ status: 'checked', problems: [] })
    const bad = await checker.check('go', 'package a\nfunc {\n')
    expect(bad).toMatchObject({ problems: [{ line: 2, column: 6 }] })
  })
})

describe('hostile texts', () => {
  test.each(languages)(
    '%s in any disorder gets an answer, and the next text its own',
    async (language) => {
      for (const unit of [
        '(',
        '{',
        '<',
        '"',
        'if (a) {',
        '\\',
        '\u0000',
        '😀',
        '\n',
        ']',
      ] as const) {
        const answer = await checker.check(language, `${valid[language]}${unit.repeat(3_000)}`)
        for (const { line, column, message } of answer.status === 'checked'
          ? answer.problems
          : []) {
          expect(line).toBeGreaterThanOrEqual(0)
          expect(column).toBeGreaterThanOrEqual(0)
          expect(message).not.toBe('')
        }
      }
      expect(await checker.check(language, valid[language])).toEqual({
        status: 'checked',
        problems: [],
      })
    },
  )
})
