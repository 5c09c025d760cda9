import { type MaskedLanguage, maskText } from './mask.ts'

/**
 * How a language without a parser here writes its tests. Patterns see masked text and bound their
 * repetitions: a file of nothing but attributes costs no more than another.
 */
export interface TestLanguage {
  readonly files: RegExp
  readonly mask: MaskedLanguage
  /** A test's declaration; the first group is its name, unless that is a string. */
  readonly test: RegExp
  /** In a test's head (the lines of attributes above it) or its body. */
  readonly skipped: RegExp
  /** The first group is the assertion's name; an opening bracket, if any, follows it. */
  readonly assertion: RegExp
  readonly table: RegExp
}

const never = /(?!)/
const loop = /\b(?:for|foreach|while)\b|\.forEach\b|\.each\b/

export const testLanguages: readonly TestLanguage[] = [
  {
    // For syntax that the parser does not know.
    files: /\.py$/,
    mask: 'python',
    test: /^[ \t]*(?:async[ \t]+)?def (test\w*)/gm,
    skipped: /@[\w.]*\b(?:skip\w*|xfail|expectedFailure)\b|\bpytest\.skip\(|\.skipTest\(/,
    assertion: /\b(assert\w*|raises|warns)\b/g,
    table: /\bparametri[sz]e\b|\bsubTest\b/,
  },
  {
    files: /\.go$/,
    mask: 'script',
    test: /^func (Test\w+|Fuzz\w+|Example\w*)\s*\(/gm,
    skipped: /\bt\.Skip(?:f|Now)?\s*\(/,
    assertion:
      /\b(?:t\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow)|(?:assert|require|is|qt|cmp)\.(\w+))(?=\s*\()/g,
    table: loop,
  },
  {
    files: /\.rs$/,
    mask: 'script',
    test: /#\[(?:\w+::)?(?:test|rstest|test_case)\b[^\]\n]{0,200}\](?:\s*#\[[^\]\n]{0,200}\]){0,20}\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g,
    skipped: /#\[ignore\b/,
    assertion: /\b((?:debug_)?assert\w*|panic|unreachable)!|#\[(should_panic)/g,
    table: /#\[(?:rstest|case|test_case)/,
  },
  {
    files: /\.(?:java|kts?|scala|groovy)$/,
    mask: 'script',
    test: /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b(?:\([^)]{0,200}\))?(?:\s*@\w+(?:\([^)]{0,300}\))?){0,20}\s+(?:(?:public|private|internal|final|void|suspend|fun|static)\s+){0,8}(?:[\w<>[\]]+\s+)?(`[^`]{0,200}`|\w+)\s*\(/g,
    skipped: /@(?:Disabled|Ignore|Ignored)\b|\bassumeTrue\s*\(\s*false\b/,
    assertion: /\b(assert\w*|verify|expect\w*|fail|should\w*)\b/g,
    table: /@ParameterizedTest|@ValueSource|@MethodSource|@CsvSource/,
  },
  {
    files: /\.cs$/,
    mask: 'script',
    test: /\[(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b[^\]\n]{0,300}\](?:\s*\[[^\]\n]{0,300}\]){0,20}\s+(?:(?:public|private|async|static|void)\s+){0,8}(?:[\w<>]+\s+)?(\w+)\s*\(/g,
    skipped: /\[Ignore\b|\bSkip\s*=|Assert\.(?:Ignore|Inconclusive)\s*\(/,
    assertion: /\b(?:Assert\.(\w+)|Should\w*\(\)\.\w+)/g,
    table: /\[(?:Theory|InlineData|TestCase|DataRow)\b/,
  },
  {
    files: /\.rb$/,
    mask: 'python',
    test: /^[ \t]*(?:def (test_\w+[?!]?)|(?:it|specify|test|scenario|example|xit|pending|fit)\b[ (]*(?=["']|\{|do\b))/gm,
    skipped: /^[ \t]*(?:xit|pending|skip)\b/m,
    assertion: /(?<![\w.])(?:(assert\w*|refute\w*)|expect)\b|\.(must_\w+|wont_\w+|should)\b/g,
    table: /\.each\b/,
  },
  {
    files: /\.php$/,
    mask: 'script',
    test: /\bfunction\s+(test\w+)\s*\(|^[ \t]*(?:it|test)\s*(?=\()/gm,
    skipped: /markTestSkipped|markTestIncomplete|->skip\s*\(|->todo\s*\(/,
    assertion:
      /(?:\$this->|self::|static::)(assert\w+|expectException\w*)|(?<![\w>])(expect)\s*(?=\()/g,
    table: /@dataProvider|#\[DataProvider|->with\s*\(/,
  },
  {
    files: /\.swift$/,
    mask: 'script',
    test: /\bfunc\s+(test\w+)\s*\(|@Test\b[^\n]{0,200}\s+func\s+(\w+)/g,
    skipped: /XCTSkip|\.disabled\b/,
    assertion: /\b(XCT\w+)\s*(?=\()|#(expect|require)\b/g,
    table: loop,
  },
  {
    files: /\.[ch]$/,
    mask: 'script',
    test: /^(?:static\s+)?(?:void|int)\s+(test_?\w+)\s*\(/gm,
    skipped: /\b(?:TEST_IGNORE\w*|GTEST_SKIP)\b/,
    assertion: /\b(assert\w*|TEST_ASSERT\w*|ck_assert\w*|CU_ASSERT\w*)\s*(?=\()/g,
    table: loop,
  },
  {
    files: /\.(?:cpp|cc|cxx|hpp)$/,
    mask: 'script',
    test: /\b(?:TEST(?:_F|_P)?|TYPED_TEST|TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE)\s*\(\s*([^)\n]{0,200})\)/g,
    skipped: /\bGTEST_SKIP\b|DISABLED_\w+|\bSKIP\s*\(/,
    assertion: /\b((?:ASSERT|EXPECT|CHECK|REQUIRE|BOOST_CHECK|BOOST_REQUIRE)\w*|assert)\s*(?=\()/g,
    table: loop,
  },
  {
    files: /\.bats$/,
    mask: 'python',
    test: /^@test\b/gm,
    skipped: /^[ \t]*skip\b/m,
    assertion: /^[ \t]*(?:\[\[?|(assert\w*|refute\w*|run)\b)/gm,
    table: never,
  },
]

const script = /\.[cm]?[jt]sx?$/i
const scriptTest =
  /(?<![\w$.])(?:(?:t|ctx|QUnit|Deno)\.)?(?:[xf]?(?:it|test|specify|describe)|scenario|suite)(?:\.\w+){0,5}\s*[(`]/

/** Returns true where a text declares a test as its language does, outside of comments and strings. */
export function declaresTest(path: string, text: string): boolean {
  if (script.test(path)) return scriptTest.test(maskText(text, 'script'))
  const language = testLanguages.find(({ files }) => files.test(path))
  return language !== undefined && maskText(text, language.mask).search(language.test) >= 0
}
