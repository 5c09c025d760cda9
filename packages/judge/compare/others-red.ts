import type { CommandReport, TestFailure, TestReport } from '../results/test-report.ts'
import { identity } from './read-outcome.ts'

/** True when some failures of the command are not among `broken`: they were red before, and other tasks fix them. */
export const hasOthers = (
  { failures }: Pick<CommandReport, 'failures'>,
  broken: readonly TestFailure[],
): boolean => countOthers(failures, broken) > 0

function countOthers(failures: readonly TestFailure[], broken: readonly TestFailure[]): number {
  const own = new Set(broken.map(identity))
  return failures.filter((failure) => !own.has(identity(failure))).length
}

/**
 * The output of a change's commands, for the step that classifies the failure. The output of a command with red tests of
 * others is mostly about those: their number takes its place, and `broken` has the messages of this change's own.
 */
export const outputWithoutOthers = (
  { commands }: TestReport,
  broken: readonly TestFailure[],
): string =>
  commands
    .map(({ failures, role, tail }) => {
      const others = countOthers(failures, broken)
      return others === 0 ? tail : tellRed(others, role, 'other ')
    })
    .join('\n')

/** `39 other tests were red before this change and still are.` */
export function tellRed(count: number, role: CommandReport['role'], other: 'other ' | '' = '') {
  const what = role === 'lint' ? 'finding' : 'test'
  const was = role === 'lint' ? 'there' : 'red'
  return count === 1
    ? `1 ${other}${what} was ${was} before this change and still is.`
    : `${count} ${other}${what}s were ${was} before this change and still are.`
}
