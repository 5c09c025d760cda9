import { earlier, identity } from '../compare/read-outcome.ts'
import type { Receipt, TestEvidence, TestReport } from '../results/test-report.ts'

/**
 * What the tests show of a change. Its one source: terminal, pull request, report and check read it from the receipt.
 *
 * @param isShown a test of the change was seen red without its code
 * @returns `undefined` for a change that does not pass
 */
export function evidenceOf(
  { result }: Pick<Receipt, 'result'>,
  before: TestReport | null,
  after: TestReport,
  isShown: boolean,
): TestEvidence | undefined {
  if (result === 'failed') return undefined
  if (result === 'unverified') return 'unverified'
  return isShown || turnsGreen(before, after) ? 'proven' : 'unharmed'
}

/** A test, or a command without tests, was red without the change and is green with it. */
const turnsGreen = (before: TestReport | null, after: TestReport): boolean =>
  after.commands
    .filter(({ role }) => role !== 'lint')
    .some((command) => {
      const was = earlier(before, command)
      if (was === null) return false
      const red = new Set(command.failures.map(identity))
      const isMended = was.failures.some((failure) => !red.has(identity(failure)))
      const isPassing = command.exitCode === 0 && was.exitCode !== 0
      return isPassing || (isMended && (command.counts?.failed ?? 0) < (was.counts?.failed ?? 0))
    })
