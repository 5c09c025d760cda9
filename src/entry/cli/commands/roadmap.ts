import { join } from 'node:path'
import { createFileStore } from '../../../adapters/file-store.ts'
import { openPlainFolder } from '../../../adapters/plain-folder.ts'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { isError } from '../../../core/domain/errors.ts'
import { describeForecast, forecastTasks } from '../../../model/budget/forecast.ts'
import { orderTasks } from '../../../roadmap/document/order-tasks.ts'
import { describeRoadmap } from '../../../roadmap/document/read-roadmap.ts'
import { planGroups } from '../../../roadmap/groups/choose-group.ts'
import { loadOpenTasks, orderOpenTasks } from '../../../roadmap/load-roadmap.ts'
import { readDocument } from '../../../roadmap/unboxed/tick-unboxed.ts'
import { loadSettings } from '../load-settings.ts'
import { openRoadmap } from '../open-roadmap.ts'
import { findRoot, readInput } from '../read-input.ts'
import type { Terminal } from '../terminal.ts'

/** `executor plan`: order, groups and forecast. Returns 0, or 2 when the roadmap has errors. */
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
  const units = planGroups(order, { by: settings.group, dependsOn, sizes })
  const together = units.filter(({ length }) => length > 1).map((unit) => unit.map(({ id }) => id))
  if (flags.json) {
    const forecast = { tokens, dollars, pastTasks: samples }
    const joint = settings.group === 'off' ? {} : { requests: together }
    terminal.print(JSON.stringify({ tasks, groups, ...joint, forecast }, null, 2))
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
  for (const ids of together) terminal.print(`In one request: ${ids.join(', ')}`)
  terminal.say(`${describeForecast({ tasks: tasks.length, tokens, dollars, samples })}.`)
  return 0
}

/** The plan of the base commit or, if the roadmap is not committed yet, of the file on disk. */
async function readPlan(flags: Readonly<Record<string, unknown>>, terminal: Terminal) {
  try {
    const { root, settings, workspace, view, roadmap } = await openRoadmap(flags, terminal)
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

const marks = { pending: ' ', in_progress: '~', done: 'x', cancelled: '-', blocked: '!' } as const

/** `executor parse`: returns 0, or 1 when the roadmap has errors. */
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
