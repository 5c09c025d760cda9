import { posix } from 'node:path'
import { gathering, gradleReports, keeping, surefireReports } from './shell-lines.ts'
import type { TestRunner } from './suite.ts'

/** A shell line that also writes a report, and who writes it. */
export interface ReportedLine {
  readonly shell: string
  readonly runner: TestRunner
  /** False where what it prints is the report. */
  readonly isWritten: boolean
}

/** Anything that could make another command of what is appended. */
const unsafe = /[;|&<>`\n\r\\]|\$\(/
/** What is appended behind it is no option. */
const endOfOptions = /\s--(?=\s|$)/

/** Programs that only start another one in the right surroundings. */
const starters = new Set(['npx', '--no-install', '--no', 'cross-env', 'c8', 'bunx', 'time'])
const runStarters = ['bundle exec', 'uv run', 'poetry run', 'pipenv run', 'pnpm exec', 'yarn exec']

/** `A=1 npx --no-install cross-env B=2 vitest run` → `vitest`, `run`. */
function commandWords(line: string): readonly string[] {
  const words = line.trim().split(/\s+/)
  const start = words.findIndex((word) => !/^\w+=/.test(word) && !starters.has(word))
  const rest = start < 0 ? [] : words.slice(start)
  return runStarters.includes(rest.slice(0, 2).join(' ')) ? rest.slice(2) : rest
}

export const nodeTestFlags = (report: string): readonly string[] => [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=tap',
  `--test-reporter-destination=${report}`,
]

/** One file that cannot be imported would keep all others from being run. */
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

interface Known {
  /** The words that a line of this runner starts with. */
  readonly starts: (words: readonly string[]) => boolean
  /** Options of the line that do not go with ours. */
  readonly against: RegExp
  readonly runner: TestRunner
  /** The whole line with a report asked for. */
  readonly shell: (line: string, report: string, words: readonly string[]) => string
  readonly isWritten?: boolean
  /** Words are put in front of the line's own arguments. */
  readonly isInserted?: boolean
}

const nameIs =
  (...names: readonly string[]) =>
  ([first = '']: readonly string[]) =>
    names.includes(posix.basename(first))

const appending =
  (flags: (report: string) => readonly string[]) =>
  (line: string, report: string): string =>
    [line.trim(), ...flags(report)].join(' ')

const jestFlags = (report: string) => ['--json', `--outputFile=${report}`]

const isJest = (words: readonly string[]): boolean =>
  nameIs('jest')(words) ||
  (nameIs('node')(words) && words.some((word) => /\/jest(?:\.js)?$/.test(word)))

const isPytest = (words: readonly string[]): boolean =>
  nameIs('pytest')(words) ||
  (/^python3?$/.test(posix.basename(words[0] ?? '')) && words[1] === '-m' && words[2] === 'pytest')

const inserted = (line: string, pattern: RegExp, flags: string): string =>
  line.replace(pattern, (found) => `${found} ${flags}`)

/** Runs all parts, also behind one that fails; not where the line says how failures are met. */
const once = (
  line: string,
  after: RegExp,
  flag: string,
  known = new RegExp(`${flag}\\b`),
): string => (known.test(line) ? line : inserted(line, after, flag))

const mavenFailing = /(?:^|\s)(?:-f(?:ae|f|n)|--fail-(?:at-end|fast|never))(?=\s|$)/

/** Runners that can be asked for a report by words added to the line of a person. */
const known: readonly Known[] = [
  {
    starts: (words) =>
      nameIs('vitest')(words) && !['bench', 'watch', 'dev'].includes(words[1] ?? ''),
    against: /--(?:watch|ui|outputFile)\b/,
    runner: 'vitest',
    shell: (line, report, words) => {
      const once = words.includes('run') || words.includes('--run') ? [] : ['--run']
      const flags = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      return [line.trim(), ...once, ...flags].join(' ')
    },
  },
  {
    starts: isJest,
    against: /--(?:watch|outputFile|json)\b/,
    runner: 'jest',
    shell: appending(jestFlags),
  },
  {
    starts: (words) => nameIs('react-scripts')(words) && words[1] === 'test',
    against: /--(?:watch|outputFile|json)\b/,
    runner: 'jest',
    shell: appending((report) => [...jestFlags(report), '--watchAll=false']),
  },
  {
    starts: nameIs('mocha', '_mocha'),
    against: /--(?:watch|reporter|reporter-options?)\b|(?:^|\s)-[wRO]\b/,
    runner: 'mocha',
    // `-O` in every version; those before 9.2 do not know `output` and print the report.
    shell: appending((report) => ['--reporter', 'json', '-O', `output=${report}`]),
  },
  {
    starts: nameIs('ava'),
    against: /--(?:watch|tap)\b|(?:^|\s)-[wt]\b/,
    runner: 'tap',
    shell: (line, report) => keeping(`${line.trim()} --tap`, report),
  },
  {
    starts: (words) => nameIs('bun')(words) && words[1] === 'test',
    against: /--(?:watch|hot|reporter)\b/,
    runner: 'junit',
    shell: appending((report) => ['--reporter=junit', `--reporter-outfile=${report}`]),
  },
  {
    starts: (words) => nameIs('node', 'tsx')(words) && words.includes('--test'),
    against: /--(?:test-reporter|watch)\b/,
    runner: 'node-test',
    shell: (line, report) => inserted(line, /\s--test(?=\s|$)/, nodeTestFlags(report).join(' ')),
    isInserted: true,
  },
  { starts: isPytest, against: /--junit/, runner: 'pytest', shell: appending(pytestFlags) },
  {
    starts: (words) => nameIs('go')(words) && words[1] === 'test',
    against: /(?:^|\s)-(?:json|c|o|bench|fuzz|exec)\b/,
    runner: 'go',
    shell: (line, report) => keeping(`${inserted(line, /\btest(?=\s|$)/, '-json')} 2>&1`, report),
    isInserted: true,
  },
  {
    starts: (words) => nameIs('cargo')(words) && words[1] === 'test',
    against: /--(?:no-run|message-format|quiet)\b|(?:^|\s)-q\b/,
    runner: 'cargo',
    shell: (line) => once(line, /\btest(?=\s|$)/, '--no-fail-fast'),
    isWritten: false,
    isInserted: true,
  },
  {
    starts: nameIs('rspec'),
    against: /--(?:format|out)\b|(?:^|\s)-[fo]/,
    runner: 'rspec',
    shell: appending(rspecFlags),
  },
  {
    starts: (words) => nameIs('phpunit')(words[0] === 'php' ? words.slice(1) : words),
    against: /--log-junit\b/,
    runner: 'junit',
    shell: appending(phpunitFlags),
  },
  {
    starts: (words) => nameIs('mvn', 'mvnw')(words) && words.includes('test'),
    against: /surefire\.reportsDirectory/,
    runner: 'junit',
    shell: (line, report) =>
      gathering(
        once(line, /\bmvnw?(?=\s|$)/, '--fail-at-end', mavenFailing),
        surefireReports,
        report,
      ),
  },
  {
    starts: (words) => nameIs('gradle', 'gradlew')(words) && words.includes('test'),
    against: /--(?:continuous|dry-run)\b|(?:^|\s)-[tm]\b/,
    runner: 'junit',
    shell: (line, report) =>
      gathering(once(line, /\bgradlew?(?=\s|$)/, '--continue'), gradleReports, report),
  },
]

/** Which runner a line starts, and the same line with a report asked for; `null` when unknown. */
export function reportLine(line: string, report: string): ReportedLine | null {
  if (unsafe.test(line)) return null
  const words = commandWords(line)
  const found = known.find(({ starts }) => starts(words))
  if (found === undefined || found.against.test(line)) return null
  const { runner, isWritten = true, isInserted = false } = found
  if (!isInserted && endOfOptions.test(line)) return null
  return { shell: found.shell(line, report, words), runner, isWritten }
}
