import type { Receipt } from '../../../packages/judge/judge.ts'
import { countOf, fenced, fold } from '../../../packages/text/text.ts'

type TestCounts = NonNullable<Receipt['after']>

/** The receipt on one line: for a commit trailer, a terminal, a table cell. */
export function describeReceipt(receipt: Receipt): string {
  if (receipt.commands.length === 0) return `${receipt.result}: nothing was run`
  const commands = receipt.commands
    .map(({ command, exitCode, before }) => {
      const isAsBefore = exitCode !== 0 && before != null && before.exitCode === exitCode
      const ending = `${exitCode ?? 'killed'}${isAsBefore ? ', as before' : ''}`
      return `${command.replaceAll(/\s+/g, ' ')} → ${ending}`
    })
    .join('; ')
  const counts = receipt.after === null ? '' : `, ${describeCounts(receipt.before, receipt.after)}`
  const sandbox = receipt.sandbox === null ? '' : `, ${receipt.sandbox}`
  const warned = receipt.warnings?.length ?? 0
  const warnings = warned === 0 ? '' : `, ${countOf(warned, 'warning')}`
  const seconds = receipt.seconds.toFixed(1)
  return `${receipt.result}: ${commands}${counts}, ${seconds} s${sandbox}${warnings}`
}

/** The last lines of output of each command that failed, folded. */
export const describeOutputs = ({ commands }: Receipt): readonly string[] =>
  commands.flatMap(({ output }, index) =>
    output === undefined ? [] : [fold(`The last lines of command ${index + 1}`, fenced(output))],
  )

/** The result of a command, for a table cell: `9 passed, 0 failed`, else its exit code; `–` when it did not run. */
export function describeRun(
  run: { readonly exitCode: number | null; readonly counts?: Receipt['after'] | undefined } | null,
): string {
  if (run === null) return '–'
  const ending = run.exitCode === null ? 'killed' : `exit code ${run.exitCode}`
  return run.counts == null
    ? ending
    : `${counted(run.counts)}${run.exitCode === null ? ', then killed' : ''}`
}

/** `12 passed, 0 failed (before: 9 passed, 0 failed)` */
export function describeCounts(before: Receipt['before'], after: TestCounts): string {
  const now = counted(after)
  return before === null ? now : `${now} (before: ${counted(before)})`
}

function counted({ passed, failed, skipped }: TestCounts): string {
  const more = skipped > 0 ? `, ${skipped} skipped` : ''
  return `${passed} passed, ${failed} failed${more}`
}
