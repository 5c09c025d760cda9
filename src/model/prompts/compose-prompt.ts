import type { ContextFile } from '../../core/domain/run-state.ts'
import type { Message } from '../../core/ports/model.ts'
import { fenced } from '../../text/markdown/neutralise.ts'

/** How to answer, worked examples of that, and what is asked, in sections; empty ones are left out. */
export const promptOf = (
  instructions: string,
  sections: readonly string[],
  examples: readonly Message[] = [],
): readonly Message[] => [
  { role: 'system', content: instructions },
  ...examples,
  { role: 'user', content: sections.filter((section) => section !== '').join('\n\n') },
]

/** Files as the model should write them back: path on a line, then a fence. */
export function showFiles(files: readonly ContextFile[]): string {
  return files
    .map((file) => {
      const note = file.whole ? '' : ' (outline; ask nothing, edit only what you see)'
      return `${file.path}${note}\n${fenced(file.text)}`
    })
    .join('\n\n')
}

/** At most this many characters, cut at a line end, with the cut named. */
export function shortenFile(text: string, characters: number): string {
  if (text.length <= characters) return text
  const cut = text.lastIndexOf('\n', characters)
  const kept = text.slice(0, cut > 0 ? cut : characters)
  return `${kept}\n[${text.length - kept.length} more characters]`
}
