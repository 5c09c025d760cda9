import { validateFile } from '../../../../packages/judge/judge.ts'
import { createWasmSyntaxChecker } from '../../../../packages/source/source.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Flags } from '../flags.ts'
import { readInput } from '../read-input.ts'
import type { Terminal } from '../terminal.ts'

type FileReport = Awaited<ReturnType<typeof validateFile>>

/** `executor validate`: returns 0 when no file has a problem, else 1. */
export async function validate(
  files: readonly string[],
  flags: Flags<'json', 'path'>,
  terminal: Terminal,
): Promise<number> {
  if (files.includes('-') && flags.path === undefined) {
    throw new ExecutorError('bad_usage', 'Standard input needs a name: --path src/a.ts')
  }
  const syntax = createWasmSyntaxChecker()
  try {
    const reports: FileReport[] = []
    for (const file of files) {
      const text = await readInput(file, terminal)
      const path = file === '-' ? (flags.path ?? file) : file
      reports.push(await validateFile({ path, text }, { syntax }))
    }
    if (flags.json) terminal.print(JSON.stringify(reports.map(contract), null, 2))
    else for (const report of reports) show(report, terminal)
    return reports.every(({ valid }) => valid) ? 0 : 1
  } finally {
    await syntax.close()
  }
}

/** The stable keys of `--json`; hints are only for people. */
function contract({ path, language, valid, checked, problems }: FileReport) {
  return { path, language, valid, checked, problems }
}

function show(report: FileReport, terminal: Terminal): void {
  const { path, language, valid, checked, problems, hints } = report
  if (!checked) terminal.print(`${path}  not checked (${language})`)
  else if (valid) terminal.print(`${path}  ok (${language})`)
  for (const { line, column, message } of problems) {
    terminal.print(`${path}:${line}:${column} ${message}`)
  }
  for (const { line, column, message } of hints) {
    terminal.print(`${path}:${line}:${column} hint: ${message}`)
  }
}
