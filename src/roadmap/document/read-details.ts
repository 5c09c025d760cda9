/** The lines from `first` to `last` (1-based, inclusive) word for word, without common indentation. */
export function readDetails(lines: readonly string[], first: number, last: number): string {
  const own = lines.slice(first - 1, last)
  const start = own.findIndex((line) => line.trim() !== '')
  if (start === -1) return ''
  const end = own.findLastIndex((line) => line.trim() !== '')
  const shown = own.slice(start, end + 1)
  const indent = commonIndent(shown)
  return shown.map((line) => line.slice(Math.min(indent, indentOf(line)))).join('\n')
}

function commonIndent(lines: readonly string[]): number {
  const [first = '', ...rest] = lines.filter((line) => line.trim() !== '')
  let common = first.slice(0, indentOf(first))
  for (const line of rest) while (!line.startsWith(common)) common = common.slice(0, -1)
  return common.length
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
