import { join } from 'node:path'
import { createFileStore } from '../../../adapters/file-store.ts'
import { describeForecast } from '../../../model/budget/describe-forecast.ts'
import { forecastTasks } from '../../../model/budget/forecast-tasks.ts'
import { orderTasks } from '../../../roadmap/document/order-tasks.ts'
import { loadOpenTasks } from '../../../roadmap/load-roadmap.ts'
import { openRepository } from '../open-repository.ts'
import type { Terminal } from '../terminal.ts'

/** `executor plan`: order, groups and forecast; 0, or 2 when the roadmap has errors. */
export async function plan(
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const { root, settings, workspace, view, roadmap } = await openRepository(flags, terminal)
  const errors = roadmap.problems.filter(({ severity }) => severity === 'error')
  for (const { line, column, message, fix } of errors) {
    terminal.say(`${settings.roadmap}:${line}:${column} ${message}\n    ${fix}`)
  }
  if (errors.length > 0) return 2
  const where = { base: view.base, roadmap: settings.roadmap }
  const { order, dependsOn } = await loadOpenTasks(where, { workspace, settings })
  const files = await workspace.listFiles(view.base.sha)
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
    terminal.print(
      JSON.stringify({ tasks, groups, forecast: { tokens, dollars, pastTasks: samples } }, null, 2),
    )
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
