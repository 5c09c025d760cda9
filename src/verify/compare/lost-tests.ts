import type { CommandReport, TestFailure, TestReport } from '../../core/domain/test-report.ts'
import { failureSaying } from './failure-saying.ts'
import { timesIn } from './find-unrun.ts'
import { earlier } from './pair-runs.ts'
import { hasTests, isTested, missingProgram, ranTests, totalOf } from './read-outcome.ts'

export interface LostTest {
  readonly test: string
  readonly kind: 'deleted' | 'skipped'
}

const mostNamed = 5

/** There were tests, and there are none. */
export function missingTests(before: TestReport | null, after: TestReport): readonly TestFailure[] {
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
 * Of the commands that ran on both trees and count their tests. Green tests that the change takes away are
 * its reviewer's to judge, and a warning; where tests have names, those are looked for by name.
 */
export function fewerTests(
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
    return [failureSaying(command.command, message)]
  })
}

/** Fewer tests ran than can be told by green ones that the change takes away. */
export function isShort(
  was: CommandReport,
  is: CommandReport,
  lostTests: readonly LostTest[],
): boolean {
  const deleted = lostTests.filter(({ kind, test }) => kind === 'deleted' && !wasRed(was, test))
  const areNamed = was.titles !== undefined && is.titles !== undefined
  // One test may run many times, from a table.
  const isTold = areNamed && deleted.length > 0 && deleted.length === lostTests.length
  return !isTold && ranTests(is) + deleted.length < ranTests(was)
}

/** Runners put suites before a name, and parameters behind it. */
const wasRed = ({ failures }: CommandReport, test: string): boolean =>
  failures.some((failure) => failure.test === test || timesIn(failure.test, test) > 0)
