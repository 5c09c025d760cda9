import { fenced } from '../../../packages/text/text.ts'
import type { AnswerForm } from '../../core/domain/answer-form.ts'
import type { ContextFile } from '../../core/domain/attempt.ts'
import type { Refinement } from '../../core/domain/route.ts'
import type { Message } from '../../core/ports/model.ts'

/** Builds a prompt from the reply format, worked examples and the sections of the question; drops empty sections. */
export const promptOf = (
  instructions: string,
  sections: readonly string[],
  examples: readonly Message[] = [],
): readonly Message[] => [
  { role: 'system', content: instructions },
  ...examples,
  { role: 'user', content: sections.filter((section) => section !== '').join('\n\n') },
]

/** Shows files in the form in which the model should return them: the path on a line, then a fence. */
export const showFiles = (files: readonly ContextFile[]): string =>
  files
    .map((file) => {
      const note = file.whole ? '' : ' (outline; ask nothing, edit only what you see)'
      return `${file.path}${note}\n${fenced(file.text)}`
    })
    .join('\n\n')

/** At most this many characters, cut at a line end, with a note about the cut. */
export function shortenFile(text: string, characters: number): string {
  if (text.length <= characters) return text
  const cut = text.lastIndexOf('\n', characters)
  const kept = text.slice(0, cut > 0 ? cut : characters)
  return `${kept}\n[${text.length - kept.length} more characters]`
}

/** How the fence of a file is written, by the form of the answer. */
export const changeForms: Readonly<Record<AnswerForm, string>> = {
  whole: 'The fence holds the whole file as it should be, from its first line to its last.',
  edits: `New file: the fence holds the whole file.
Existing file: the fence holds one or more blocks of exactly this form:
<<<<<<< SEARCH
lines copied exactly from the file
=======
the lines that replace them
>>>>>>> REPLACE`,
  function: `New file: the fence holds the whole file.
Existing file: the fence holds only the functions that change, each complete; the rest of the file stays as it is.`,
}

/** How a file is deleted, in any form. */
export const deleteForm = 'To delete a file, write DELETE: its path.'

/** The single description of our reply format: short enough for every request, plain enough for weak models. */
export const replyFormat = (
  form: AnswerForm,
): string => `You complete one task in a git repository. Reply with files only, no explanations.
For each file: its path alone on a line, then one code fence.
${changeForms[form]}
${deleteForm}
Never shorten code with "..." and never leave parts out. Do not touch files the task does not need.`

const fenceHolds: Readonly<Record<AnswerForm, string>> = {
  whole: 'one code fence with the whole finished file',
  edits: 'one code fence with SEARCH/REPLACE blocks',
  function: 'one code fence with the complete changed functions',
}

/** The last words of a request for a change: which files to write, and in which form. */
export function askForFiles(targets: readonly string[], form: AnswerForm): string {
  const [only, ...others] = targets
  if (only !== undefined && others.length === 0) {
    return `Write ${only}: its path alone on a line, then ${fenceHolds[form]}.`
  }
  const files = only === undefined ? 'the files that the task needs' : targets.join(', ')
  return `Write ${files}: for each, its path alone on a line, then ${fenceHolds[form]}.`
}

/** What first answers that failed most often lacked, as the last sentence of a request. */
const reminders: Readonly<Partial<Record<Refinement, string>>> = {
  copy_edits:
    'copy SEARCH lines exactly from the files above, and write each path alone on its line.',
  close_code: 'close every bracket, quote and block of the code that you change.',
  import_known: 'import only files and names that are above, or that you write.',
  stay_in_scope: 'change only the files of this task and their tests.',
  keep_tests: 'all tests of the code that you change must still pass.',
}

/** The reminder of a refinement; empty for none, and for one that is no reminder. */
export function remind(refinement: Refinement | undefined): string {
  const says = refinement && reminders[refinement]
  return says === undefined ? '' : `Remember: ${says}`
}
