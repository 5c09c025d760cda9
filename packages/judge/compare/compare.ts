import type { Diagnosis } from '../../diagnosis/diagnosis.ts'
import type { SandboxKind } from '../../sandbox/sandbox.ts'
import type {
  CommandReport,
  Receipt,
  TestCounts,
  TestFailure,
  TestReport,
} from '../results/test-report.ts'
import { sumCounts } from '../results/text-runners.ts'
import { isShort, type Judged, judgeRun, type LostTest } from './judge-command.ts'
import {
  earlier,
  failureSaying,
  hasOthers,
  hasTests,
  isProof,
  isTested,
  missingProgram,
  ranTests,
  totalOf,
  wasKilled,
} from './read-outcome.ts'

export interface Comparison {
  readonly result: 'passed' | 'unverified' | 'failed' | 'cannot_run'
  /** Failures that the change caused, and failed accept commands. */
  readonly broken: readonly TestFailure[]
  /** Tests of the changed files that were red before, and that the change did not have to turn green. */
  readonly stillRed?: readonly TestFailure[]
  readonly receipt: Receipt
  /** Why the change does not pass. */
  readonly diagnosis?: Diagnosis | undefined
}

export interface CompareRules {
  readonly requireTests: boolean
  /** The task asks to remove tests, so fewer may run. */
  readonly mayRemoveTests: boolean
  /** Tests that the change deleted or disabled. */
  readonly lostTests: readonly LostTest[]
}

const weakestFirst: readonly SandboxKind[] = ['unsandboxed', 'unshare', 'other-user', 'bubblewrap']
const mostNamed = 5
/** How much of a failed command's output a receipt keeps: its last lines, at most this long. */
const mostLines = 20
const longestOutput = 1500
/**
 * Compares the tests of a change with those of the tree it started from. Only what the change broke
 * counts; the notes count tests that were red before. Without a baseline (`before` is `null`) every
 * failure counts.
 */
export function compareReports(
  before: TestReport | null,
  after: TestReport,
  rules: CompareRules,
): Comparison {
  const judged = after.commands.map((command) =>
    judgeRun(earlier(before, command), command, rules.lostTests),
  )
  const known = judged.flatMap((each) => each.broken)
  const broke = known.length > 0 ? known : missingTests(before, after)
  // Files that fail to load also make the number of tests fall.
  const fewer =
    broke.length > 0 || rules.mayRemoveTests ? [] : fewerTests(before, after, rules.lostTests)
  const broken = [...broke, ...fewer]
  const notes = [
    ...judged.flatMap((each) => each.notes),
    ...countNotes(before, after),
    ...flakyNotes(before, after),
    ...notRunNotes(after),
  ]
  const isProven = after.commands.some((command) => command.role === 'accept' || isProof(command))
  const isBlocked = after.commands.some(
    (command, index) =>
      judged[index]?.cannotRun != null &&
      (command.role === 'accept' ||
        before === null ||
        !hasTests(after) ||
        (wasKilled(command) && !isProven)),
  )
  const result = (() => {
    if (broken.length > 0) return 'failed'
    if (isBlocked) return 'cannot_run'
    if (isProven) return 'passed'
    return rules.requireTests ? 'failed' : 'unverified'
  })()
  if (!isProven && broken.length === 0) {
    notes.push(
      hasTests(after)
        ? 'The tests fail as they did before this change, so they cannot show whether it works.'
        : 'The project has no tests that could show whether this works.',
    )
  }
  const receipt = {
    result: result === 'cannot_run' ? 'failed' : result,
    commands: after.commands.map((command, index) =>
      toReceiptLine(before, command, judged[index]?.broken ?? []),
    ),
    before: before === null ? null : totalCounts(before),
    after: totalCounts(after),
    seconds: after.commands.reduce((total, { seconds }) => total + seconds, 0),
    sandbox: weakestSandbox(after),
    notes,
  } satisfies Receipt
  return { result, broken, receipt, diagnosis: diagnose(judged, broken, after) }
}

function missingTests(before: TestReport | null, after: TestReport): readonly TestFailure[] {
  if (before === null || after.notRun !== undefined) return []
  if (!hasTests(before) || hasTests(after)) return []
  if (after.commands.some((command) => missingProgram(command) !== null)) return []
  const had = before.commands.find(isTested)
  if (had === undefined) return []
  const number = had.counts === null ? 'tests' : `${totalOf(had.counts)} tests`
  return [
    failureSaying(had.command, `There were ${number} before this change, and there are none now.`),
  ]
}

/**
 * Compares the commands that ran on both trees and count their tests. Deleted green tests get only
 * a warning: the reviewer judges them. Tests with names are matched by name.
 */
function fewerTests(
  before: TestReport | null,
  after: TestReport,
  lostTests: readonly LostTest[],
): readonly TestFailure[] {
  const named = lostTests.slice(0, mostNamed).map(({ test }) => test)
  const gone = named.length === 0 ? '' : ` Gone or switched off: ${named.join(', ')}.`
  return after.commands.flatMap((command) => {
    const was = earlier(before, command)
    if (was === null || was.counts === null || command.counts === null || was.timedOut) return []
    if (!isShort(was, command, lostTests)) return []
    const [had, has] = [ranTests(was), ranTests(command)]
    const message = `Only ${has} of the ${had} tests that ran before this change ran now, and the task does not ask for fewer.${gone} Restore them.`
    return [failureSaying(command.command, message)]
  })
}

/** Diagnoses the first broken test, else the first command that cannot run. */
function diagnose(
  judged: readonly Judged[],
  [first]: readonly TestFailure[],
  { commands }: TestReport,
): Diagnosis | undefined {
  if (first === undefined)
    return judged.find(({ cannotRun }) => cannotRun !== null)?.cannotRun ?? undefined
  const command = commands[judged.findIndex(({ broken }) => broken.includes(first))]
  const { test, file, line, errorType } = first
  const kind = (() => {
    if (errorType === 'Timeout' || errorType === 'ResourceLimit') return 'killed'
    if (command?.role === 'lint') return 'lint'
    return command?.counts === null && file !== null ? 'build' : 'test'
  })()
  const [firstLine = ''] = first.message.split('\n')
  return { kind, message: `${test}: ${firstLine}`, file, line, lacks: null, install: null }
}

function toReceiptLine(
  before: TestReport | null,
  command: CommandReport,
  broken: readonly TestFailure[],
) {
  const { command: name, exitCode, seconds, counts } = command
  const isShown = exitCode !== 0 && !hasOthers(command, broken)
  const lastLines = !isShown ? '' : command.tail.split('\n').slice(-mostLines).join('\n')
  const output = lastLines === '' ? {} : { output: lastLines.slice(-longestOutput) }
  const was = earlier(before, command)
  const then = was === null ? null : { exitCode: was.exitCode, counts: was.counts }
  return { command: name, exitCode, seconds, counts, before: then, ...output }
}

function flakyNotes(before: TestReport | null, after: TestReport): readonly string[] {
  const known = flakyIn(before)
  return [...flakyIn(after)].slice(0, mostNamed).map((name) => {
    const also = known.has(name) ? ' It was flaky before this change, too.' : ''
    return `flaky: ${name} failed once and passed when run again.${also}`
  })
}

const flakyIn = (report: TestReport | null): ReadonlySet<string> =>
  new Set((report?.commands ?? []).flatMap(({ flaky = [] }) => flaky.map(({ test }) => test)))

function notRunNotes({ notRun = [] }: TestReport): readonly string[] {
  if (notRun.length === 0) return []
  return [`Not run, because tests nearer to the change fail: ${notRun.join(', ')}.`]
}

function countNotes(before: TestReport | null, after: TestReport): readonly string[] {
  if (after.notRun !== undefined) return []
  const had = before === null ? null : totalCounts(before)
  const has = totalCounts(after)
  if (had === null || has === null || totalOf(has) >= totalOf(had)) return []
  return [`There are fewer tests than before: ${totalOf(had)}, now ${totalOf(has)}.`]
}

const totalCounts = ({ commands }: TestReport): TestCounts | null =>
  sumCounts(commands.flatMap(({ counts }) => counts ?? []))

function weakestSandbox(report: TestReport): SandboxKind | null {
  const kinds = report.commands.map(({ sandbox }) => sandbox)
  return weakestFirst.find((kind) => kinds.includes(kind)) ?? null
}
