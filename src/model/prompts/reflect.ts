import type { Task } from '../../../packages/task/task.ts'
import { fenced, plainAnswer } from '../../../packages/text/text.ts'
import type { Message } from '../../core/ports/model.ts'
import { promptOf, shortenFile } from './compose-prompt.ts'

const instructions = `Your change for a task failed. Say why in at most three short lines: what you assumed, what is true, what to do differently. No code, no repetition of the error.`

/** In characters: three lines of 200 tokens. */
const longestReflection = 800
const mostLines = 3
const longestFailure = 1_500
const longestChange = 2_000

/** Asks for the cause of a failure in words, before the next repair; after Shinn et al., Reflexion (2023). */
export const reflectPrompt = (input: {
  readonly task: Pick<Task, 'id' | 'title'>
  /** The changed files with their new text, or the edits. */
  readonly change: string
  readonly failure: string
  readonly earlier: readonly string[]
}): readonly Message[] =>
  promptOf(instructions, [
    `Task ${input.task.id}: ${input.task.title}`,
    input.change === '' ? '' : `YOUR CHANGE\n${fenced(shortenFile(input.change, longestChange))}`,
    `WHAT FAILED\n${fenced(shortenFile(input.failure, longestFailure))}`,
    input.earlier.length === 0 ? '' : `YOU SAID BEFORE\n${input.earlier.join('\n')}`,
  ])

/** At most three lines of the answer, without list marks; empty when it says nothing. */
export function readReflection(answer: string): string {
  const said = plainAnswer(answer)
  const lines = said
    .split('\n')
    .map((line) => line.replace(/^\s*(?:(?:[>*#-]+|\d+[.)])\s+)+/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('```'))
  return lines.slice(0, mostLines).join('\n').slice(0, longestReflection).toWellFormed()
}

/** The section that shows a reflection to the next request; empty without one. */
export const showReflection = (reflections: readonly string[]): string => {
  const last = reflections.at(-1) ?? ''
  return last === '' ? '' : `WHY IT FAILED BEFORE\n${last}`
}
