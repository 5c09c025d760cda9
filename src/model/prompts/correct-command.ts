import type { Task } from '../../../packages/task/task.ts'
import { fenced, showText } from '../../../packages/text/text.ts'
import type { Message } from '../../core/ports/model.ts'
import { promptOf, shortenFile } from './compose-prompt.ts'
import { type JsonReading, readJsonObject } from './read-json.ts'

const instructions = `A command of a project cannot be run as it is written. Say which command line was meant. Reply with one JSON object and nothing else:
{"command": "the corrected command line", "why": "one short sentence"}
Change as little as possible: a misspelt program or script, a wrong folder (begin with "cd FOLDER && "), an option that is not known. It must do the same work: no other tests, no ||, ; or redirection, nothing from the network. If no such command can be right, answer {"command": "", "why": "…"}.`

const longestOutput = 1_000
const mostNames = 40

/** Shows a model what it needs to guess the intended command: the words, the error, the project's names. */
export function correctCommandPrompt(input: {
  readonly task: Pick<Task, 'id' | 'title'>
  readonly command: string
  readonly role: 'tests' | 'lint' | 'accept' | 'setup'
  readonly output: string
  /** Scripts and targets that can be run. */
  readonly scripts: readonly string[]
  /** Files and folders at the root, and folders with tests. */
  readonly names: readonly string[]
  /** Earlier answers, each with the objection to it. */
  readonly refused: readonly string[]
}): readonly Message[] {
  const { task, command, role, output, scripts, names, refused } = input
  const shown = showText('output.txt', output).text.trim()
  const sections = [
    `Task ${task.id}: ${shortenFile(task.title, 200)}`,
    `COMMAND (${role})\n${fenced(command)}`,
    `WHAT IT SAID\n${fenced(shortenFile(shown.slice(-4 * longestOutput), longestOutput))}`,
    scripts.length === 0 ? '' : `SCRIPTS\n${scripts.slice(0, mostNames).join(', ')}`,
    names.length === 0 ? '' : `FILES\n${names.slice(0, mostNames).join(', ')}`,
    refused.length === 0 ? '' : `NOT USABLE\n- ${refused.join('\n- ')}`,
  ]
  return promptOf(instructions, sections)
}

/** The proposed line and the reason; an empty command means that there is none. */
export interface Correction {
  readonly command: string
  readonly why: string
}

export const readCorrection = (answer: string): JsonReading<Correction> =>
  readJsonObject(answer, ({ command, why: said }) => {
    if (typeof command !== 'string') return { problem: '"command" is no text' }
    const why = typeof said === 'string' ? said.replaceAll(/\s+/g, ' ').trim().slice(0, 200) : ''
    return { value: { command: command.trim(), why } }
  })
