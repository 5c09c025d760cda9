import {
  adviceFor,
  type Diagnosis,
  installOf,
  lastLines,
  setUpFailed,
} from '../../diagnosis/diagnosis.ts'
import { clip, countOf, nameSome } from '../../text/text.ts'
import type { CommandReport, TestFailure } from '../results/test-report.ts'
import { timesIn } from './find-unrun.ts'
import {
  failureSaying,
  identity,
  isNoTests,
  missingProgram,
  ranTests,
  tellRed,
  wasKilled,
} from './read-outcome.ts'

export interface Judged {
  readonly broken: readonly TestFailure[]
  readonly notes: readonly string[]
  readonly cannotRun: Diagnosis | null
}

export interface LostTest {
  readonly test: string
  readonly kind: 'deleted' | 'skipped'
}

const mostNamed = 5
/** How much output of a timed-out run a message quotes, in characters. */
const tailOfTimeout = 600

const judged = (
  broken: readonly TestFailure[],
  notes: readonly string[] = [],
  cannotRun: Diagnosis | null = null,
): Judged => ({ broken, notes, cannotRun })

/** Judges what the change broke in one command, against the same command's earlier run. */
export function judgeRun(
  before: CommandReport | null,
  after: CommandReport,
  lostTests: readonly LostTest[],
): Judged {
  if (after.timedOut) return judgeTimeout(before, after)
  if (after.ended !== undefined) {
    const also = before?.ended === undefined ? '' : ' The same happened before this change.'
    return judged([asFailure(after, `It ${after.ended} and was stopped.${also}`, 'ResourceLimit')])
  }
  const hung = before?.timedOut
    ? [
        `${after.command} did not end within ${Math.round(before.seconds)} seconds before the change; now it does.`,
      ]
    : []
  if (isNoTests(after) && after.role === 'accept')
    return judged([asFailure(after, 'It ran no tests.')])
  const had = before === null ? 0 : ranTests(before)
  if (had > 0 && after.exitCode === 0 && ranTests(after) === 0) {
    const message = `${had} tests ran before this change, and none is reported now: something ends the run early or keeps the tests from running.`
    return judged([asFailure(after, message)])
  }
  if (isNoTests(after)) return judged([])
  if (after.exitCode === 0 && after.failures.length === 0)
    return judged([], [...hung, ...greenNotes(before, after)])
  if (after.flaky !== undefined && after.failures.length === 0) return judged([], hung)
  const program = missingProgram(after)
  if (program !== null && (before === null || missingProgram(before) !== null)) {
    const message = `${after.command} cannot be run here: ${program} was not found.`
    const lacks = { lacks: program, install: installOf(program) }
    return judged([], [message + adviceFor(program)], { ...setUpFailed(message), ...lacks })
  }
  if (after.role === 'accept' || before === null) return judged(failuresOf(after))
  return judgeAgainst(before, after, lostTests)
}

/** Judges a timed-out run: its new failures, and the timeout itself unless it timed out before. */
function judgeTimeout(before: CommandReport | null, after: CommandReport): Judged {
  const seconds = Math.round(after.seconds)
  const { failures, counts } = after
  const known = new Set((before?.failures ?? []).map(identity))
  const fresh = failures.filter((each) => !known.has(identity(each)))
  if (before?.timedOut && after.role !== 'accept') {
    const note = `${after.command} did not end within ${seconds} seconds, and did not before this change either.`
    return judged(fresh, [note], killed(after, note))
  }
  const ended =
    counts === null
      ? ''
      : ` Until then ${countOf(counts.passed, 'test')} had passed and ${counts.failed} had failed.`
  const took = before === null || before.timedOut ? '' : tellTook(before)
  const message = `It did not end and was stopped after ${seconds} seconds.${took}${ended} Something in it waits or loops forever.\n${after.tail.slice(-tailOfTimeout)}`
  return judged([asFailure(after, message.trim(), 'Timeout'), ...fresh])
}

const tellTook = ({ seconds }: CommandReport): string =>
  ` Before this change it took ${seconds < 1 ? 'less than a second' : countOf(Math.round(seconds), 'second')}.`

/** A linter that times out blocks nothing. */
const killed = ({ role }: CommandReport, message: string): Diagnosis | null =>
  role === 'lint' ? null : { ...setUpFailed(message), kind: 'killed' }

/** Notes tests that turned green, and accept commands that passed without the change. */
function greenNotes(before: CommandReport | null, after: CommandReport): readonly string[] {
  if (before === null) return []
  if (after.role === 'accept' && before.exitCode === 0 && after.counts === null) {
    return [
      `${after.command} also passed before this change, so it does not show what the change does.`,
    ]
  }
  return before.failures.length === 0 || after.role === 'lint'
    ? []
    : [`Red before this change and green now: ${namesOf(before.failures)}.`]
}

function judgeAgainst(
  before: CommandReport,
  after: CommandReport,
  lostTests: readonly LostTest[],
): Judged {
  const isLint = after.role === 'lint'
  // Linter messages quote line numbers, which move.
  const identify = ({ file, test }: TestFailure) =>
    identity({ file, test: isLint ? test.replace(/\d+/g, '#') : test })
  const left = Map.groupBy(before.failures, identify)
  // A linter repeats a message within a file: one more occurrence is a new failure.
  const isKnown = (failure: TestFailure): boolean => {
    const same = left.get(identify(failure))
    return isLint ? same?.pop() !== undefined : same !== undefined
  }
  const { old = [], fresh = [] } = Object.groupBy(after.failures, (failure) =>
    isKnown(failure) ? 'old' : 'fresh',
  )
  const notes = old.length === 0 ? [] : [tellRed(old.length, after.role)]
  if (fresh.length > 0) return judged(fresh, notes)
  if (after.failures.length > 0) {
    if (!isShort(before, after, lostTests)) return judged([], notes)
    const message = `Only ${ranTests(after)} of the ${ranTests(before)} tests that ran before ran now.`
    return judged([asFailure(after, message)], notes)
  }
  if (wasKilled(after) && wasKilled(before)) {
    const note = `${after.command} was killed before it finished, as it was before this change.`
    return judged([], [...notes, note], killed(after, note))
  }
  const lack = after.counts === null && before.counts === null ? after.fault?.lack : null
  if (lack != null && before.fault?.lack != null) {
    const message = `${after.command} cannot be run here: ${lack.message}`
    return judged([], [message], isLint ? null : { ...lack, message })
  }
  // A crash after green tests is another one than a crash before them.
  const isSilenced = ranTests(before) > 0 && ranTests(after) === 0
  return before.failures.length === 0 && before.exitCode === after.exitCode && !isSilenced
    ? judged([], [`${after.command} failed in the same way before${tellEnd(after)}.`])
    : judged(failuresOf(after), notes)
}

/** Characters of a line of output. */
const longestEnd = 200

/** Why a command failed is in its output alone. */
function tellEnd({ tail }: CommandReport): string {
  const [last] = lastLines(tail, 1)
  return last === undefined ? '' : `, with: ${clip(last.trim(), longestEnd).replace(/\.$/, '')}`
}

/** Returns the reported failures, or one made from the end of the output. */
function failuresOf(report: CommandReport): readonly TestFailure[] {
  if (report.failures.length > 0) return report.failures
  const ending =
    report.exitCode === null ? 'It was killed.' : `It ended with code ${report.exitCode}.`
  return [asFailure(report, `${ending}\n${report.tail}`.trim())]
}

const asFailure = (report: CommandReport, message: string, errorType?: string): TestFailure =>
  failureSaying(report.command, message, errorType)

const namesOf = (failures: readonly TestFailure[]): string =>
  nameSome(
    failures.map(({ test }) => test),
    mostNamed,
  )

/** Returns true when more tests are missing than the deleted green ones explain. */
export function isShort(
  was: CommandReport,
  is: CommandReport,
  lostTests: readonly LostTest[],
): boolean {
  const deleted = lostTests.filter(({ kind, test }) => kind === 'deleted' && !wasRed(was, test))
  const areNamed = was.titles !== undefined && is.titles !== undefined
  // A table-driven test may run many times.
  const isExplained = areNamed && deleted.length > 0 && deleted.length === lostTests.length
  return !isExplained && ranTests(is) + deleted.length < ranTests(was)
}

/** Runners prefix a name with its suites and append its parameters. */
const wasRed = ({ failures }: CommandReport, test: string): boolean =>
  failures.some((failure) => failure.test === test || timesIn(failure.test, test) > 0)
