import { type CodeProblem, contentAfter, type Draft } from '../../change/change.ts'
import { showText } from '../../text/text.ts'

/** The code around a problem of a draft, as a model may see it; empty for a problem without a line. */
export function excerptOf(
  draft: Pick<Draft, 'changes'> | null,
  { path, line }: Pick<CodeProblem, 'path' | 'line'>,
): string {
  const change = draft?.changes.find((each) => each.path === path)
  const text = change && contentAfter(change)
  return text === undefined || line === 0 ? '' : excerptAround(showText(path, text).text, line)
}

/** How many characters of a line a prompt gets; minified code has lines of megabytes. */
const MAX_WIDTH = 200

/**
 * Numbered lines around a 1-based line, that line marked with `>`, as `> 12 | code`. Line 0 (the whole
 * file) shows the beginning; a line past the end shows the end.
 */
export function excerptAround(text: string, line: number, around = 3): string {
  const lines = text.split(/\r?\n/)
  const centre = Math.min(Math.max(line, 1), lines.length)
  const first = Math.max(1, centre - around)
  const last = Math.min(lines.length, centre + around)
  const width = String(last).length
  return lines
    .slice(first - 1, last)
    .map((content, index) => {
      const number = first + index
      const mark = number === line ? '>' : ' '
      const shown = content.length > MAX_WIDTH ? `${content.slice(0, MAX_WIDTH)}…` : content
      return `${mark} ${String(number).padStart(width)} | ${shown}`.trimEnd()
    })
    .join('\n')
}
