/** Lines shown of a refused part, and characters shown of a line. */
const mostLines = 12
const mostCharacters = 200

/** The first lines of something that was refused, cut to what helps to recognise it. */
export function shorten(lines: readonly string[]): string {
  const shown = lines
    .slice(0, mostLines)
    .map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)} …` : line))
  const left = lines.length - shown.length
  return [...shown, ...(left > 0 ? [`… ${left} more lines`] : [])].join('\n')
}
