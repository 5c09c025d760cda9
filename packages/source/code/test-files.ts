import { posix } from 'node:path'
import { type MaskedLanguage, maskText } from './mask.ts'

const named =
  /^(?:test_.*|conftest)\.pyi?$|[._-](?:tests?|specs?)\.\w+$|[._-](?:e2e|cy)\.[cm]?[jt]sx?$|(?:Tests?|Spec|TestCase|IT)\.(?:java|kts?|cs|swift|php|scala|groovy|cpp|cc)$|^tests?(?:[-_.A-Z\d][^/]*)?\.[cm]?[jt]sx?$|^test[^/]*\.(?:py|c|cc|cpp|rb|php)$|\.bats$/
const folder = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|cypress|unit|integration)\//i
/** Files that may contain code of a language whose tests we recognize. */
export const codeFile =
  /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kts?|scala|groovy|cs|rb|php|swift|c|cc|cxx|cpp|h|hpp|bats)$/i

/**
 * Returns true for a file whose tests or assertions count, or may replace those of another.
 *
 * @param texts of the file, before or after a change: Rust's unit tests are next to the code
 */
export function isTestFile(path: string, ...texts: readonly string[]): boolean {
  if (!codeFile.test(path) || /(?:^|\/)(?:node_modules|vendor|dist|build)\//.test(path))
    return false
  if (named.test(posix.basename(path)) || folder.test(path)) return true
  return path.endsWith('.rs') && texts.some((text) => text.includes('#[test]'))
}

const besideTests =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|__snapshots__|__mocks__)\//i

/** Returns true for a file that tests may need besides themselves. */
export const isBesideTests = (path: string): boolean => besideTests.test(path)

/** Files that say how tests run. */
export const testSettings =
  /(?:^|\/)(?:package\.json|(?:jest|vitest|vite|playwright|cypress|karma|ava|wtr|web-test-runner)(?:\.[\w-]+)*\.[cm]?[jt]s(?:on)?|vitest\.workspace\.\w+|\.mocharc(?:\.\w+)?|\.nycrc(?:\.json)?|\.c8rc(?:\.json)?|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|noxfile\.py|conftest\.py|\.coveragerc|phpunit\.xml(?:\.dist)?|\.rspec|\.simplecov|codecov\.ya?ml|\.codecov\.ya?ml|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|Rakefile|[Mm]akefile|GNUmakefile|[Jj]ustfile|Taskfile\.ya?ml)$|(?:^|\/)(?:scripts?|bin|ci)\/[^/]*(?:test|check|ci)[^/]*$/
/** Code that runs before tests or that they share. */
const setUp =
  /(?:^|\/)(?:__mocks__|fixtures?|helpers?|plugins|support)\/|(?:^|\/)(?:build\.rs|__\w+__\.py|(?:site|user)customize\.py|(?:TestCase|Pest)\.php|[\w.-]*\.gradle\.kts|[\w-]+\.conf(?:ig)?\.\w+|[\w.-]*(?:set[-_]?up|tear[-_]?down|bootstrap|helpers?)(?:[._-]?(?:tests?|spec))?\.\w+)$/i

/** Returns true for a name under which a new file holds tests and decides nothing about others. */
export const isPlainTest = (path: string): boolean =>
  isTestFile(path) && !testSettings.test(path) && !setUp.test(path) && !/(?:^|\/)\./.test(path)

/** `src/user.ts`, `user.test.ts`, `test_user.py`, `UserTest.java` → `user`. */
function subjectOf(path: string): string {
  const name = posix.basename(path).replace(/(\.d)?\.\w+$/, '')
  const bare = name.replace(/^test_/, '').replace(/(?:[._-](?:test|tests|spec)|Tests?|Spec)$/, '')
  return (bare === '' ? name : bare).toLowerCase()
}

/** The tests of a file, or the file that a test tests: same subject, nearest first. */
export function counterparts(path: string, paths: readonly string[]): readonly string[] {
  const subject = subjectOf(path)
  const wantTest = !isTestFile(path)
  const isOne = (other: string) =>
    other !== path && isTestFile(other) === wantTest && subjectOf(other) === subject
  return nearestFirst(path, paths.filter(isOne))
}

/** An existing test as an example of style, for a new test when no other test is shown. */
export function exampleTest(
  fresh: readonly string[],
  shown: readonly { readonly path: string }[],
  paths: readonly string[],
): readonly string[] {
  const wanted = fresh.find((path) => isTestFile(path))
  if (wanted === undefined || shown.some(({ path }) => isTestFile(path))) return []
  return nearestFirst(
    wanted,
    paths.filter((path) => isTestFile(path)),
  ).slice(0, 1)
}

/** The same for languages that share their tests: `.ts` and `.js`, Kotlin and Java. */
export const languageFamily = (path: string): string =>
  posix
    .extname(path)
    .toLowerCase()
    .replace(/^\.[mc]?[jt]sx?$/, '.js')
    .replace(/^\.pyi$/, '.py')
    .replace(/^\.(?:kts?|scala|groovy)$/, '.java')
    .replace(/^\.(?:cc|cxx|cpp|h|hpp)$/, '.c')

/** Sorts files of the same family (`.ts` with `.js`, but not with `.py`), nearest first. */
function nearestFirst(path: string, others: readonly string[]): readonly string[] {
  return others
    .filter((other) => languageFamily(other) === languageFamily(path))
    .sort((a, b) => sharedFolders(b, path) - sharedFolders(a, path) || a.length - b.length)
}

/** Counts the folder names that two paths share. */
export function sharedFolders(a: string, b: string): number {
  const folders = new Set(posix.dirname(a).split('/'))
  return posix
    .dirname(b)
    .split('/')
    .filter((folder) => folders.has(folder)).length
}

/** What a task calls tests, as the source of a regular expression. */
export const testWord = String.raw`(?:tests?|specs?|test suites?|test cases?|snapshots?|expectations?|assertions?|coverage)\b`

const anyTestWord = new RegExp(String.raw`\b${testWord}`, 'i')

/** Returns true when a text speaks of tests. */
export const isAboutTests = (text: string): boolean => anyTestWord.test(text)

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
