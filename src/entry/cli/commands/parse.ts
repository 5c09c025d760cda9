import { describeRoadmap } from '../../../roadmap/document/describe-roadmap.ts'
import { readDocument } from '../../../roadmap/unboxed/read-document.ts'
import { findRoot } from '../find-root.ts'
import { loadSettings } from '../load-settings.ts'
import { readInput } from '../read-input.ts'
import type { Terminal } from '../terminal.ts'

const marks = { pending: ' ', in_progress: '~', done: 'x', cancelled: '-', blocked: '!' } as const

/** `executor parse`: 0, or 1 when the roadmap has errors. */
export async function parse(
  file: string,
  flags: { readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const text = await readInput(file, terminal)
  const root = await findRoot(terminal.directory)
  const { granularity } = await loadSettings(root ?? terminal.directory, {}, terminal)
  const { roadmap } = readDocument(text, { granularity })
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
