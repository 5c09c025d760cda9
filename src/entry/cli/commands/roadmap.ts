import { join } from 'node:path'
import { createFileStore } from '../../../adapters/file-store.ts'
import { openPlainFolder } from '../../../adapters/plain-folder.ts'
import { createSystemClock } from '../../../adapters/system-clock.ts'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError, isError } from '../../../core/domain/errors.ts'
import { describeForecast, forecastTasks } from '../../../model/budget/forecast.ts'
import { describeRoadmap } from '../../../roadmap/document/describe-roadmap.ts'
import { orderTasks } from '../../../roadmap/document/order-tasks.ts'
import { loadOpenTasks, loadRoadmap, orderOpenTasks } from '../../../roadmap/load-roadmap.ts'
import { reconcileTasks } from '../../../roadmap/standing/reconcile-tasks.ts'
import { readDocument } from '../../../roadmap/unboxed/read-document.ts'
import { openWorkspace } from '../../compose/local-workspace.ts'
import { loadSettings } from '../load-settings.ts'
import { paintMark } from '../progress.ts'
import { findRoot, readInput } from '../read-input.ts'
import type { Terminal } from '../terminal.ts'

/** `executor plan`: order, groups and forecast; 0, or 2 when the roadmap has errors. */
export async function plan(
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const { root, settings, roadmap, open, files } = await readPlan(flags, terminal)
  const errors = roadmap.problems.filter(({ severity }) => severity === 'error')
  for (const { line, column, message, fix } of errors) {
    terminal.say(`${settings.roadmap}:${line}:${column} ${message}\n    ${fix}`)
  }
  if (errors.length > 0) return 2
  const { order, dependsOn } = open
  const sizes = new Map(files.map(({ path, size }) => [path, size]))
  const past = await createFileStore({ directory: join(root, '.executor') }).pastTasks()
  const { byTask, tokens, dollars, samples } = forecastTasks(order, sizes, settings, past)
  const tasks = order.map((task) => ({
    id: task.id,
    title: task.title,
    dependsOn: dependsOn.get(task.id) ?? [],
    tokens: byTask.get(task.id)?.tokens ?? 0,
    dollars: byTask.get(task.id)?.dollars ?? null,
  }))
  const { groups } = orderTasks(
    order.map((task) => ({ ...task, dependsOn: dependsOn.get(task.id) ?? [] })),
  )
  if (flags.json) {
    const forecast = { tokens, dollars, pastTasks: samples }
    terminal.print(JSON.stringify({ tasks, groups, forecast }, null, 2))
    return 0
  }
  const byId = new Map(tasks.map((task) => [task.id, task]))
  for (const [index, group] of groups.entries()) {
    terminal.print(terminal.paint('bold', `Group ${index + 1}`))
    for (const id of group) {
      const task = byId.get(id)
      if (task === undefined) continue
      const after = task.dependsOn.length > 0 ? `  after ${task.dependsOn.join(', ')}` : ''
      terminal.print(
        `  ${id.padEnd(10)} ${String(task.tokens).padStart(7)} tokens  ${task.title}${after}`,
      )
    }
  }
  terminal.say(`${describeForecast({ tasks: tasks.length, tokens, dollars, samples })}.`)
  return 0
}

/** The plan of the base commit, or, before the roadmap is committed, of the file on disk. */
async function readPlan(flags: Readonly<Record<string, unknown>>, terminal: Terminal) {
  try {
    const { root, settings, workspace, view, roadmap } = await openRepository(flags, terminal)
    const where = { roadmap: { base: view.base, path: settings.roadmap } }
    const open = await loadOpenTasks(where, { workspace, settings })
    return { root, settings, roadmap, open, files: await workspace.listFiles(view.base.sha) }
  } catch (error) {
    if (!isError(error, 'no_commits', 'no_roadmap')) throw error
    const { root } = await findRepository(terminal.directory)
    const settings = await loadSettings(root, flags, terminal)
    const { readTexts } = await openPlainFolder(root)
    const text = (await readTexts([settings.roadmap])).get(settings.roadmap)
    if (text === undefined) throw error
    const { roadmap } = readDocument(text, settings)
    terminal.say(`${settings.roadmap} is not committed yet: this is the plan of the file on disk.`)
    return { root, settings, roadmap, open: orderOpenTasks({ roadmap }, []), files: [] }
  }
}

export async function status(
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const { roadmap, view } = await openRepository(flags, terminal)
  const { results } = reconcileTasks({
    tasks: roadmap.tasks,
    branches: view.branches,
    pullRequests: [],
    forge: 'local',
    only: null,
    base: view.base.branch,
  })
  const tasks = roadmap.tasks.map(({ id, title, status: box }) => ({
    id,
    title,
    status: results[id]?.verdict ?? box,
    branch: results[id]?.branch ?? null,
    reason: results[id]?.reason ?? '',
  }))
  if (flags.json) {
    terminal.print(JSON.stringify({ base: view.base, tasks }, null, 2))
    return 0
  }
  for (const { id, title, status: now, branch, reason } of tasks) {
    const result = results[id]
    const mark = result ? paintMark(result.verdict, terminal) : now === 'done' ? '✔' : '·'
    const where = branch === null ? '' : `  ${branch}`
    terminal.print(`${mark} ${id.padEnd(10)} ${now.padEnd(11)} ${title}${where}`)
    if (reason !== '' && result?.verdict === 'waiting') terminal.print(`    ${reason}`)
  }
  const done = tasks.filter((task) => task.status === 'done' || task.status === 'unverified')
  terminal.say(
    `${done.length} of ${tasks.length} done; base ${view.base.branch} ${view.base.sha.slice(0, 7)}`,
  )
  return 0
}

const marks = { pending: ' ', in_progress: '~', done: 'x', cancelled: '-', blocked: '!' } as const

/** `executor parse`: 0, or 1 when the roadmap has errors. */
export async function parse(
  file: string,
  flags: { readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const text = await readInput(file, terminal)
  const root = await findRoot(terminal.directory)
  const settings = await loadSettings(root ?? terminal.directory, {}, terminal)
  const { roadmap } = readDocument(text, settings)
  const failed = roadmap.problems.some(({ severity }) => severity === 'error')
  if (flags.json) {
    terminal.print(JSON.stringify(describeRoadmap(roadmap), null, 2))
    return failed ? 1 : 0
  }
  for (const task of roadmap.tasks) {
    const more = task.dependsOn.length > 0 ? `  (after ${task.dependsOn.join(', ')})` : ''
    terminal.print(`[${marks[task.status]}] ${task.id}  ${task.title}${more}`)
  }
  for (const problem of roadmap.problems) {
    const { severity, line, column, message, fix } = problem
    terminal.say(`${file}:${line}:${column} ${severity}: ${message}\n    ${fix}`)
  }
  if (roadmap.tasks.length === 0) {
    terminal.say('No tasks. A task is a check box in a list: - [ ] Add a login page')
  }
  return failed ? 1 : 0
}

/**
 * A repository to look at: no lock, no model, nothing written into it.
 *
 * @throws ExecutorError `not_a_repository`, `config_invalid`, `no_roadmap`
 */
async function openRepository(flags: Readonly<Record<string, unknown>>, terminal: Terminal) {
  const { root } = await findRepository(terminal.directory)
  const settings = await loadSettings(root, flags, terminal)
  const workspace = await openWorkspace(root, settings, createSystemClock())
  const view = await workspace.refresh()
  const where = { roadmap: { base: view.base, path: settings.roadmap } }
  const roadmap = await loadRoadmap(where, { workspace, settings })
  if (roadmap === null) throw new ExecutorError('no_roadmap', settings.roadmap)
  return { root, settings, workspace, view, roadmap }
}
