import { posix } from 'node:path'
import { isOwn, isTestFile, languageOf } from '../../../packages/source/source.ts'

/** The words of a sample task in a language, and where its files go in an empty repository. */
interface SampleLanguage {
  /** The name as people write it. */
  readonly name: string
  readonly manifests: RegExp
  readonly source: string
  readonly test: string
  /** The function that the first task asks for, and the addition in the second. */
  readonly call: string
  readonly more: string
}

/** By the names of `languageOf`; `tsx` counts as `typescript`, `jsx` as `javascript`. */
const languages = {
  javascript: {
    ...{ name: 'JavaScript', manifests: /^package\.json$/ },
    ...{ source: 'src/health.js', test: 'test/health.test.js' },
    ...{ call: "`health()` returns `{ status: 'ok' }`", more: 'the version in `package.json`' },
  },
  typescript: {
    ...{ name: 'TypeScript', manifests: /^tsconfig.*\.json$/ },
    ...{ source: 'src/health.ts', test: 'test/health.test.ts' },
    ...{ call: "`health()` returns `{ status: 'ok' }`", more: 'the version in `package.json`' },
  },
  python: {
    ...{ name: 'Python', manifests: /^(?:pyproject\.toml|setup\.(?:py|cfg)|requirements.*\.txt)$/ },
    ...{ source: 'src/health.py', test: 'tests/test_health.py' },
    ...{ call: '`health()` returns `{"status": "ok"}`', more: "the package's version" },
  },
  go: {
    ...{ name: 'Go', manifests: /^go\.mod$/ },
    ...{ source: 'health.go', test: 'health_test.go' },
    ...{ call: '`Health()` returns `"ok"`', more: 'the version of the module' },
  },
  rust: {
    ...{ name: 'Rust', manifests: /^Cargo\.toml$/ },
    ...{ source: 'src/health.rs', test: 'tests/health.rs' },
    ...{ call: '`health()` returns `"ok"`', more: "the crate's version" },
  },
  java: {
    ...{ name: 'Java', manifests: /^(?:pom\.xml|build\.gradle)$/ },
    ...{ source: 'src/main/java/Health.java', test: 'src/test/java/HealthTest.java' },
    ...{ call: '`Health.check()` returns `"ok"`', more: 'the version of the artifact' },
  },
  kotlin: {
    ...{ name: 'Kotlin', manifests: /^build\.gradle\.kts$/ },
    ...{ source: 'src/main/kotlin/Health.kt', test: 'src/test/kotlin/HealthTest.kt' },
    ...{ call: '`health()` returns `"ok"`', more: 'the version of the artifact' },
  },
  ruby: {
    ...{ name: 'Ruby', manifests: /^(?:Gemfile|.*\.gemspec)$/ },
    ...{ source: 'lib/health.rb', test: 'test/health_test.rb' },
    ...{ call: '`Health.check` returns `{ status: "ok" }`', more: "the gem's version" },
  },
  php: {
    ...{ name: 'PHP', manifests: /^composer\.json$/ },
    ...{ source: 'src/Health.php', test: 'tests/HealthTest.php' },
    ...{ call: "`Health::check()` returns `['status' => 'ok']`", more: "the package's version" },
  },
  csharp: {
    ...{ name: 'C#', manifests: /\.(?:csproj|sln)$/ },
    ...{ source: 'src/Health.cs', test: 'tests/HealthTests.cs' },
    ...{ call: '`Health.Check()` returns `"ok"`', more: 'the version of the assembly' },
  },
} as const satisfies Readonly<Record<string, SampleLanguage>>

export type SampleLanguageId = keyof typeof languages

const aliases: Readonly<Record<string, SampleLanguageId>> = { tsx: 'typescript', jsx: 'javascript' }

const aside = /(?:^|\/)(?:docs?|examples?|scripts?|tools?|bench(?:marks?)?|migrations)\//i

const isCode = (path: string): boolean => isOwn(path) && !aside.test(path)

const languageIds = Object.keys(languages) as readonly SampleLanguageId[]

export const nameOfLanguage = (id: SampleLanguageId): string => languages[id].name

/** The language of most files, with those files; without any code, a manifest counts. */
export function mainLanguage(
  files: readonly string[],
): { readonly id: SampleLanguageId; readonly files: readonly string[] } | null {
  const code = files.filter(isCode)
  const byLanguage = Map.groupBy(code, (path) => aliases[languageOf(path)] ?? languageOf(path))
  const scored = languageIds.map((id) => {
    const isManifest = (path: string) => languages[id].manifests.test(posix.basename(path))
    const own = (byLanguage.get(id) ?? []).filter((path) => !isManifest(path))
    return { id, files: own, score: own.length + (code.some(isManifest) ? 0.5 : 0) }
  })
  // If two languages have only a manifest, the later one is more specific: tsconfig.json is beside package.json.
  const best = scored.reduce((one, other) => (other.score >= one.score ? other : one))
  return best.score === 0 ? null : best
}

/** The places for a new file and its test, beside existing ones. */
function placesOf(
  id: SampleLanguageId,
  files: readonly string[],
): { readonly source: string; readonly test: string } {
  const { source, test } = languages[id]
  const [tests, sources] = [true, false].map((isTest) =>
    files.filter((path) => isTestFile(path) === isTest),
  )
  const folder = commonFolder(sources ?? [])
  const example = inFolder(tests ?? [], commonFolder(tests ?? []))
  return {
    source: folder === null ? source : posix.join(folder, posix.basename(source)),
    test: example === undefined ? test : likeTest(example, test),
  }
}

/** The folder with the most files; if several have as many, the one nearest to the root. */
function commonFolder(files: readonly string[]): string | null {
  const counts = [...Map.groupBy(files, (path) => posix.dirname(path))]
  const depth = (folder: string) => (folder === '.' ? 0 : folder.split('/').length)
  counts.sort(([a, inA], [b, inB]) => inB.length - inA.length || depth(a) - depth(b))
  return counts[0]?.[0] ?? null
}

const inFolder = (files: readonly string[], folder: string | null): string | undefined =>
  files.find((path) => posix.dirname(path) === folder && !/conftest|__init__/.test(path))

/** `tests/test_cache.py` → `tests/test_health.py`, `lib/cache.spec.ts` → `lib/health.spec.ts`. */
function likeTest(example: string, usual: string): string {
  const name = posix.basename(example)
  const named = [
    name.replace(/^test_.*(?=\.\w+$)/, 'test_health'),
    name.replace(/^.*(?=_(?:test|spec)\.\w+$)/, 'health'),
    name.replace(/^.*(?=\.(?:test|spec)\.\w+$)/, 'health'),
    name.replace(/^.*(?=Tests?\.\w+$)/, 'Health'),
  ].find((each) => each !== name)
  const otherwise = posix.basename(usual, posix.extname(usual)) + posix.extname(name)
  return posix.join(posix.dirname(example), named ?? otherwise)
}

/** A roadmap of two tasks that a run can complete in this repository. */
export function sampleRoadmap(files: readonly string[]): string {
  const main = mainLanguage(files)
  if (main === null && files.some((path) => path !== 'README.md' && isCode(path))) {
    return `${head}${inProse}`
  }
  const id = main?.id ?? 'javascript'
  const { source, test } = placesOf(id, main?.files ?? [])
  const { call, more } = languages[id]
  const named = main === null ? ['package.json', source, test] : [source, test]
  const setUp =
    main === null
      ? "\n  - `npm test` runs the tests with `node --test`; a test begins with `import test from 'node:test'` and `import assert from 'node:assert/strict'`"
      : ''
  return `${head}- [ ] T-1: Add a health check
  - ${call}, and a test shows it${setUp}
  - Files: ${named.map((path) => `\`${path}\``).join(', ')}
- [ ] T-2: Show the version in the health check
  - It also returns ${more}, and a test shows it
  - Depends on: T-1
`
}

const head = `# Roadmap

Each box is a task; \`executor plan\` shows the order. Say what should be true at the end, and name files where you can.

`

const inProse = `- [ ] T-1: Explain in the README how to run the tests
  - A section "Tests" names the command and what has to be installed first
  - Files: \`README.md\`
- [ ] T-2: Explain in the README how to report a bug
  - A section "Bugs" says what a report should contain
  - Files: \`README.md\`
`
