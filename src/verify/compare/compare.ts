import { posix } from 'node:path'
import type { Diagnosis } from '../../core/domain/diagnosis.ts'
import type {
  CommandReport,
  Receipt,
  SandboxKind,
  TestCounts,
  TestFailure,
  TestReport,
} from '../../core/domain/test-report.ts'
import { findLack, setUpFailed } from '../../text/diagnosis/find-lack.ts'
import { adviceFor, installOf } from '../../text/diagnosis/programs.ts'
import { sumCounts } from '../results/summaries.ts'
import { failureSaying } from './failure-saying.ts'

export interface Comparison {
  readonly result: 'passed' | 'unverified' | 'failed' | 'cannot_run'
  /** What the change broke, or an accept command asks for. */
  readonly broken: readonly TestFailure[]
  readonly receipt: Receipt
  /** Of what keeps it from passing. */
  readonly diagnosis?: Diagnosis | undefined
}

/** Judgement of one command. */
interface Judged {
  readonly broken: readonly TestFailure[]
  readonly notes: readonly string[]
  readonly cannotRun: Diagnosis | null
}

export interface LostTest {
  readonly test: string
  readonly kind: 'deleted' | 'skipped'
}

export interface CompareRules {
  readonly requireTests: boolean
  /** The task asks for tests to go, so that fewer may run. */
  readonly mayRemoveTests: boolean
  /** Tests that the change took away or switched off. */
  readonly lostTests: readonly LostTest[]
}

const weakestFirst: readonly SandboxKind[] = ['unsandboxed', 'unshare', 'other-user', 'bubblewrap']
const mostNamed = 5
/** Of what a command that ended badly said, for a receipt: its last lines, and characters. */
const mostLines = 20
const longestOutput = 1500
/** Of a shell whose command was killed by HUP, INT, ILL, ABRT, BUS, FPE, KILL, SEGV or TERM. */
const signalCodes = new Set([1, 2, 4, 6, 7, 8, 9, 11, 15].map((signal) => 128 + signal))
/** Of a run that never ended, in characters. */
const tailOfTimeout = 600

/**
 * Compares the tests of a change with those of the tree it started from. Only what the change
 * broke counts; a test that was red before is named in the notes. `before` is `null` when nobody
 * ran the baseline: then every failure counts.
 */
export function compareReports(
  before: TestReport | null,
  after: TestReport,
  rules: CompareRules,
): Comparison {
  const judged = after.commands.map((command) =>
    judge(earlier(before, command), command, rules.lostTests),
  )
  const known = judged.flatMap((each) => each.broken)
  const broke = known.length > 0 ? known : missingTests(before, after)
  // Files that could not be loaded make the number of tests fall, too.
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
  if (!isProven) {
    notes.push(
      hasTests(after)
        ? 'The tests fail here as they did before, so nothing tells whether this works.'
        : 'The project has no tests that could tell whether this works.',
    )
  }
  const receipt = {
    result: result === 'cannot_run' ? 'failed' : result,
    commands: after.commands.map((command) => toReceiptLine(before, command)),
    before: before === null ? null : totalCounts(before),
    after: totalCounts(after),
    seconds: after.commands.reduce((total, { seconds }) => total + seconds, 0),
    sandbox: weakestSandbox(after),
    notes,
  } satisfies Receipt
  return { result, broken, receipt, diagnosis: diagnose(judged, broken, after) }
}

/** Of the first that was broken, else of the first that cannot run. */
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
  const [said = ''] = first.message.split('\n')
  return { kind, message: `${test}: ${said}`, file, line, lacks: null, install: null }
}

const killed = (message: string): Diagnosis => ({ ...setUpFailed(message), kind: 'killed' })

function toReceiptLine(before: TestReport | null, command: CommandReport) {
  const { command: name, exitCode, seconds, counts } = command
  const said = exitCode === 0 ? '' : command.tail.split('\n').slice(-mostLines).join('\n')
  const output = said === '' ? {} : { output: said.slice(-longestOutput) }
  const was = earlier(before, command)
  const then = was === null ? null : { exitCode: was.exitCode, counts: was.counts }
  return { command: name, exitCode, seconds, counts, before: then, ...output }
}

/** What the same command said before the change. */
export const earlier = (
  before: TestReport | null,
  { command }: Pick<CommandReport, 'command'>,
): CommandReport | null => before?.commands.find((each) => each.command === command) ?? null

function judge(
  before: CommandReport | null,
  after: CommandReport,
  lostTests: readonly LostTest[],
): Judged {
  const judged = (broken: readonly TestFailure[], notes: readonly string[] = []): Judged => ({
    broken,
    notes,
    cannotRun: null,
  })
  if (after.timedOut) return judgeTimeout(before, after)
  if (after.ended !== undefined) {
    const also = before?.ended === undefined ? '' : ' So it was before the change.'
    return judged([asFailure(after, `It ${after.ended} and was ended.${also}`, 'ResourceLimit')])
  }
  const hung = before?.timedOut
    ? [
        `${after.command} did not end within ${Math.round(before.seconds)} seconds before the change; now it does.`,
      ]
    : []
  if (isNoTests(after) && after.role === 'accept') {
    return judged([asFailure(after, 'It ran no tests.')])
  }
  const had = before === null ? 0 : ranTests(before)
  if (had > 0 && after.exitCode === 0 && ranTests(after) === 0) {
    const message = `${had} tests ran before this change, and now none is told of: something ends the run, or keeps the tests from it.`
    return judged([asFailure(after, message)])
  }
  if (isNoTests(after)) return judged([])
  if (after.exitCode === 0 && after.failures.length === 0)
    return judged([], [...hung, ...greenNotes(before, after)])
  if (after.flaky !== undefined && after.failures.length === 0) return judged([], hung)
  const program = missingProgram(after)
  if (program !== null && (before === null || missingProgram(before) !== null)) {
    const message = `${after.command} cannot be run here: ${program} was not found.`
    const notes = [message + adviceFor(program)]
    const lacks = { lacks: program, install: installOf(program) }
    return { broken: [], notes, cannotRun: { ...setUpFailed(message), ...lacks } }
  }
  if (after.role === 'accept' || before === null) return judged(failuresOf(after))
  return judgeAgainst(before, after, lostTests)
}

/** A run that was stopped: what failed until then, and that it never ended, unless it did not before. */
function judgeTimeout(before: CommandReport | null, after: CommandReport): Judged {
  const seconds = Math.round(after.seconds)
  const { failures, counts } = after
  const known = new Map((before?.failures ?? []).map((each) => [identity(each), each]))
  const fresh = failures.filter((each) => !known.has(identity(each)))
  if (before?.timedOut && after.role !== 'accept') {
    const note = `${after.command} did not end within ${seconds} seconds, and neither did it before this change.`
    return { broken: fresh, notes: [note], cannotRun: after.role === 'lint' ? null : killed(note) }
  }
  const ended =
    counts === null
      ? ''
      : ` Until then ${counts.passed} tests had passed and ${counts.failed} had failed.`
  const message = `It did not end and was stopped after ${seconds} seconds.${ended} Something in it waits or loops for ever.\n${after.tail.slice(-tailOfTimeout)}`
  return {
    broken: [asFailure(after, message.trim(), 'Timeout'), ...fresh],
    notes: [],
    cannotRun: null,
  }
}

/** Tests that were red and are green now; an accept command that would have passed without the change. */
function greenNotes(before: CommandReport | null, after: CommandReport): readonly string[] {
  if (before === null) return []
  if (after.role === 'accept' && before.exitCode === 0 && after.counts === null) {
    return [
      `${after.command} passed before this change, too: it does not show what the change does.`,
    ]
  }
  return before.failures.length === 0 || after.role === 'lint'
    ? []
    : [`Red before this change and green now: ${nameSome(before.failures)}.`]
}

function judgeAgainst(
  before: CommandReport,
  after: CommandReport,
  lostTests: readonly LostTest[],
): Judged {
  const identify = after.role === 'lint' ? withoutNumbers : identity
  const left = Map.groupBy(before.failures, identify)
  // A linter says the same thing several times in one file: one more is a new one.
  const isKnown = (failure: TestFailure): boolean => {
    const same = left.get(identify(failure))
    return after.role === 'lint' ? same?.pop() !== undefined : same !== undefined
  }
  const { old = [], fresh = [] } = Object.groupBy(after.failures, (failure) =>
    isKnown(failure) ? 'old' : 'fresh',
  )
  const notes = old.length === 0 ? [] : [`Red before this change, too: ${nameSome(old)}.`]
  if (fresh.length > 0) return { broken: fresh, notes, cannotRun: null }
  if (after.failures.length > 0) {
    if (!isShort(before, after, lostTests)) return { broken: [], notes, cannotRun: null }
    const [had, has] = [ranTests(before), ranTests(after)]
    const message = `Only ${has} of the ${had} tests that ran before ran now.`
    return { broken: [asFailure(after, message)], notes, cannotRun: null }
  }
  if (wasKilled(after) && wasKilled(before)) {
    const note = `${after.command} was killed before it ended, and so it was before this change.`
    const cannotRun = after.role === 'lint' ? null : killed(note)
    return { broken: [], notes: [...notes, note], cannotRun }
  }
  const lack = after.counts === null && before.counts === null ? findLack(after.tail) : null
  if (lack !== null && findLack(before.tail) !== null) {
    const message = `${after.command} cannot be run here: ${lack.message}`
    const cannotRun = after.role === 'lint' ? null : { ...lack, message }
    return { broken: [], notes: [message], cannotRun }
  }
  const sameCrash = before.failures.length === 0 && before.exitCode !== 0 && !before.timedOut
  return sameCrash && before.exitCode === after.exitCode
    ? { broken: [], notes: [`${after.command} failed in the same way before.`], cannotRun: null }
    : { broken: failuresOf(after), notes, cannotRun: null }
}

/** What makes two failures, of two runs, one and the same. */
export const identity = ({ file, test }: TestFailure): string => JSON.stringify([file, test])

/** What a linter says names other lines, which move. */
const withoutNumbers = ({ file, test }: TestFailure): string =>
  JSON.stringify([file, test.replace(/\d+/g, '#')])

/** What a failing command says, or one failure made of its last words. */
function failuresOf(report: CommandReport): readonly TestFailure[] {
  if (report.failures.length > 0) return report.failures
  const ending =
    report.exitCode === null ? 'It was killed.' : `It ended with code ${report.exitCode}.`
  return [asFailure(report, `${ending}\n${report.tail}`.trim())]
}

const asFailure = (report: CommandReport, message: string, errorType?: string): TestFailure =>
  failureSaying(report.command, message, errorType)

/** The program that a shell, or whoever starts programs, did not find; not a file of the project. */
function missingProgram(report: CommandReport): string | null {
  if (report.failures.length > 0) return null
  const pytest = /No module named '?(pytest)'?\s*$/.exec(report.tail)?.[1]
  if (pytest !== undefined) return pytest
  if (report.exitCode !== 127) return null
  const said =
    /(?:^|: )(?:\d+: )?([^\s:]+): (?:command )?not found/m.exec(report.tail)?.[1] ??
    /failed to execute (\S+): No such file/.exec(report.tail)?.[1] ??
    /(?:(?:^|\s)env: |spawn )['‘]?([^\s'’:]+)/.exec(report.tail)?.[1]
  if (said === undefined) return 'a program'
  // What a shim or a `#!` line names by its whole path is of the machine; the project's folder is `./`.
  return said.includes('/') && !said.startsWith('/') ? null : posix.basename(said)
}

const totalOf = (counts: TestCounts): number => counts.passed + counts.failed + counts.skipped
const ranTests = ({ counts }: CommandReport): number =>
  counts === null ? 0 : counts.passed + counts.failed

const passedTests = ({ counts }: CommandReport): number => counts?.passed ?? 0

/** It found nothing to run, whatever exit code it has for that. */
const isNoTests = ({ counts, failures }: CommandReport): boolean =>
  counts !== null && totalOf(counts) === 0 && failures.length === 0

/** An unknown number of tests is taken for some, unless the command did not even start. */
const isTested = (report: CommandReport): boolean =>
  report.counts === null
    ? report.role === undefined && missingProgram(report) === null && !lacksToolchain(report)
    : totalOf(report.counts) > 0

/** It ended badly without a test, and its words say what this machine lacks. */
const lacksToolchain = ({ exitCode, failures, tail }: CommandReport): boolean =>
  exitCode !== 0 && failures.length === 0 && findLack(tail) !== null

/** A command that fails as it did before, and has no test that passes, shows nothing. */
const isProof = (report: CommandReport): boolean =>
  isTested(report) &&
  !wasKilled(report) &&
  ((report.exitCode === 0 && report.failures.length === 0) || passedTests(report) > 0)

/** Whatever such a run said until then, nobody knows what it would have said: it is equal to no other. */
const wasKilled = ({ exitCode, timedOut, ended }: CommandReport): boolean =>
  timedOut || ended !== undefined || exitCode === null || signalCodes.has(exitCode)

const hasTests = (report: TestReport): boolean => report.commands.some(isTested)

function missingTests(before: TestReport | null, after: TestReport): readonly TestFailure[] {
  if (before === null || after.notRun !== undefined) return []
  if (!hasTests(before) || hasTests(after)) return []
  if (after.commands.some((command) => missingProgram(command) !== null)) return []
  const had = before.commands.find(isTested)
  if (had === undefined) return []
  const number = had.counts === null ? 'tests' : `${totalOf(had.counts)} tests`
  return [asFailure(had, `There were ${number} before this change, and there are none now.`)]
}

/**
 * Of the commands that ran on both trees and count their tests. Green tests that the change takes away are
 * its reviewer's to judge, and a warning; where tests have names, those are looked for by name.
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
    const message = `Only ${has} of the ${had} tests that ran before ran now, and the task does not ask for fewer.${gone} Bring them back.`
    return [asFailure(command, message)]
  })
}

/** Fewer tests ran than can be told by green ones that the change takes away. */
function isShort(was: CommandReport, is: CommandReport, lostTests: readonly LostTest[]): boolean {
  const deleted = lostTests.filter(({ kind, test }) => kind === 'deleted' && !wasRed(was, test))
  const areNamed = was.titles !== undefined && is.titles !== undefined
  // One test may run many times, from a table.
  const isTold = areNamed && deleted.length > 0 && deleted.length === lostTests.length
  return !isTold && ranTests(is) + deleted.length < ranTests(was)
}

const wasRed = ({ failures }: CommandReport, test: string): boolean =>
  failures.some((failure) => failure.test === test || failure.test.endsWith(` ${test}`))

function flakyNotes(before: TestReport | null, after: TestReport): readonly string[] {
  const flaky = after.commands.flatMap((command) => command.flaky ?? [])
  const names = [...new Set(flaky.map(({ test }) => test))]
  const known = (before?.commands ?? []).flatMap((command) => command.flaky ?? [])
  const isKnown = (name: string) => known.some(({ test }) => test === name)
  return names.slice(0, mostNamed).map((name) => {
    const also = isKnown(name) ? ' So it was before.' : ''
    return `flaky: ${name} failed once and passed when run again.${also}`
  })
}

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

function nameSome(failures: readonly TestFailure[]): string {
  const names = failures.slice(0, mostNamed).map(({ test }) => test)
  const more = failures.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
