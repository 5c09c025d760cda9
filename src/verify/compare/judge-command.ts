import type { Diagnosis } from '../../core/domain/diagnosis.ts'
import type { CommandReport, TestFailure } from '../../core/domain/test-report.ts'
import { setUpFailed } from '../../text/diagnosis/diagnose.ts'
import { adviceFor, installOf } from '../../text/diagnosis/patterns.ts'
import { failureSaying } from './failure-saying.ts'
import { isShort, type LostTest } from './lost-tests.ts'
import { identity, withoutNumbers } from './pair-runs.ts'
import { isNoTests, missingProgram, ranTests, wasKilled } from './read-outcome.ts'

/** Judgement of one command. */
export interface Judged {
  readonly broken: readonly TestFailure[]
  readonly notes: readonly string[]
  readonly cannotRun: Diagnosis | null
}

const mostNamed = 5
/** Of a run that never ended, in characters. */
const tailOfTimeout = 600

const killed = (message: string): Diagnosis => ({ ...setUpFailed(message), kind: 'killed' })

/** What the change broke of one command, by what the same command said before. */
export function judgeRun(
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
  const lack = after.counts === null && before.counts === null ? after.fault?.lack : null
  if (lack != null && before.fault?.lack != null) {
    const message = `${after.command} cannot be run here: ${lack.message}`
    const cannotRun = after.role === 'lint' ? null : { ...lack, message }
    return { broken: [], notes: [message], cannotRun }
  }
  return before.failures.length === 0 && before.exitCode === after.exitCode
    ? { broken: [], notes: [`${after.command} failed in the same way before.`], cannotRun: null }
    : { broken: failuresOf(after), notes, cannotRun: null }
}

/** What a failing command says, or one failure made of its last words. */
function failuresOf(report: CommandReport): readonly TestFailure[] {
  if (report.failures.length > 0) return report.failures
  const ending =
    report.exitCode === null ? 'It was killed.' : `It ended with code ${report.exitCode}.`
  return [asFailure(report, `${ending}\n${report.tail}`.trim())]
}

const asFailure = (report: CommandReport, message: string, errorType?: string): TestFailure =>
  failureSaying(report.command, message, errorType)

function nameSome(failures: readonly TestFailure[]): string {
  const names = failures.slice(0, mostNamed).map(({ test }) => test)
  const more = failures.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
