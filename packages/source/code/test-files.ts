import { posix } from 'node:path'

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
