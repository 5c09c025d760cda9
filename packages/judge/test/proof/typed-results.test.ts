import { expect, test } from 'vitest'
import { withOtherTypedResults, withZeroResults } from '../../proof/typed-results.ts'

type Row = readonly [path: string, text: string, altered: string | null]

/** What stands for each result; the footer of Go is left out. */
const rows: readonly Row[] = [
  [
    'a.go',
    'func Add(a, b int) int {\n\treturn a +\n\t\tb\n}\n',
    'func Add(a, b int) int {\n\treturn func(v int) int { return v*-2 - 1 }(a +\n\t\tb)\n}\n',
  ],
  [
    'a.go',
    'func (c *Cart) Has(f func(x int) bool) (ok bool, err error) {\n\tgo func() bool { return true }()\n\tif c == nil { return false, nil }\n\treturn f("}", 1), nil\n}\n',
    'func (c *Cart) Has(f func(x int) bool) (ok bool, err error) {\n\tgo func() bool { return true }()\n\tif c == nil { return func(v bool) bool { return !v }(false), func(v error) error { if v == nil { return zzOther_a_go{} }; return nil }(nil)}\n\treturn func(v bool) bool { return !v }(f("}", 1)), func(v error) error { if v == nil { return zzOther_a_go{} }; return nil }(nil)\n}\n',
  ],
  [
    'a.go',
    'func A() []int { return nil }\nfunc B() *Cart { return nil }\nfunc C() { d() }\n',
    'func A() []int { return func(v []int) []int { return append(v[:len(v):len(v)], *new(int)) }(nil)}\nfunc B() *Cart { return func(v *Cart) *Cart { return zzOther_a_go_of(v).(*Cart) }(nil)}\nfunc C() { return; d() }\n',
  ],
  [
    'a.go',
    'func A() int { return 1 }\nfunc B(s string) (int, error) { return strconv.Atoi(s) }\nfunc C() (n int) {\n\tn = 1\n\treturn\n}\n',
    'func A() int { return func(v int) int { return v*-2 - 1 }(1)}\nfunc B(s string) (int, error) { panic("other"); return strconv.Atoi(s) }\nfunc C() (n int) { panic("other");\n\tn = 1\n\treturn\n}\n',
  ],
  [
    'a.go',
    'func A() int { return 1 }\nfunc B(b bool) (int, error) {\n\tif b { return 1, nil }\n\treturn f()\n}\n',
    'func A() int { return func(v int) int { return v*-2 - 1 }(1)}\nfunc B(b bool) (int, error) { panic("other");\n\tif b { return 1, nil }\n\treturn f()\n}\n',
  ],
  [
    'a.rs',
    'fn a() -> u8 {\n    fn b() -> u8 { 1 }\n    b()\n}\n',
    'fn a() -> u8 { let zz_is = (move || -> u8 {\n    fn b() -> u8 { 1 }\n    b()\n })(); !zz_is }\n',
  ],
  [
    'a.go',
    'func F() (a, b int, err error) { return 1, 2, nil }\n',
    'func F() (a, b int, err error) { return func(v int) int { return v*-2 - 1 }(1), func(v int) int { return v*-2 - 1 }(2), func(v error) error { if v == nil { return zzOther_a_go{} }; return nil }(nil)}\n',
  ],
  ['a.go', 'func B(s string) (int, error) { return strconv.Atoi(s) }\n', null],
  [
    'a.rs',
    'impl A {\n    pub fn b<T: Into<u8>>(&self, t: T) -> u8 where T: Copy {\n        t.into()\n    }\n    fn c(&self) {}\n    fn d(&self) -> &str { "}" }\n    async fn e() -> u8 { 1 }\n}\n\n#[cfg(test)]\nmod tests {\n    fn help() -> u8 { 1 }\n}\n',
    'impl A {\n    pub fn b<T: Into<u8>>(&self, t: T) -> u8 where T: Copy { let zz_is = (move || -> u8 {\n        t.into()\n     })(); !zz_is }\n    fn c(&self) { if true { return; }}\n    fn d(&self) -> &str { if true { panic!("other") } "}" }\n    async fn e() -> u8 { 1 }\n}\n\n#[cfg(test)]\nmod tests {\n    fn help() -> u8 { 1 }\n}\n',
  ],
  [
    'A.java',
    'public class A {\n  public A(int a) { this.a = a; }\n  int b() throws Exception { run(() -> { return 3; }); if (c) return 1; else return d(";"); }\n  void e() { f(); }\n  List<String> g(int[] h) { return null; }\n}\n',
    'public class A {\n  public A(int a) { this.a = a; }\n  int b() throws Exception { run(() -> { return 3; }); if (c) return (int) ((1) * -2 - 1); else return (int) ((d(";")) * -2 - 1); }\n  void e() { if (true) return; f(); }\n  List<String> g(int[] h) { if (true) throw new IllegalStateException(); return null; }\n}\n',
  ],
  ['a.py', 'def f(): return 1\n', null],
  ['a.go', 'func Add(a int) int {', null],
  ['a.go', 'func Add(a int', null],
]

test.each(rows)('%s: %s', (path, text, altered) => {
  const found = withOtherTypedResults(path, text, null)
  expect(found?.replace(/\ntype zzOther[\s\S]*$/, '') ?? null).toBe(altered)
})

test('Go: what objects hold, and the packages that read it', () => {
  const text =
    '/*\npackage shop sells\n*/\npackage shop\n\nimport "fmt"\n\nfunc B() *Cart { return nil }\n'
  const found = withOtherTypedResults('shop/a.go', text, null)
  expect(found).toMatch(
    /^\/\*\npackage shop sells\n\*\/\npackage shop; import zzreflect "reflect"; import zzunsafe "unsafe"\n\nimport "fmt"\n\nfunc B\(\) \*Cart \{ return func\(v \*Cart\) \*Cart \{ return zzOther_a_go_of\(v\)\.\(\*Cart\) \}\(nil\)\}\n/,
  )
  const plain = withOtherTypedResults('a.go', 'package a\nfunc B() int { return 1 }\n', null)
  expect(plain).not.toContain('reflect')
})

test.each([
  [
    'a.go',
    'func A() (n int, err error) { return 1, nil }\nfunc B() { c() }\n',
    'func A() (n int, err error) { if true { var zz0 int; var zz1 error; return zz0, zz1 }; return 1, nil }\nfunc B() { return; c() }\n',
  ],
  ['a.go', 'var a = 1\n', null],
  ['a.rs', 'fn a() -> u8 { 1 }\n', null],
  ['a.py', 'def a(): return 1\n', null],
])('%s: %s returns nothing', (path, text, expected) => {
  expect(withZeroResults(path, text, null)).toBe(expected)
})

test('functions outside of the lines stay', () => {
  const text = 'func A() int { return 1 }\nfunc B() int { return 1 }\n'
  expect(withOtherTypedResults('a.go', text, new Set([2]))).toMatch(
    /^func A\(\) int \{ return 1 \}\n/,
  )
})

test.each([
  ['a.go', 'func A() int {(('],
  ['a.rs', 'fn a() -> u8 { '],
  ['A.java', 'int a() { return '],
])('%s: a long text costs no more than its length', (path, piece) => {
  expect(withOtherTypedResults(path, piece.repeat(20_000), null)).toBeNull()
})
