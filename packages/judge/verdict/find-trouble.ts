import { type ClassifiedError, isKnownTool, signatureOf } from '../../diagnosis/diagnosis.ts'
import { earlier } from '../compare/read-outcome.ts'
import type { CommandReport } from '../results/test-report.ts'
import { reportOf, type Verification } from '../run/verify-folder.ts'

/** A command line of the project that cannot run as written. */
export interface CommandTrouble {
  /** As a person typed it. */
  readonly subject: string
  readonly role: 'tests' | 'lint' | 'accept' | 'setup'
  readonly error: ClassifiedError
  readonly signature: string
  readonly output: string
}

/**
 * Returns the command lines that could not run, neither with the change nor before it. A well-known tool that this
 * machine lacks does not make a command wrong. An accept command may name files that the task is to create: only a
 * missing program or folder makes it wrong.
 */
export function findTroubles(before: Verification, after: Verification): readonly CommandTrouble[] {
  if (after.status === 'not_prepared') {
    const { setup, error, output } = after
    const isWrong = setup !== null && isCorrectable(error, 'setup')
    return isWrong && before.status === 'not_prepared'
      ? [trouble(setup, 'setup', error, output)]
      : []
  }
  return after.report.commands.flatMap((command) => {
    const { role = 'tests' } = command
    const error = whyNotStarted(command)
    if (error === null || !isCorrectable(error, role)) return []
    if (couldStart(before, command)) return []
    return [trouble(command.command, role, error, command.tail)]
  })
}

function trouble(
  subject: string,
  role: CommandTrouble['role'],
  error: ClassifiedError,
  output: string,
): CommandTrouble {
  const signature = signatureOf({ type: error.type, tool: subject, message: error.line })
  return { subject, role, error, signature, output }
}

function isCorrectable(error: ClassifiedError, role: CommandTrouble['role']): boolean {
  if (!error.isWrongCommand) return false
  if (error.program !== null && isKnownTool(error.program)) return false
  return role !== 'accept' || error.program !== null || /\bcd\b/.test(error.line)
}

/** Why the command ran nothing; `null` for one that did its work, well or badly. */
export function whyNotStarted(report: CommandReport): ClassifiedError | null {
  const { ended, counts, failures, flaky, fault } = report
  if (ended !== undefined || flaky !== undefined || counts !== null) return null
  const isNamed = failures.some(({ file, test }) => file !== null && test !== report.command)
  if (isNamed) return null
  return fault?.error?.isWrongCommand ? fault.error : null
}

function couldStart(before: Verification, command: CommandReport): boolean {
  const was = earlier(reportOf(before), command)
  return was !== null && whyNotStarted(was) === null
}
