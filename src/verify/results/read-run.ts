import type { SandboxRun } from '../../core/ports/sandbox.ts'
import { plainText } from '../../text/diagnosis/plain-text.ts'
import type { Suite, TestRunner } from '../detect/suite.ts'
import { readErrors } from './errors.ts'
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

/** `said` replaces the output where a person would not read it. */
type Read = Results & { readonly said?: string }
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

/** Whose output is the report. */
const outputReaders: Readers = {
  go: parseGoJson,
  cargo: (text, place) => parseCargo(plainText(text), place),
  minitest: (text, place) => parseMinitest(plainText(text), place),
  mocha: (text, place) => parseMochaJson(objectIn(text), place),
}

/** From the first line that is an opening brace to the last that is a closing one. */
function objectIn(text: string): string {
  const start = text.search(/^\{$/m)
  const end = text.lastIndexOf('\n}')
  return start < 0 || end < start ? '' : text.slice(start, end + 2)
}

const nothingRan: Read = { counts: { passed: 0, failed: 0, skipped: 0 }, failures: [] }

/**
 * The exit code is the judge; the output only explains it. A runner that ends well without the
 * report that was asked for has run nothing, and one that fails without a word has crashed.
 */
export function readRun(suite: Suite, run: SandboxRun, folder: string): Read {
  const output = `${run.stdout}\n${run.stderr}`
  const place = { folder, directory: suite.directory, sources: suite.sources }
  const [path] = suite.collect
  const report = path === undefined ? undefined : run.collected.get(path)
  const reported =
    report === undefined
      ? outputReaders[suite.runner]?.(output, place)
      : reportReaders[suite.runner]?.(report, place)
  // What a test prints is no report where one was asked for and begun.
  if (report !== undefined && reported === null && run.exitCode === 0) return nothingRan
  const results: Read = reported ?? parseText(output, place)
  if (isEmpty(suite, run, results)) return nothingRan
  const isAsked = path !== undefined || outputReaders[suite.runner] !== undefined
  if (run.exitCode === 0) return isAsked && results.counts === null ? nothingRan : results
  if (results.failures.length > 0) return results
  const { counts, said } = results
  const ran = counts === null ? 0 : counts.passed + counts.failed + counts.skipped
  const errors = readErrors(plainText(said ?? output), place)
  return {
    ...{ counts: ran === 0 ? null : counts, failures: errors },
    ...(said === undefined ? {} : { said }),
  }
}

/** Some runners call it an error when there is nothing to run. */
function isEmpty(suite: Suite, run: SandboxRun, { counts, failures }: Read): boolean {
  const output = plainText(`${run.stdout}\n${run.stderr}`)
  if (suite.runner === 'pytest') return run.exitCode === 5
  if (suite.runner === 'unittest') return run.exitCode === 5 && /^Ran 0 tests/m.test(output)
  const ran = counts === null ? 0 : counts.passed + counts.failed + counts.skipped
  const hasWords = ['vitest', 'jest', 'mocha', 'junit'].includes(suite.runner)
  return hasWords && run.exitCode === 1 && ran + failures.length === 0 && saysNothingRan(output)
}

const readers = [parseTap, parseGoText, ...textRunners]

/**
 * Output of a command that nobody could ask for a report; counts are `null` if it tells none. A script
 * may start several runners, one after the other: all of them count.
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
