import { join } from 'node:path'
import { openTree } from '../../../../packages/change/change.ts'
import { readDocument } from '../../../../packages/roadmap/roadmap.ts'
import { orderTasks } from '../../../../packages/task/task.ts'
import { createFileStore } from '../../../adapters/file-store.ts'
import { openPlainFolder } from '../../../adapters/plain-folder.ts'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { isError } from '../../../core/domain/errors.ts'
import { forecastTasks } from '../../../model/budget/forecast.ts'
import { planGroups } from '../../../tasks/groups/choose-group.ts'
import { loadOpenTasks, orderOpenTasks } from '../../../tasks/load-roadmap.ts'
import { loadSettings } from '../load-settings.ts'
import { openRoadmap } from '../open-roadmap.ts'
import type { Terminal } from '../terminal.ts'

/**
 * The open tasks in order and in groups, with a forecast: the document of `executor plan --json`. Of a roadmap with
 * errors, the lines that say so.
 */
export async function planOpenTasks(flags: Readonly<Record<string, unknown>>, terminal: Terminal) {
  const { root, settings, roadmap, open, files, isCommitted } = await readTasks(flags, terminal)
  const errors = roadmap.problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    const lines = errors.map(
      ({ line, column, message, fix }) =>
        `${settings.roadmap}:${line}:${column} ${message}\n    ${fix}`,
    )
    return { status: 'wrong', lines } as const
  }
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
  const forecast = { tokens, dollars, pastTasks: samples }
  const joint = settings.group === 'off' ? {} : { requests: together }
  return { status: 'planned', plan: { tasks, groups, ...joint, forecast }, isCommitted } as const
}

/** The plan of the base commit or, if the roadmap is not committed yet, of the file on disk. */
async function readTasks(flags: Readonly<Record<string, unknown>>, terminal: Terminal) {
  try {
    const { root, settings, workspace, view, roadmap } = await openRoadmap(flags, terminal)
    const where = { roadmap: { base: view.base, path: settings.roadmap } }
    const open = await loadOpenTasks(where, { workspace, settings })
    const { files } = await openTree(view.base.sha, workspace)
    return { root, settings, roadmap, open, files, isCommitted: true }
  } catch (error) {
    if (!isError(error, 'no_commits', 'no_roadmap')) throw error
    const { root } = await findRepository(terminal.directory)
    const settings = await loadSettings(root, flags, terminal)
    const { readTexts } = await openPlainFolder(root)
    const text = (await readTexts([settings.roadmap])).get(settings.roadmap)
    if (text === undefined) throw error
    const { roadmap } = readDocument(text, settings)
    terminal.say(`${settings.roadmap} is not committed yet: this is the plan of the file on disk.`)
    const open = orderOpenTasks({ roadmap }, [])
    return { root, settings, roadmap, open, files: [], isCommitted: false }
  }
}
