import { posix } from 'node:path'
import { displayIn, type Suite, suiteIn, type TestRunner } from './suite.ts'

/** A shell line that also writes a report, and its runner. */
interface ReportedLine {
  readonly shell: string
  readonly runner: TestRunner
  /** False when standard output is the report. */
  readonly isWritten: boolean
}

/** Characters that could turn appended words into another command. */
const unsafe = /[;|&<>`\n\r\\]|\$\(/
/** Words appended after this are not options. */
const endOfOptions = /\s--(?=\s|$)/

/** Programs that only set up an environment and start another program. */
const starters = new Set(['npx', '--no-install', '--no', 'cross-env', 'c8', 'bunx', 'time'])
const runStarters = ['bundle exec', 'uv run', 'poetry run', 'pipenv run', 'pnpm exec', 'yarn exec']

/** `A=1 npx --no-install cross-env B=2 node_modules/.bin/vitest  run` → `vitest run`. */
function programLine(line: string): string {
  const words = line.trim().split(/\s+/)
  const start = words.findIndex((word) => !/^\w+=/.test(word) && !starters.has(word))
  const rest = start < 0 ? [] : words.slice(start)
  const [first = '', ...more] = runStarters.includes(rest.slice(0, 2).join(' '))
    ? rest.slice(2)
    : rest
  return [posix.basename(first), ...more].join(' ')
}

export const nodeTestFlags = (report: string): readonly string[] => [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=tap',
  `--test-reporter-destination=${report}`,
]

/** A file that fails to import must not stop the others: `--continue-on-collection-errors`. */
export const pytestFlags = (report: string): readonly string[] => [
  ...['-p', 'no:cacheprovider', '-o', 'junit_family=xunit1', '--continue-on-collection-errors'],
  `--junitxml=${report}`,
]

export const rspecFlags = (report: string): readonly string[] => [
  ...['--no-color', '--format', 'progress', '--format', 'json', '--out', report],
]

export const phpunitFlags = (report: string): readonly string[] => [
  ...['--colors=never', '--log-junit', report],
]

const jestFlags = (report: string) => ['--json', `--outputFile=${report}`]

interface Known {
  readonly runner: TestRunner
  /** How a line of this runner starts, with its program's name only. */
  readonly starts: RegExp
  /** Options of the line that choose only the printed report: ours take their place. */
  readonly display?: RegExp
  /** Other options of the line that conflict with ours. */
  readonly against: RegExp
  /** The whole line, extended to request a report. */
  readonly shell: (line: string, report: string) => string
  readonly isWritten?: boolean
  /** Our words precede the line's own arguments. */
  readonly isInserted?: boolean
}

const appending =
  (flags: (report: string) => readonly string[]) =>
  (line: string, report: string): string =>
    [line, ...flags(report)].join(' ')

const inserted = (line: string, pattern: RegExp, flags: string): string =>
  line.replace(pattern, (found) => `${found} ${flags}`)

/** Adds the flag that continues after a failed part, unless the line already sets that. */
const once = (
  line: string,
  after: RegExp,
  flag: string,
  known = new RegExp(`${flag}\\b`),
): string => (known.test(line) ? line : inserted(line, after, flag))

const mavenFailing = /(?:^|\s)(?:-f(?:ae|f|n)|--fail-(?:at-end|fast|never))(?=\s|$)/

/** Runners that write a report when words are added to a person's line. */
const known: readonly Known[] = [
  {
    runner: 'vitest',
    starts: /^vitest(?! (?:bench|watch|dev)(?: |$))(?: |$)/,
    against: /--(?:watch|ui|outputFile)\b/,
    shell(line, report) {
      const run = /\s(?:--)?run(?=\s|$)/.test(line) ? [] : ['--run']
      const flags = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      return [line, ...run, ...flags].join(' ')
    },
  },
  {
    runner: 'jest',
    starts: /^(?:jest|node (?:.* )?\S*\/jest(?:\.js)?)(?: |$)/,
    against: /--(?:watch|outputFile|json)\b/,
    shell: appending(jestFlags),
  },
  {
    runner: 'jest',
    starts: /^react-scripts test(?: |$)/,
    against: /--(?:watch|outputFile|json)\b/,
    shell: appending((report) => [...jestFlags(report), '--watchAll=false']),
  },
  {
    runner: 'mocha',
    starts: /^_?mocha(?: |$)/,
    display: /\s(?:--reporter|-R)(?:=|\s+)[\w@./-]+(?=\s|$)/g,
    against: /--(?:watch|reporter-options?)\b|(?:^|\s)-[wO]\b/,
    // Every version knows `-O`; before 9.2 there is no `output`, and the report is printed.
    shell: appending((report) => ['--reporter', 'json', '-O', `output=${report}`]),
  },
  {
    runner: 'tap',
    starts: /^ava(?: |$)/,
    display: /\s(?:--tap|-t)(?=\s|$)/g,
    against: /--watch\b|(?:^|\s)-w\b/,
    shell: (line, report) => keeping(`${line} --tap`, report),
  },
  {
    runner: 'junit',
    starts: /^bun test(?: |$)/,
    display: /\s(?:--dots|--reporter(?:=|\s+)dots?)(?=\s|$)/g,
    against: /--(?:watch|hot|reporter)\b/,
    shell: appending((report) => ['--reporter=junit', `--reporter-outfile=${report}`]),
  },
  {
    runner: 'node-test',
    starts: /^(?:node|tsx) (?:.* )?--test(?: |$)/,
    display: /\s--test-reporter(?:=|\s+)(?:spec|dot|tap|junit|lcov)(?=\s|$)/g,
    against: /--(?:test-reporter(?:-destination)?|watch)\b/,
    shell: (line, report) => inserted(line, /\s--test(?=\s|$)/, nodeTestFlags(report).join(' ')),
    isInserted: true,
  },
  {
    runner: 'pytest',
    starts: /^(?:pytest|python3? -m pytest)(?: |$)/,
    against: /--junit/,
    shell: appending(pytestFlags),
  },
  {
    runner: 'go',
    starts: /^go test(?: |$)/,
    display: /\s-json(?=\s|$)/g,
    against: /(?:^|\s)-(?:c|o|bench|fuzz|exec)\b/,
    shell: (line, report) => keeping(`${inserted(line, /\btest(?=\s|$)/, '-json')} 2>&1`, report),
    isInserted: true,
  },
  {
    runner: 'cargo',
    starts: /^cargo test(?: |$)/,
    against: /--(?:no-run|message-format|quiet)\b|(?:^|\s)-q\b/,
    shell: (line) => once(line, /\btest(?=\s|$)/, '--no-fail-fast'),
    isWritten: false,
    isInserted: true,
  },
  {
    runner: 'rspec',
    starts: /^rspec(?: |$)/,
    display: /\s(?:--format(?:=|\s+)|-f\s*)(?:documentation|doc|d|progress|p)(?=\s|$)/g,
    against: /--(?:format|out)\b|(?:^|\s)-[fo]/,
    shell: appending(rspecFlags),
  },
  {
    runner: 'junit',
    starts: /^(?:php (?:\S*\/)?)?phpunit(?: |$)/,
    against: /--log-junit\b/,
    shell: appending(phpunitFlags),
  },
  {
    runner: 'junit',
    starts: /^mvnw? (?:.* )?test(?: |$)/,
    against: /surefire\.reportsDirectory/,
    shell(line, report) {
      const shell = once(line, /\bmvnw?(?=\s|$)/, '--fail-at-end', mavenFailing)
      return gathering(shell, surefireReports, report)
    },
  },
  {
    runner: 'junit',
    starts: /^gradlew? (?:.* )?test(?: |$)/,
    against: /--(?:continuous|dry-run)\b|(?:^|\s)-[tm]\b/,
    shell: (line, report) =>
      gathering(once(line, /\bgradlew?(?=\s|$)/, '--continue'), gradleReports, report),
  },
]

/** Identifies the runner of a line and requests a report from it; `null` when unknown. */
export function reportLine(line: string, report: string): ReportedLine | null {
  if (unsafe.test(line)) return null
  const program = programLine(line)
  const found = known.find(({ starts }) => starts.test(program))
  const plain = found?.display === undefined ? line : line.replace(found.display, '')
  if (found === undefined || found.against.test(plain)) return null
  const { runner, isWritten = true, isInserted = false } = found
  if (!isInserted && endOfOptions.test(plain)) return null
  return { shell: found.shell(plain.trim(), report), runner, isWritten }
}

/** Extends the PATH as npm does: the package's own programs first, then those of outer packages. */
export function withPackagePrograms(shell: string, directory: string): string {
  const depth = directory === '.' ? 0 : directory.split('/').length
  const places = Array.from(
    { length: depth + 1 },
    (_, up) => `$PWD/${'../'.repeat(up)}node_modules/.bin`,
  )
  return `export PATH="${places.join(':')}:$PATH"; ${shell}`
}

/** Commands that check the code and write nothing, so the tests after a red one run the same. */
const checker =
  /^(?:npx )?(?:(?:eslint|xo|standard|semistandard|ts-standard|oxlint|jshint|stylelint|tsd|publint|cspell|biome (?:check|lint|ci))\b|prettier (?=.*(?:--check|--list-different|-c|-l)\b)|tsc (?=.*--noEmit\b))(?!.*--(?:fix|write)\b)[^#&;|<>`$()]*$/

/** Makes a suite of a person's lines; requests a report when exactly one starts a known runner. */
export function suiteOfLines(
  directory: string,
  display: string,
  lines: readonly string[],
  report: string,
  given: Pick<Suite, 'runner'> & Partial<Suite>,
): Suite {
  const reported = lines.map((line) => reportLine(line, report))
  const running = (all: readonly string[]) => ({
    shell: withPackagePrograms(all.join(' && '), directory),
  })
  const plain = suiteIn(directory, display, { ...given, command: running(lines) })
  const [only, ...others] = reported.filter((line) => line !== null)
  if (only === undefined || others.length > 0) return plain
  const { runner, isWritten } = only
  const at = reported.indexOf(only)
  const line = (lines[at] ?? '').trim()
  const suite: Suite = {
    ...{ ...plain, runner, line, command: running(lines.with(at, only.shell)) },
    collect: isWritten ? [posix.join(directory, report)] : [],
    plain: isWritten ? plain : null,
  }
  if (at === 0 || !lines.slice(0, at).every((each) => checker.test(each))) return suite
  const own = { command: running([only.shell]), display: displayIn(directory, line), plain: null }
  return { ...suite, alone: { ...suite, ...own } }
}

/** Where Maven and Gradle write reports, as patterns of `find -path`. */
export const surefireReports = '*/target/surefire-reports/TEST-*.xml'
export const gradleReports = '*/build/test-results/*/*.xml'

const skipped = String.raw`\( -name node_modules -o -name .git -o -name .executor-packages \) -prune`

/**
 * Runs a line whose report names are unknown in advance and joins the reports in one file. Deletes
 * older reports first; keeps the line's exit code.
 *
 * @param pattern for `find -path`, one of our constants
 */
export function gathering(line: string, pattern: string, report: string): string {
  const find = `find . ${skipped} -o -type f -path '${pattern}' -exec`
  return `${find} rm -f {} + 2>/dev/null; ${line}; code=$?; ${find} cat {} + >${report} 2>/dev/null; exit $code`
}

/**
 * Saves the report that a line writes to standard output, then prints it: captured output may keep
 * only its beginning and end.
 */
export const keeping = (line: string, report: string): string =>
  `({ ${line}; } >${report}; code=$?; cat ${report}; exit $code)`

/** Options that make a runner wait for changes: `--watch`, `--watchAll`, `--watch-path=src`. */
const watching =
  /\s--watch(?:-?all|-path[= ]\S+|-preserve-output)?(?:[= ]true)?(?![-\w=])(?!\s+false\b)/gi

/** Programs for which `-w` is one of them; elsewhere it may be a number of workers. */
const shortly = /(?:^|[\s/])(?:_?mocha|ava|vitest|tsc)(?=\s|$)/

/** Programs that wait unless told otherwise, and how to tell them. */
const waiting: readonly (readonly [starts: RegExp, unless: RegExp, flag: string])[] = [
  [/(?:^|[\s/])ng test\b/, /--(?:no-)?watch\b/, '--watch=false'],
  [/(?:^|[\s/])karma start\b/, /--(?:no-)?single-run\b/, '--single-run'],
]

/** A test command without what would make it wait for changes and never end; other commands as they are. */
export function runOnce(line: string): string {
  const [, , flag] =
    waiting.find(([starts, unless]) => starts.test(line) && !unless.test(line)) ?? []
  const plain = line
    .replace(watching, '')
    .replace(/((?:^|[\s/])vitest )(?:watch|dev)(?=\s|$)/, '$1run')
  const once = shortly.test(plain) ? plain.replace(/\s-w(?=\s|$)/g, '') : plain
  return flag === undefined ? once : `${once} ${flag}`
}
