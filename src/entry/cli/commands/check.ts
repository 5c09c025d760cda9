import { ExecutorError } from '../../../core/domain/errors.ts'
import { type CheckFinding, checkRules } from '../../../runs/check/check-rules.ts'
import { findChange, isPassed, runCheck } from '../documents/check.ts'
import type { Flags } from '../flags.ts'
import { untilInterrupted } from '../interrupt.ts'
import { showCheck } from '../show-check.ts'
import type { Terminal } from '../terminal.ts'
import { writeSarif } from '../write-sarif.ts'

type CheckFlags = Flags<'json' | 'sarif' | 'strict', 'base' | 'task' | 'roadmap'>

/**
 * `executor check`: gives a branch or a patch what a draft of the executor gets. Returns 0 when it passes, else 1.
 * Touches nothing in the repository.
 */
export async function check(
  change: string,
  { base, task, roadmap, ...flags }: CheckFlags,
  terminal: Terminal,
): Promise<number> {
  if (flags.json && flags.sarif) {
    throw new ExecutorError('bad_usage', '--json and --sarif are two documents: choose one.')
  }
  const found = await findChange({ change, base, task, roadmap }, terminal)
  const report = await untilInterrupted(
    terminal,
    (signal) => runCheck(found, terminal, signal),
    'Stopping the check.',
  )
  if (flags.sarif) terminal.print(writeCheckSarif(report.findings))
  else if (flags.json) terminal.print(JSON.stringify(report, null, 2))
  else showCheck(report, terminal)
  return isPassed(report, flags.strict === true) ? 0 : 1
}

/** The findings as SARIF. */
export const writeCheckSarif = (findings: readonly CheckFinding[]): string =>
  writeSarif({
    ...{ command: 'check', marks: 'checkFinding/v1' },
    rules: Object.entries(checkRules).map(([id, { severity, summary }]) => ({
      ...{ id, severity, summary, page: 'check.md#findings', tag: 'check' },
      help: { text: summary, markdown: summary },
    })),
    results: findings.map((finding) => ({
      ...finding,
      mark: `${finding.path}\0${finding.message}`,
    })),
  })
