import { afterAll, describe, expect, test } from 'vitest'
import { createWasmSyntaxChecker } from '../../../source/wasm-syntax-checker.ts'
import { validateFile } from '../../validate/validate-file.ts'

const syntax = createWasmSyntaxChecker()
afterAll(() => syntax.close())

const report = (path: string, text: string, before?: string) =>
  validateFile({ path, text, before }, { syntax })

/** For each language whose parser rejects real files: a good text, and an unreadable one. */
const doubtful: Readonly<Record<string, readonly [good: string, bad: string]>> = {
  'a.c': ['int f(void) { return 0; }\n', 'int f(void) { return 0 }\n'],
  'a.cpp': ['class A { int x; };\n', 'class A { int x;\n'],
  'a.cs': ['class A { int X = 1; }\n', 'class A { int X = ; }\n'],
  'a.kt': ['fun f() { g() }\n', 'fun f( { g() }\n'],
  'a.swift': ['func f() { g() }\n', 'func f( { g() }\n'],
  'a.sql': ['SELECT a FROM b;\n', 'SELECT a FROM;\n'],
}

describe.each(Object.entries(doubtful))('a doubtful parser (%s)', (path, [good, bad]) => {
  test('accepts: checked and valid', async () => {
    expect(await report(path, good)).toMatchObject({ valid: true, checked: true, hints: [] })
  })

  test('rejects a new file: not checked, with a hint', async () => {
    for (const before of [undefined, '', '\n']) {
      const { valid, checked, problems, hints } = await report(path, bad, before)
      expect({ valid, checked, problems }).toEqual({ valid: true, checked: false, problems: [] })
      expect(hints[0]).toMatchObject({
        type: 'syntax',
        line: 1,
        message: expect.stringMatching(/./),
      })
    }
  })

  test('rejects a change to what it could read: not valid', async () => {
    const { valid, checked, problems, hints } = await report(path, bad, good)
    expect({ valid, checked, hints }).toEqual({ valid: false, checked: true, hints: [] })
    expect(problems[0]).toMatchObject({ type: 'syntax', line: 1 })
  })

  test('rejects before and after: not checked, and only a new problem is a hint', async () => {
    const same = await report(path, bad, bad)
    expect(same).toMatchObject({ valid: true, checked: false, problems: [], hints: [] })
  })

  test('is not asked twice when it accepts', async () => {
    let asked = 0
    const counting = {
      check: (...question: Parameters<typeof syntax.check>) => {
        asked += 1
        return syntax.check(...question)
      },
    }
    await validateFile({ path, text: good, before: bad }, { syntax: counting })
    expect(asked).toBe(1)
  })
})

test('a fence in the middle of code is named instead of what the parser stumbled over', async () => {
  const text = 'package a\n\n```\nThis adds a package.\n'
  expect((await report('a.go', text)).problems).toMatchObject([{ type: 'stray_fence', line: 3 }])
})

test.each([
  ['a.kt', 'fun f() {}\n\nThis keeps `f` as it was.\n'],
  ['a.cs', 'class A {}\n\nThis adds the class A.\n'],
  ['a.swift', 'struct A {}\n\nThe struct A (see above) is new.\n'],
])('prose behind the code is wrong in a new file, too: %s', async (path, text) => {
  expect((await report(path, text)).problems).toMatchObject([{ type: 'trailing_prose', line: 3 }])
})

describe('SQL', () => {
  test('that is evidently PostgreSQL is sure without a text before', async () => {
    const text = 'CREATE TABLE a (id bigserial, at timestamptz,);\n'
    expect(await report('a.sql', text)).toMatchObject({ valid: false, checked: true })
  })

  test.each([
    ['MySQL', 'CREATE TABLE `a` (id INT AUTO_INCREMENT) ENGINE=InnoDB;\n'],
    ['MySQL’s client', 'DELIMITER //\nSELECT 1//\n'],
    ['SQLite', 'PRAGMA foreign_keys = ON;\nINSERT OR REPLACE INTO a VALUES (1);\n'],
    ['T-SQL', 'SELECT TOP 10 * FROM [dbo].[users]\nGO\n'],
    ['Oracle', 'SELECT SYSDATE FROM DUAL\n/\n'],
    ['a template', 'SELECT * FROM {{ ref("a") }}\n'],
    ['named parameters', 'SELECT * FROM a WHERE id = :id AND b = ?\n'],
  ])('of another kind is not checked: %s', async (_name, text) => {
    const before = 'SELECT 1;\n'
    expect(await report('a.sql', text, before)).toEqual({
      path: 'a.sql',
      language: 'sql',
      valid: true,
      checked: false,
      problems: [],
      hints: [],
    })
  })

  test.each([
    ['no verb', 'SELEC id FRM users;\n'],
    ['two commas', 'CREATE TABLE a (id INT,, name TEXT);\n'],
    ['an open bracket', 'INSERT INTO a (id VALUES (1);\n'],
    ['prose', 'CREATE TABLE a (id INT);\n\nThis adds the table.\n'],
  ])('of no kind at all is wrong in a new file, too: %s', async (_name, text) => {
    expect(await report('a.sql', text)).toMatchObject({ valid: false, checked: true })
  })

  test.each([
    ['a comma too many for PostgreSQL', 'SELECT a, b, FROM c;\n'],
    ['a procedure', 'CREATE PROCEDURE p() BEGIN x = 1; UPDATE a SET b = x; END;\n'],
    ['a verb of another system', 'OPTIMIZE TABLE a FINAL;\nSYSTEM FLUSH LOGS;\n'],
  ])('that another system may read is a doubt in a new file: %s', async (_name, text) => {
    expect(await report('a.sql', text)).toMatchObject({ valid: true, checked: false })
  })

  test('a sign of another kind in a string or comment is none', async () => {
    const text = "-- AUTO_INCREMENT\nSELECT 'PRAGMA `x` {{ }}' /* GO */ FROM a;\n"
    expect(await report('a.sql', text)).toMatchObject({ valid: true, checked: true })
  })

  test('psql’s commands and rows of a dump are passed over, lines kept', async () => {
    const dump = "\\connect app\nCOPY a (b) FROM stdin;\n1\tit's (\n\\.\n"
    expect(await report('a.sql', `${dump}SELECT 1;\n`)).toMatchObject({
      valid: true,
      checked: true,
    })
    const { problems } = await report('a.sql', `${dump}SELECT (1;\n`)
    expect(problems[0]).toMatchObject({ line: 5 })
  })
})

describe('headers', () => {
  test('may be C++, or open a linkage block', async () => {
    const both =
      '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n'
    expect(await report('a.h', both)).toMatchObject({ valid: true, checked: true })
    const cpp = 'namespace a { template <class T> struct B { T x; }; }\n'
    expect(await report('a.h', cpp, 'int x;\n')).toMatchObject({ valid: true, checked: true })
    expect(await report('a.h', '@interface A\n@end\n', 'int x;\n')).toMatchObject({
      valid: true,
      checked: false,
    })
  })
})

describe('conditions of a preprocessor', () => {
  const eitherWay = (open: string, start = '', end = '') =>
    `${start}${open}\n${'  '}one(); if (a) {\n#else\n  if (b) {\n#endif\n  }\n${end}`

  test.each([
    ['a.c', eitherWay('#ifdef A', 'void f(void) {\n', '}\n')],
    ['a.cpp', eitherWay('#if A > 1', 'void f() {\n', '}\n')],
    ['a.cs', eitherWay('#if NET8_0', 'class A { void F() {\n', '} }\n')],
    ['a.c', 'void f(void) {\n#if A\n  g(\n#elif B\n  h(\n#else\n  i(\n#endif\n  1);\n}\n'],
    ['a.c', 'int a;\n#ifdef A\n}}} not C at all (\n#else\nint b;\n#endif\n'],
    ['a.c', '#if defined(A) && \\\n  (B > 1)\nint a(\n#else\nint b(\n#endif\n  void);\n'],
    [
      'a.c',
      'int API_CALL f(void);\nBEGIN_DECLS\nvoid MY_API *g(int);\nPRAGMA_IT("x")\nint h(void);\n',
    ],
    ['a.kts', 'import java.util.Properties\nimport a.b.*\n\nval x = 1\n'],
    ['a.swift', 'func f() {\n  #if os(iOS)\n  g()\n  #else\n  h()\n  #endif\n}\n'],
    [
      'a.swift',
      'func f(_ a: sending A) {\n  if #available(iOS 14, *) { print("\\(#function)") }\n}\n',
    ],
  ])('%s is read where one branch of each can be: %j', async (path, text) => {
    expect(await report(path, text)).toMatchObject({ valid: true, checked: true, hints: [] })
  })

  test.each([
    ['a.c', '#ifdef A\nint a;\n', 'int a;\n'],
    ['a.c', '#ifdef A\nint a\n#else\nint b\n#endif\n', 'int a;\n'],
    ['a.cs', '#if A\nclass B {\n#endif\n', 'class A {}\n'],
  ])('%s with a mistake is not valid: %j', async (path, text, before) => {
    const { valid, problems } = await report(path, text, before)
    expect(valid).toBe(false)
    expect(problems[0]?.line).toBeLessThanOrEqual(text.split('\n').length)
  })
})

describe('hints', () => {
  test('of a page make nothing invalid', async () => {
    const page = '<!doctype html>\n<p id="a" id="b">\n<span class="x>text</span>\n'
    const { valid, checked, hints } = await report('a.html', page)
    expect({ valid, checked }).toEqual({ valid: true, checked: false })
    expect(hints[0]).toMatchObject({ line: 2, message: 'This attribute is given twice.' })
    expect(await report('a.html', '<!doctype html>\n<p>fine\n')).toMatchObject({
      valid: true,
      checked: true,
      hints: [],
    })
  })

  test.each([
    ['an open fence', '# A\n\n```sh\nls\n', [['unclosed_fence', 3]]],
    ['an open fence of tildes', '~~~\n```\n```\n', [['unclosed_fence', 1]]],
    ['an example that does not parse', 'a\n\n```js\nf()\nconst = 1\n```\n', [['example', 5]]],
    ['an example of Python', '```py\ndef f(:\n```\n', [['example', 2]]],
    [
      'two of them',
      '```json\n{a}\n```\n```yaml\na: [\n```\n',
      [
        ['example', 2],
        ['example', 5],
      ],
    ],
  ])('of a document: %s', async (_name, text, expected) => {
    const { valid, hints } = await report('README.md', text)
    expect(valid).toBe(true)
    expect(hints.map(({ type, line }) => [type, line])).toEqual(expected)
  })

  test.each([
    '```js\nconst a = 1\n```\n',
    '````md\n```js\nconst =\n````\n',
    '```js\nfunction f() {\n  // ...\n```\n',
    '```python\n>>> 1 +\n```\n',
    '```sh\n$ if\n```\n',
    '```unheard-of\n(\n```\n',
    'inline ``` is no fence ```\n',
    '    ```js\n',
    '```constructor\n(\n```\n',
  ])('not of a fine document: %j', async (text) => {
    expect(await report('README.md', text)).toMatchObject({ valid: true, hints: [] })
  })

  test('only of what a change brought in', async () => {
    const old = '```js\nconst = 1\n```\n'
    const { hints } = await report('README.md', `# A\n${old}\n\`\`\`json\n{,}\n\`\`\`\n`, old)
    expect(hints.map(({ line }) => line)).toEqual([7])
  })
})

test.each([
  'macro_rules! m {\n    ($a:ident, $) => { 1 };\n    [...] => { 2 };\n}\n',
  'fn f() -> Result<u8, E> { let x = try!(g()); Ok(x) }\n',
  'struct A\nwhere\n    E: Send + Sync;\n',
  'fn f(a: A) {\n    match a {\n        A {\n            #[cfg(x)]\n            b: c::D(e),\n        } => e,\n    }\n}\n',
])('valid Rust is valid: %j', async (text) => {
  expect(await report('a.rs', text)).toMatchObject({ valid: true, checked: true })
})

test.each([
  ['macro_rules! m { ($) => { 1 } }\nfn f() { let = 1; }\n', 2],
  ['macro_rules! m {\n    ($) => { 1 };\nfn f() {}\n', 2],
  ['fn f() { let x = try!(g(); }\n', 1],
])('invalid Rust is invalid, even next to an exception: %j', async (text, line) => {
  const { valid, problems } = await report('a.rs', text)
  expect({ valid, line: problems[0]?.line }).toEqual({ valid: false, line })
})
