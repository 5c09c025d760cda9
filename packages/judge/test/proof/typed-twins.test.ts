import { expect, test } from 'vitest'
import { makeTypedTwin } from '../../proof/typed-twins.ts'

/** The altered lines of the twin, apart from the tests' names; `null` without a twin. */
function alteredIn(path: string, text: string): readonly string[] | null {
  const twin = makeTypedTwin(path, text, 'mark')
  if (twin === null) return null
  const [old, now] = [text, twin.text.replace(/_mark_\d+_/g, '')].map((each) => each.split('\n'))
  const lines = now?.filter((line, index) => line !== old?.[index]).map((line) => line.trim())
  expect(twin.altered.map(({ line }) => now?.[line - 1]?.trim())).toEqual(lines)
  return lines ?? null
}

const rust = (body: string) => `#[test]\nfn adds() {\n    ${body}\n}\n`
const go = (body: string) => `func TestAdd(t *testing.T) {\n\t${body}\n}\n`
const java = (body: string, library = 'org.junit.jupiter.api') =>
  `import ${library}.Test;\nclass ATest {\n  @Test\n  void adds() throws Exception {\n    ${body}\n  }\n}\n`

test.each<[body: string, altered: string | null]>([
  ['assert_eq!(add(1, 2), 3);', 'assert_eq!(add(1, 2), (3 + 1));'],
  ['assert_eq!(3u8, add(1, 2), "why {}", 4);', 'assert_eq!((3u8 + 1), add(1, 2), "why {}", 4);'],
  ['assert_eq!(half(1), 0.5);', 'assert_eq!(half(1), (0.5 + 1.5));'],
  ['assert_eq!(name("}"), "a,b");', 'assert_eq!(name("}"), "a,b~");'],
  ['assert_eq!(is(1), true);', 'assert_eq!(is(1), false);'],
  ['assert_eq!(f(), Some(3));', 'assert_eq!(f(), Some(0));'],
  ['assert_eq!(f(), Money { cents: 3 });', 'assert_eq!(f(), Money { cents: 0 });'],
  ['assert_eq!(f(), money::Money::new(-3));', 'assert_eq!(f(), money::Money::new(0));'],
  ['assert_eq!(f(), vec![1, 2]);', 'assert_eq!(f(), vec![0, 2]);'],
  ['assert_eq!(f(), "a".to_string());', 'assert_eq!(f(), "zz~zz".to_string());'],
  ['assert_eq!(f(), Percent::new(0u8));', 'assert_eq!(f(), Percent::new(1u8));'],
  ['assert_eq!(f(), Ratio::new(0.5));', 'assert_eq!(f(), Ratio::new(1.5));'],
  [
    'assert_eq!(Slug::new("A b").text(), expected);',
    'assert_ne!(Slug::new("A b").text(), expected);',
  ],
  ['let expected = 3;\n    assert_eq!(f(), expected);', 'assert_ne!(f(), expected);'],
  ['assert_eq!(f(), max(1, 2));', 'assert_ne!(f(), max(1, 2));'],
  ['assert_eq!(f(), other);', 'assert_ne!(f(), other);'],
  ['assert_ne!(f(), 3);', 'assert_eq!(f(), 3);'],
  ['assert!(f(1, 2) > 3, "why");', 'assert!(!(f(1, 2) > 3), "why");'],
  ['let a = Money { cents: 3 };\n    assert!(a.is());', 'assert!(!(a.is()));'],
  ['for a in b { assert!(a); }\n    assert!(c);', null],
  ['if a { return; }\n    assert!(c);', null],
  ['run(|| { assert!(a); });', null],
  ['f();', null],
])('Rust: %s', (body, altered) => {
  expect(alteredIn('src/lib.rs', rust(body))).toEqual(altered === null ? null : [altered])
})

test.each<[body: string, altered: string | null]>([
  ['if Add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}', 'if Add(1, 2) != (3 + 1) {'],
  [
    'if got := Add(1, 2); got != 3 {\n\t\tt.Errorf("no")\n\t}',
    'if got := Add(1, 2); got != (3 + 1) {',
  ],
  [
    'if !Total(1, 2).Equal(Money{3}) {\n\t\tt.Fatal("no")\n\t}',
    'if !Total(1, 2).Equal(Money{0}) {',
  ],
  [
    'if !floats.Equal(got, 3.0, 0.001) {\n\t\tt.Fatal("no")\n\t}',
    'if !(!floats.Equal(got, 3.0, 0.001)) {',
  ],
  ['if !got.Equal(want) {\n\t\tt.Fatal("no")\n\t}', 'if !(!got.Equal(want)) {'],
  ['if len(a) == 0 {\n\t\tt.Fatal("no")\n\t}', 'if !(len(a) == 0) {'],
  ['if a != "" {\n\t\tif !b {\n\t\t\tt.Fatal(a)\n\t\t}\n\t}', null],
  [
    'if a != b {\n\t\tfor _, c := range d {\n\t\t\tt.Log(c)\n\t\t}\n\t\tt.Fail()\n\t}',
    'if !(a != b) {',
  ],
  ['if got != want {\n\t\tt.Error(got)\n\t}', 'if !(got != want) {'],
  ['if err := f(); err != nil {\n\t\tt.Fatal(err)\n\t}', 'if err := f(); !(err != nil) {'],
  ['if !reflect.DeepEqual(a, b) {\n\t\tt.Fail()\n\t}', 'if !(!reflect.DeepEqual(a, b)) {'],
  ['if a != 1 || b != 2 {\n\t\tt.Fatal()\n\t}', 'if !(a != 1 || b != 2) {'],
  ['if a != "b" {\n\t\tt.Fatal()\n\t}', 'if a != "b~" {'],
  ['if a {\n\t\tt.Log(1)\n\t}\n\tif b != 1 {\n\t\tt.Fatal()\n\t}', null],
  ['a := f()\n\tassert.Equal(t, 3, a)', 'assert.Equal(t, (3 + 1), a)'],
  ['require.Equal(t, &Money{Cents: 3}, f())', 'require.Equal(t, &Money{Cents: 0}, f())'],
  ['assert.Equal(t, []int{1}, f())', 'assert.Equal(t, []int{0}, f())'],
  ['assert.True(t, f(1))', 'assert.False(t, f(1))'],
  ['require.NoError(t, f(1))', 'require.Error(t, f(1))'],
  ['assert.Equal(t, want, f(1))', null],
  ['for _, each := range rows {\n\t\tassert.True(t, each)\n\t}', null],
  ['t.Skip()\n\tassert.True(t, f(1))', null],
])('Go: %s', (body, altered) => {
  expect(alteredIn('a_test.go', go(body))).toEqual(altered === null ? null : [altered])
})

test.each<[body: string, altered: string | null]>([
  ['assertEquals(3, Sum.add(1, 2));', 'assertEquals((3 + 1), Sum.add(1, 2));'],
  ['Assertions.assertEquals("a", f(1), "why");', 'Assertions.assertEquals("a~", f(1), "why");'],
  ['assertEquals(new Money(3), f());', 'assertEquals(new Money(0), f());'],
  ['assertEquals(List.of("a"), f());', 'assertEquals(List.of("zz~zz"), f());'],
  ['assertEquals(100.0, f(), 5.0);', null],
  ['int expected = 3;\n    assertEquals(4, f(expected));', 'assertEquals((4 + 1), f(expected));'],
  ['assertEquals(Math.max(1, 2), f());', null],
  ['assertTrue(v.equals(new Vec(1, 2), 0.001));', 'assertTrue(!(v.equals(new Vec(1, 2), 0.001)));'],
  [
    'assertTrue(Total.of(1, 2).equals(new Total(3)), "why");',
    'assertTrue(Total.of(1, 2).equals(new Total(0)), "why");',
  ],
  ['assertTrue(f(1), "why");', 'assertTrue(!(f(1)), "why");'],
  ['assertTrue(() -> f(1));', null],
  [
    'var a = f();\n    assertThat(a.b(1)).as("x").isEqualTo(3);',
    'assertThat(a.b(1)).as("x").isEqualTo((3 + 1));',
  ],
  ['for (int a : b) assertTrue(a);\n    assertTrue(c);', null],
])('Java: %s', (body, altered) => {
  expect(alteredIn('src/test/java/ATest.java', java(body))).toEqual(
    altered === null ? null : [altered],
  )
})

test('a message of JUnit 4 comes first', () => {
  const text = java('assertEquals("why", 3, f());', 'org.junit.Assert;\nimport org.junit')
  expect(alteredIn('src/test/java/ATest.java', text)).toEqual([
    'assertEquals("why", (3 + 1), f());',
  ])
})

test.each([
  ['a_test.go', `${go('f()')}\n${go('if a {\n\t\tt.Fatal()\n\t}').replace('Add', 'More')}`, 1],
  [
    'src/lib.rs',
    `${rust('assert!(a);')}\n#[test]\n#[should_panic]\n${rust('assert!(a);').slice(8)}`,
    1,
  ],
  ['src/lib.rs', `${rust('assert!(a);')}\n#[test]\n#[ignore]\n${rust('assert!(a);').slice(8)}`, 1],
  [
    'src/test/java/ATest.java',
    java('assertEquals(3, f());').replace('@Test', '@Test(expected = E.class)'),
    0,
  ],
  ['a.py', 'def test_a():\n    assert a\n', 0],
  ['a_test.go', go('if a {').slice(0, -3), 0],
])('%s: of several tests, those with an assertion that must fail', (path, text, count) => {
  expect(makeTypedTwin(path, text, 'mark')?.altered.length ?? 0).toBe(count)
})

test.each([
  ['a_test.go', 'func TestA(t *testing.T) {(('],
  ['a.rs', '#[test] fn a() { '],
  ['A.java', '@Test void a() { '],
])('%s: a long text costs no more than its length', (path, piece) => {
  expect(makeTypedTwin(path, piece.repeat(20_000), 'mark')).toBeNull()
})
