import type { CommandReport, TestFailure, TestReport } from '../../core/domain/test-report.ts'

/** What the same command said before the change. */
export const earlier = (
  before: TestReport | null,
  { command }: Pick<CommandReport, 'command'>,
): CommandReport | null => before?.commands.find((each) => each.command === command) ?? null

/** What makes two failures, of two runs, one and the same. */
export const identity = ({ file, test }: TestFailure): string => JSON.stringify([file, test])

/** What a linter says names other lines, which move. */
export const withoutNumbers = ({ file, test }: TestFailure): string =>
  JSON.stringify([file, test.replace(/\d+/g, '#')])
