import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  openExchange,
  type ReadPlan,
  readDocument,
  type TriedTask,
} from '../../../../packages/roadmap/roadmap.ts'
import { isToDo } from '../../../../packages/task/task.ts'
import { countOf } from '../../../../packages/text/text.ts'
import { newest, readState } from '../../../adapters/file-store/state-files.ts'
import { openClient } from '../../../adapters/octokit/client.ts'
import { type IssueFilter, listIssues } from '../../../adapters/octokit/list-issues.ts'
import { createSystemClock } from '../../../adapters/system.ts'
import { findRepository, originOf } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { findGitHub } from '../find-github.ts'
import type { Flags } from '../flags.ts'
import { loadSettings } from '../load-settings.ts'
import { readInput } from '../read-input.ts'
import type { Terminal } from '../terminal.ts'

type ImportFlags = Flags<'write' | 'json', 'from'> & Partial<IssueFilter>

/**
 * `executor import`: adds the tasks of another program's plan, or of GitHub issues, to the roadmap. Prints the result;
 * `--write` saves it. Returns 0, or 1 when the plan has no tasks.
 */
export async function importPlan(
  source: string,
  flags: ImportFlags,
  terminal: Terminal,
): Promise<number> {
  const { root } = await findRepository(terminal.directory)
  const { roadmap } = await loadSettings(root, {}, terminal)
  const path = join(root, roadmap)
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new ExecutorError('file_unreadable', roadmap, { cause: error })
  })
  const plan =
    source === 'issues'
      ? await fromIssues(flags, terminal)
      : await fromFile(source, flags, terminal)
  const { importTasks } = await openExchange()
  const { text, added, known, notes } = importTasks(plan, before)
  if (flags.write && text !== before) await writeFile(path, text)
  if (flags.json) terminal.print(JSON.stringify({ added, known, notes, document: text }, null, 2))
  else if (!flags.write) terminal.print(text.trimEnd())
  for (const note of notes) terminal.say(`note: ${note}`)
  if (plan.tasks.length === 0) {
    terminal.say('The plan has no tasks.')
    return 1
  }
  if (known.length > 0)
    terminal.say(
      `${countOf(known.length, 'task')} left as written: ${roadmap} has ${known.join(', ')}.`,
    )
  if (added.length === 0) terminal.say(`${roadmap} has all of them.`)
  else if (flags.write)
    terminal.say(`${roadmap}: ${countOf(added.length, 'task')} added. Read it and commit it.`)
  else terminal.say(`${countOf(added.length, 'task')} would be added. Add --write to save them.`)
  return 0
}

async function fromFile(
  source: string,
  { from }: ImportFlags,
  terminal: Terminal,
): Promise<ReadPlan> {
  const { formatOf, UnreadablePlan, planFormats, readPlanFile } = await openExchange()
  const format =
    planFormats.find((each) => each === from) ?? (from === undefined ? formatOf(source) : null)
  if (format === null) {
    const all = planFormats.join(', ')
    throw new ExecutorError(
      'bad_usage',
      `The format of ${source} is unknown: name it with --from, one of ${all}.`,
    )
  }
  const text = await readInput(source, terminal)
  try {
    return readPlanFile(text, format)
  } catch (error) {
    if (!(error instanceof UnreadablePlan)) throw error
    throw new ExecutorError('bad_usage', error.message, { cause: error })
  }
}

async function fromIssues(
  { label, milestone }: ImportFlags,
  { directory, environment, say }: Terminal,
): Promise<ReadPlan> {
  if (label === undefined && milestone === undefined) {
    throw new ExecutorError('bad_usage', 'Say which issues: --label <name> or --milestone <title>.')
  }
  const { token, ...place } = findGitHub(
    await originOf(await findRepository(directory)),
    environment,
  )
  const clock = createSystemClock()
  const repository = openClient({ ...place, token: () => token, clock, log: say })
  const { readIssues } = await openExchange()
  return readIssues(await listIssues(repository, { label, milestone }))
}

/**
 * `executor export`: prints the roadmap's tasks in another form, with what the last run in this folder made of the open
 * ones. Returns 0.
 */
export async function exportPlan(
  flags: Flags<never, 'to' | 'roadmap'>,
  terminal: Terminal,
): Promise<number> {
  const { root } = await findRepository(terminal.directory)
  const settings = await loadSettings(root, { ...flags }, terminal)
  const to = flags.to ?? 'plan'
  const { toPlanTasks, writeMermaid, writePlanYaml } = await openExchange()
  const writers: Readonly<Record<string, (tasks: readonly TriedTask[]) => string>> = {
    plan: writePlanYaml,
    json: (tasks) => JSON.stringify({ tasks }, null, 2),
    mermaid: writeMermaid,
  }
  const write = Object.hasOwn(writers, to) ? writers[to] : undefined
  if (write === undefined) {
    throw new ExecutorError(
      'bad_usage',
      `There is no format ${to}; choose ${Object.keys(writers).join(', ')}.`,
    )
  }
  const text = await readInput(join(root, settings.roadmap), terminal)
  const { tasks } = readDocument(text, settings).roadmap
  const read = await readState(join(root, '.executor'), newest)
  if (read.status === 'damaged' || read.status === 'unknown')
    terminal.say(`note: what the last run did is unknown: ${read.detail}`)
  const results = read.status === 'read' ? read.state.tasks.results : {}
  const open = new Map(tasks.filter(isToDo).map(({ id, fingerprint }) => [id, fingerprint]))
  const tried = toPlanTasks(tasks).map((task): TriedTask => {
    const { verdict, reason, branch, fingerprint } = results[task.id] ?? {}
    if (verdict === undefined || open.get(task.id) !== fingerprint) return task
    return { ...task, verdict, ...(reason && { reason }), ...(branch && { branch }) }
  })
  terminal.print(write(tried).trimEnd())
  return 0
}
