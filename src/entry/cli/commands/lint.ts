import { readdir, realpath } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import {
  type LintFinding,
  type LintRule,
  lintRules,
  readDocument,
  visibleExample,
} from '../../../../packages/roadmap/roadmap.ts'
import { fenced } from '../../../../packages/text/text.ts'
import { createFileStore } from '../../../adapters/file-store.ts'
import { createSystemClock } from '../../../adapters/system.ts'
import { ExecutorError, isError } from '../../../core/domain/errors.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import type { Workspace } from '../../../core/ports/workspace.ts'
import { describeForecast } from '../../../model/budget/forecast.ts'
import { describeFindings, type LintReport, reportLint } from '../../../tasks/lint-report.ts'
import { suggestRoadmap } from '../../../tasks/missing-roadmap.ts'
import { openWorkspace } from '../../compose/compose-local.ts'
import { version } from '../../version.ts'
import type { Flags } from '../flags.ts'
import { loadSettings } from '../load-settings.ts'
import { findRoot, readInput } from '../read-input.ts'
import type { Terminal } from '../terminal.ts'
import { type SarifRule, writeSarif } from '../write-sarif.ts'

type LintFlags = Flags<'json' | 'sarif' | 'strict', 'roadmap'>

/** `executor lint`: returns 1 on errors (`--strict`: or warnings), else 0. */
export async function lint(
  file: string | undefined,
  flags: LintFlags,
  terminal: Terminal,
): Promise<number> {
  if (flags.json && flags.sarif) {
    throw new ExecutorError('bad_usage', '--json and --sarif are two documents: choose one.')
  }
  const root = await findRoot(terminal.directory)
  const settings = await loadSettings(root ?? terminal.directory, pick(flags), terminal)
  const path = file ?? join(root ?? terminal.directory, settings.roadmap)
  const hint = () => (file === undefined && root !== null ? suggestIn(root) : '')
  const { text, roadmap } = readDocument(await readInput(path, terminal, hint), settings)
  const name = path === '-' ? settings.roadmap : await nameOf(path, root, terminal)
  const around = root === null ? nothing : await lookAround(root, settings)
  const report = reportLint({ file: name, text, roadmap, settings, ...around })
  if (flags.sarif) terminal.print(writeLintSarif(report.findings, { path: name, text, version }))
  else if (flags.json) terminal.print(JSON.stringify(report, null, 2))
  else show(report, terminal)
  const { errors, warnings } = report.summary
  return errors > 0 || (flags.strict && warnings > 0) ? 1 : 0
}

const pick = ({ roadmap }: LintFlags) => (roadmap === undefined ? {} : { roadmap })

/** A hint at files on disk that may be meant. */
async function suggestIn(root: string): Promise<string> {
  const folders = ['', 'docs/', 'doc/', '.github/']
  const listed = folders.map(async (folder) => {
    const names = await readdir(join(root, folder)).catch(() => [])
    return names.map((name) => `${folder}${name}`)
  })
  return suggestRoadmap((await Promise.all(listed)).flat())
}

const nothing = { files: null, past: [] }

async function lookAround(root: string, settings: Settings) {
  const workspace = await openWorkspace(root, settings, createSystemClock())
  const base = await baseOf(workspace)
  if (base === null) return nothing
  const [files, past] = await Promise.all([
    workspace.listFiles(base.sha),
    createFileStore({ directory: join(root, '.executor') }).pastTasks(),
  ])
  return { files: new Map(files.map(({ path, size }) => [path, size])), past }
}

/** `null` before the first commit. */
async function baseOf(workspace: Workspace) {
  try {
    return (await workspace.refresh()).base
  } catch (error) {
    if (isError(error, 'no_commits')) return null
    throw error
  }
}

/** The path from the repository's root if it is inside, with slashes; otherwise as given. */
async function nameOf(path: string, root: string | null, terminal: Terminal): Promise<string> {
  const absolute = await realpath(resolve(terminal.directory, path))
  const inside = relative(root ?? terminal.directory, absolute)
  const isInside = inside !== '' && !inside.startsWith('..') && resolve(inside) !== inside
  return (isInside ? inside : path).split(sep).join('/')
}

const mostShown = 30

const colours = { error: 'red', warning: 'yellow', note: 'cyan' } as const

function show({ file, findings, summary, forecast }: LintReport, terminal: Terminal): void {
  for (const finding of findings) terminal.print(describeLine(file, finding, terminal))
  for (const { id, title, tokens, dollars } of forecast.tasks.slice(0, mostShown)) {
    const cost = dollars === null ? '' : ` $${dollars.toFixed(4)}`
    const line = `  ${id.padEnd(10)} ${String(tokens).padStart(7)} tokens${cost}  ${title}`
    terminal.say(terminal.paint('dim', line))
  }
  const left = forecast.tasks.length - mostShown
  if (left > 0) terminal.say(terminal.paint('dim', `  and ${left} more (--json has all)`))
  const { tokens, dollars, pastTasks: samples } = forecast
  const tasks = forecast.tasks.length
  terminal.say(`Forecast: ${describeForecast({ tasks, tokens, dollars, samples })}.`)
  terminal.say(`${file}: ${describeFindings(summary)}.`)
}

/** `ROADMAP.md:3:1 warning vague-task message`, and the fix below it. */
function describeLine(file: string, finding: LintFinding, terminal: Terminal): string {
  const { line, column, severity, rule, message, fix } = finding
  const level = terminal.paint(colours[severity], severity)
  return `${file}:${line}:${column} ${level} ${rule} ${message}\n    ${fix}`
}

/** The findings as SARIF. `path` is relative to the repository root, with slashes. */
export function writeLintSarif(
  findings: readonly LintFinding[],
  {
    path,
    text,
    version: by,
  }: { readonly path: string; readonly text: string; readonly version: string },
): string {
  const lines = text.split(/\r\n|\n|\r/)
  const results = findings.map(({ rule, severity, message, fix, line, column }) => ({
    ...{ rule, severity, path, line, column },
    message: `${message} ${fix}`,
    mark: (lines[line - 1] ?? '').replace(/\s+/g, ' ').trim(),
  }))
  const rules = lintRules.map(toSarifRule)
  return writeSarif({ command: 'lint', marks: 'roadmapLine/v1', rules, results, by })
}

function toSarifRule({ id, severity, summary, help, bad, good }: LintRule): SarifRule {
  const example = (text: string) => fenced(visibleExample(text), 'markdown')
  return {
    ...{ id, severity, summary, page: `lint.md#${id}`, tag: 'roadmap' },
    help: {
      text: `${help}\n\nInstead of:\n${visibleExample(bad)}\n\nWrite:\n${good}`,
      markdown: `${help}\n\nInstead of:\n\n${example(bad)}\n\nWrite:\n\n${example(good)}`,
    },
  }
}
