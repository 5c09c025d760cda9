import type { ContextFile } from '../../core/domain/attempt.ts'
import type { Message } from '../../core/ports/model.ts'
import { fenced } from '../../text/markdown/neutralise.ts'

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

/** How the fence of a file is written, wherever a model is asked for a change. */
export const changeForm = `New file: the fence holds the whole file.
Existing file: the fence holds one or more blocks of exactly this form:
<<<<<<< SEARCH
lines copied exactly from the file
=======
the lines that replace them
>>>>>>> REPLACE
To delete a file, write DELETE: its path.`

/** The single description of our reply format: short enough for every request, plain enough for weak models. */
export const replyFormat = `You complete one task in a git repository. Reply with files only, no explanations.
For each file: its path alone on a line, then one code fence.
${changeForm}
Never shorten code with "..." and never leave parts out. Do not touch files the task does not need.
If the task is already fully done in the files shown, reply only: NOTHING_TO_DO`
