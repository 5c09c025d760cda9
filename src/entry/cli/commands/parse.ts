import { describeRoadmap } from '../../../roadmap/document/describe-roadmap.ts'
import { readRoadmap } from '../../../roadmap/document/read-roadmap.ts'
import { withBoxes } from '../../../roadmap/unboxed/tick-unboxed.ts'
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
  const roadmap = readRoadmap(text)
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
    const { size } = withBoxes(text, []).marks
    if (size > 0) terminal.say(`${size} are told by signs: executor normalize gives them boxes.`)
  }
  return failed ? 1 : 0
}
