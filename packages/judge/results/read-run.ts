import { plainText } from '../../diagnosis/diagnosis.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Suite, TestRunner } from '../detect/suite.ts'
import { readCompilerErrors, readErrors } from './errors.ts'
import { parseGoJson, parseGoText } from './go.ts'
import { parseJsonReport, parseMochaJson, parseRspec } from './json-reports.ts'
import type { Results, RunPlace } from './results.ts'
import { parseTap } from './tap.ts'
import {
  countTests,
  parseCargo,
  parseMinitest,
  parseUnittest,
  saysNothingRan,
  sumCounts,
  textRunners,
} from './text-runners.ts'
import { parseJunit, parseTrx } from './xml-reports.ts'

/** `printed` replaces output that a person would not read. */
type Read = Results & { readonly printed?: string }
type Readers = Partial<Record<TestRunner, (text: string, place: RunPlace) => Read | null>>

const reportReaders: Readers = {
  'node-test': parseTap,
  vitest: parseJsonReport,
  jest: parseJsonReport,
  mocha: parseMochaJson,
  tap: parseTap,
  pytest: parseJunit,
  unittest: (text, place) => parseUnittest(plainText(text), place),
  junit: parseJunit,
  rspec: parseRspec,
  dotnet: parseTrx,
  go: parseGoJson,
}

/** Runners whose output is the report. */
const outputReaders: Readers = {
  go: parseGoJson,
  cargo: readCargo,
  minitest: (text, place) => parseMinitest(plainText(text), place),
  mocha: (text, place) => parseMochaJson(objectIn(text), place),
}

/** Beside programs that ran there may be some that do not compile. */
function readCargo(text: string, place: RunPlace): Read | null {
  const plain = plainText(text)
  const ran = parseCargo(plain, place)
  if (ran === null || !/^error: could not compile /m.test(plain)) return ran
  return { ...ran, failures: [...ran.failures, ...readCompilerErrors(plain, place)] }
}

/** Extracts the text from the first line that is `{` to the last that is `}`. */
function objectIn(text: string): string {
  const start = text.search(/^\{$/m)
  const end = text.lastIndexOf('\n}')
  return start < 0 || end < start ? '' : text.slice(start, end + 2)
}

const nothingRan: Read = { counts: { passed: 0, failed: 0, skipped: 0 }, failures: [] }

/**
 * Reads a run's results. The exit code decides; the output only explains it. A runner that succeeds
 * without the requested report ran nothing; one that fails without an explanation crashed.
 */
export function readRun(
  { runner, directory, sources, collect: [path] }: Suite,
  { stdout, stderr, exitCode, collected }: SandboxRun,
  folder: string,
): Read {
  const output = `${stdout}\n${stderr}`
  const place = { folder, directory, sources }
  const report = path === undefined ? undefined : collected.get(path)
  const reported =
    report === undefined
      ? outputReaders[runner]?.(output, place)
      : reportReaders[runner]?.(report, place)
  // What a test prints must not replace a report that was requested and started.
  if (report !== undefined && reported === null && exitCode === 0) return nothingRan
  const results: Read = reported ?? parseText(output, place)
  const { counts, failures, printed } = results
  const ran = counts === null ? 0 : counts.passed + counts.failed + counts.skipped
  if (isEmpty(runner, exitCode, ran + failures.length, plainText(output))) return nothingRan
  const isAsked = path !== undefined || outputReaders[runner] !== undefined
  if (exitCode === 0) return isAsked && counts === null ? nothingRan : results
  if (failures.length > 0) return results
  const errors = readErrors(plainText(printed ?? output), place)
  return { ...results, counts: ran === 0 ? null : counts, failures: errors, titles: undefined }
}

/** Some runners fail when there is nothing to run. */
function isEmpty(
  runner: TestRunner,
  exitCode: number | null,
  reported: number,
  output: string,
): boolean {
  if (runner === 'pytest') return exitCode === 5
  if (runner === 'unittest') return exitCode === 5 && /^Ran 0 tests/m.test(output)
  const hasWords = ['vitest', 'jest', 'mocha', 'junit'].includes(runner)
  return hasWords && exitCode === 1 && reported === 0 && saysNothingRan(output)
}

const readers = [parseTap, parseGoText, ...textRunners]

/**
 * Reads output of a command without a report; counts are `null` if it shows none. Adds up the
 * runners that a script starts one after the other.
 */
export function parseText(text: string, place: RunPlace): Results {
  const plain = plainText(text)
  const found = readers.flatMap((read) => read(plain, place) ?? [])
  const counts = countTests(plain, place)
  if (found.length === 0) return { counts, failures: readErrors(plain, place) }
  return {
    counts: sumCounts(
      [...found.map((each) => each.counts), counts].filter((each) => each !== null),
    ),
    failures: found.flatMap(({ failures }) => failures),
  }
}
