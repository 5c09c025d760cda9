import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findWeakenedTests } from '../../tampering/weakened-tests.ts'
import { kindsIn, modified } from './cases.ts'

/** A test file with two tests, and edits of it. */
interface Language {
  readonly path: string
  readonly text: string
  readonly names: readonly [string, string]
  readonly skip: (text: string) => string
  readonly weaken: (text: string) => string
  readonly cut: (text: string) => string
}

const languages: Readonly<Record<string, Language>> = {
  Go: {
    path: 'sum_test.go',
    text: 'package sum\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n\nfunc TestTake(t *testing.T) {\n\tassert.Equal(t, Take(3, 2), 1)\n}\n',
    names: ['TestAdd', 'TestTake'],
    skip: (text) => text.replace('\tassert', '\tt.Skip("later")\n\tassert'),
    weaken: (text) =>
      text.replace('assert.Equal(t, Take(3, 2), 1)', 'assert.NotNil(t, Take(3, 2))'),
    cut: (text) => text.slice(0, text.indexOf('func TestTake')),
  },
  Rust: {
    path: 'src/sum.rs',
    text: '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n\n    #[test]\n    fn takes() {\n        assert_eq!(take(3, 2), 1);\n    }\n}\n',
    names: ['adds', 'takes'],
    skip: (text) => text.replace('    fn takes', '    #[ignore]\n    fn takes'),
    weaken: (text) => text.replace('assert_eq!(take(3, 2), 1)', 'assert!(take(3, 2).is_some())'),
    cut: (text) => `${text.slice(0, text.lastIndexOf('    #[test]'))}}\n`,
  },
  Java: {
    path: 'src/test/java/SumTest.java',
    text: 'class SumTest {\n  @Test\n  void adds() {\n    assertEquals(3, Sum.add(1, 2));\n  }\n\n  @Test\n  void takes() {\n    assertEquals(1, Sum.take(3, 2));\n  }\n}\n',
    names: ['adds', 'takes'],
    skip: (text) => text.replace('  @Test\n  void takes', '  @Disabled\n  @Test\n  void takes'),
    weaken: (text) =>
      text.replace('assertEquals(1, Sum.take(3, 2))', 'assertNotNull(Sum.take(3, 2))'),
    cut: (text) => `${text.slice(0, text.lastIndexOf('  @Test'))}}\n`,
  },
  Kotlin: {
    path: 'src/test/kotlin/SumTest.kt',
    text: 'class SumTest {\n  @Test\n  fun `adds two`() {\n    assertEquals(3, add(1, 2))\n  }\n\n  @Test\n  fun takes() {\n    assertEquals(1, take(3, 2))\n  }\n}\n',
    names: ['adds two', 'takes'],
    skip: (text) => text.replace('  @Test\n  fun takes', '  @Ignore\n  @Test\n  fun takes'),
    weaken: (text) => text.replace('assertEquals(1, take(3, 2))', 'assertTrue(true)'),
    cut: (text) => `${text.slice(0, text.lastIndexOf('  @Test'))}}\n`,
  },
  Ruby: {
    path: 'spec/sum_spec.rb',
    text: "describe Sum do\n  it 'adds' do\n    expect(Sum.add(1, 2)).to eq(3)\n  end\n\n  it 'takes' do\n    expect(Sum.take(3, 2)).to eq(1)\n  end\nend\n",
    names: ['adds', 'takes'],
    skip: (text) => text.replace("  it 'takes'", "  xit 'takes'"),
    weaken: (text) =>
      text.replace('expect(Sum.take(3, 2)).to eq(1)', 'expect(Sum.take(3, 2)).to be_truthy'),
    cut: (text) => `${text.slice(0, text.indexOf("  it 'takes'"))}end\n`,
  },
  minitest: {
    path: 'test/sum_test.rb',
    text: 'class SumTest < Minitest::Test\n  def test_adds\n    assert_equal 3, Sum.add(1, 2)\n  end\n\n  def test_takes\n    assert_equal 1, Sum.take(3, 2)\n  end\nend\n',
    names: ['test_adds', 'test_takes'],
    skip: (text) => text.replace('    assert_equal 1', '    skip\n    assert_equal 1'),
    weaken: (text) => text.replace('assert_equal 1, Sum.take(3, 2)', 'assert Sum.take(3, 2)'),
    cut: (text) => `${text.slice(0, text.indexOf('  def test_takes'))}end\n`,
  },
  PHP: {
    path: 'tests/SumTest.php',
    text: '<?php\nclass SumTest extends TestCase {\n  public function testAdds() {\n    $this->assertSame(3, add(1, 2));\n  }\n\n  public function testTakes() {\n    $this->assertSame(1, take(3, 2));\n  }\n}\n',
    names: ['testAdds', 'testTakes'],
    skip: (text) =>
      text.replace(
        '    $this->assertSame(1',
        "    $this->markTestSkipped('x');\n    $this->assertSame(1",
      ),
    weaken: (text) => text.replace('assertSame(1, take(3, 2))', 'assertNotNull(take(3, 2))'),
    cut: (text) => `${text.slice(0, text.indexOf('  public function testTakes'))}}\n`,
  },
  'C#': {
    path: 'Tests/SumTests.cs',
    text: 'public class SumTests {\n  [Fact]\n  public void Adds() {\n    Assert.Equal(3, Sum.Add(1, 2));\n  }\n\n  [Fact]\n  public void Takes() {\n    Assert.Equal(1, Sum.Take(3, 2));\n  }\n}\n',
    names: ['Adds', 'Takes'],
    skip: (text) =>
      text.replace('  [Fact]\n  public void Takes', '  [Fact(Skip = "x")]\n  public void Takes'),
    weaken: (text) =>
      text.replace('Assert.Equal(1, Sum.Take(3, 2))', 'Assert.NotNull(Sum.Take(3, 2))'),
    cut: (text) => `${text.slice(0, text.lastIndexOf('  [Fact]'))}}\n`,
  },
  'C++': {
    path: 'test/sum_test.cpp',
    text: 'TEST(Sum, Adds) {\n  EXPECT_EQ(3, add(1, 2));\n}\n\nTEST(Sum, Takes) {\n  EXPECT_EQ(1, take(3, 2));\n}\n',
    names: ['Sum,Adds', 'Sum,Takes'],
    skip: (text) => text.replace('  EXPECT_EQ(1', '  GTEST_SKIP();\n  EXPECT_EQ(1'),
    weaken: (text) => text.replace('EXPECT_EQ(1, take(3, 2))', 'EXPECT_TRUE(true)'),
    cut: (text) => text.slice(0, text.indexOf('TEST(Sum, Takes)')),
  },
}

describe.each(Object.entries(languages))('in %s', (_, { path, text, names, skip, weaken, cut }) => {
  const kinds = (after: string) => kindsIn(modified(path, text, after))
  const [first, second] = names

  it('finds a test skipped, weakened, emptied or deleted', async () => {
    expect(await kinds(skip(text))).toEqual([`skipped ${second}`])
    expect(await kinds(weaken(text))).toEqual([`weakened ${second}`])
    expect(await kinds(cut(text))).toEqual([`deleted ${second}`])
  })

  it('is quiet about tests that are added, renamed or made stronger', async () => {
    expect(await findWeakenedTests(modified(path, cut(text), text))).toEqual([])
    expect(await findWeakenedTests(modified(path, weaken(text), text))).toEqual([])
    expect(await findWeakenedTests(modified(path, skip(text), text))).toEqual([])
    const renamed = first.replace(/adds?/i, (word) => `${word}TwoOfThem`)
    expect(await findWeakenedTests(modified(path, text, text.replace(first, renamed)))).toEqual([])
    expect(await findWeakenedTests(modified(path, text, text.replaceAll('\n', '\r\n')))).toEqual([])
  })
})

const hostile: readonly string[] = [
  '',
  '\ufeff',
  '\0\u0001',
  '('.repeat(20_000),
  "it('".repeat(5_000),
  '@Test '.repeat(20_000),
  '[Fact]'.repeat(20_000),
  '#[test]'.repeat(20_000),
  'expect(a).toBe('.repeat(3_000),
  `${'a.'.repeat(20_000)}b`,
  'def test_a():\n'.repeat(3_000),
  'if x:\n '.repeat(3_000),
  'x'.repeat(1_100_000),
]

it.each([
  'a.test.ts',
  'test_a.py',
  'a_test.go',
  'tests/a.rs',
  'ATest.java',
  'ATests.cs',
  'a_spec.rb',
  'ATest.php',
  'a_test.cpp',
  'package.json',
  'a.snap',
  'pytest.ini',
])('reads any text of %s', async (path) => {
  for (const text of hostile) {
    await expect(findWeakenedTests(modified(path, text, ''))).resolves.toBeDefined()
    await expect(findWeakenedTests(modified(path, '', text))).resolves.toEqual([])
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      expect(await findWeakenedTests(modified(path, text, text))).toEqual([])
    }),
    { numRuns: 30 },
  )
})
