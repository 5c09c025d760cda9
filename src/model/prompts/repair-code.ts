import type { CodeProblem } from '../../../packages/change/change.ts'
import type { Task } from '../../../packages/task/task.ts'
import { fenced } from '../../../packages/text/text.ts'
import type { ContextFile } from '../../core/domain/attempt.ts'
import type { Message } from '../../core/ports/model.ts'
import { askForFiles, promptOf, shortenFile, showFiles } from './compose-prompt.ts'

/** A problem, and the numbered lines around it (empty when it has no place in a text). */
export interface ShownProblem extends CodeProblem {
  readonly excerpt: string
}

/** More problems than this confuse a weak model; the next round shows the rest. */
const shownProblems = 3

const instructions = {
  edits: `Your change cannot be used yet. Mend only what is wrong; everything else is kept.
Reply with the path alone on a line, then a code fence with one or more blocks of exactly this form:
<<<<<<< SEARCH
lines copied exactly from the file, without line numbers
=======
the lines that replace them
>>>>>>> REPLACE
For a file that was refused as a whole, reply with the path and a fence with the whole file.`,
  whole: `Your change cannot be used yet. Mend only what is wrong; keep everything else.
Reply with the path alone on a line, then a code fence with the whole file, without line numbers.`,
} as const

type RepairForm = keyof typeof instructions

const mendedLine = "  return text.trim().split(' ').length"

const examples: Readonly<Record<RepairForm, string>> = {
  edits: `<<<<<<< SEARCH\n  return text.trim().split(' '.length\n=======\n${mendedLine}\n>>>>>>> REPLACE`,
  whole: `export function countWords(text) {\n${mendedLine}\n}`,
}

/** A successful repair: it does not copy the numbers and marks in front of the shown lines. */
const workedExample = (form: RepairForm): readonly Message[] => [
  {
    role: 'user',
    content: `Task: Count words

lib/words.js:2:31
missing ) after the arguments
${fenced("  1 | export function countWords(text) {\n> 2 |   return text.trim().split(' '.length\n  3 | }")}`,
  },
  {
    role: 'assistant',
    content: `lib/words.js
${fenced(examples[form])}`,
  },
]

/** In characters. */
const longestUseless = 500

/** Quotes the first repair to the second one. */
export const tellUseless = (tried: string): string =>
  `Your last repair did not help, so do something else. It changed:\n${shortenFile(tried, longestUseless)}`

/** A targeted repair: the problem, its place, and only the code around it. */
export function repairCodePrompt(input: {
  readonly task: Pick<Task, 'id' | 'title'>
  readonly problems: readonly ShownProblem[]
  /** Code that the change edits without having been shown it. */
  readonly files?: readonly ContextFile[]
  /** The fix that solved the first problem elsewhere: `old line → new line`. */
  readonly knownFix?: string | null
  /** The failing test that the change should fix, when the repair of that test has a problem itself. */
  readonly cause?: string | null
  /** The changes of the previous repair, when the problem is still there. */
  readonly useless?: string | null
  /** Why earlier changes failed, in the model's own words. */
  readonly reflection?: string
  /** The faulty files as the change leaves them, where they are short enough to be sent whole. */
  readonly faulty?: readonly ContextFile[]
}): readonly Message[] {
  const { task, problems, files = [], knownFix, cause, useless, reflection = '' } = input
  const { faulty = [] } = input
  const form = faulty.length > 0 ? 'whole' : 'edits'
  const sections = [
    `Task ${task.id}: ${task.title}`,
    showProblems(problems),
    files.length + faulty.length > 0 ? `FILES\n${showFiles([...files, ...faulty])}` : '',
    cause ? `This still fails and is to be mended too: ${cause}` : '',
    knownFix ? `The same was mended before in this way: ${knownFix}` : '',
    useless ? tellUseless(useless) : '',
    reflection,
    form === 'whole'
      ? askForFiles(
          faulty.map(({ path }) => path),
          form,
        )
      : '',
  ]
  return promptOf(instructions[form], sections, workedExample(form))
}

/** The first problems, each with its place and the lines around it. */
export const showProblems = (problems: readonly ShownProblem[]): string =>
  problems.slice(0, shownProblems).map(showProblem).join('\n\n')

function showProblem(problem: ShownProblem): string {
  const place = problem.line > 0 ? `:${problem.line}:${problem.column}` : ''
  const where = problem.path === '' ? '' : `${problem.path}${place}\n`
  const excerpt = problem.excerpt === '' ? '' : `\n${fenced(problem.excerpt)}`
  return `${where}${problem.message}${excerpt}`
}
