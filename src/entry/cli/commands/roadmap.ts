import { describeRoadmap, readDocument } from '../../../../packages/roadmap/roadmap.ts'
import { describeForecast } from '../../../model/budget/forecast.ts'
import { planOpenTasks } from '../documents/plan.ts'
import type { Flags } from '../flags.ts'
import { loadSettings } from '../load-settings.ts'
import { findRoot, readInput } from '../read-input.ts'
import type { Terminal } from '../terminal.ts'

/** `executor plan`: order, groups and forecast. Returns 0, or 2 when the roadmap has errors. */
export async function plan(
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const read = await planOpenTasks(flags, terminal)
  if (read.status === 'wrong') {
    for (const line of read.lines) terminal.say(line)
    return 2
  }
  const { tasks, groups, requests = [], forecast } = read.plan
  if (flags.json) {
    terminal.print(JSON.stringify(read.plan, null, 2))
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
  for (const ids of requests) terminal.print(`In one request: ${ids.join(', ')}`)
  const { tokens, dollars, pastTasks: samples } = forecast
  terminal.say(`${describeForecast({ tasks: tasks.length, tokens, dollars, samples })}.`)
  return 0
}

const marks = { pending: ' ', in_progress: '~', done: 'x', cancelled: '-', blocked: '!' } as const

/** `executor parse`: returns 0, or 1 when the roadmap has errors. */
export async function parse(
  file: string,
  flags: Flags<'json'>,
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
