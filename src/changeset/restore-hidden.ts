import { diffArrays } from 'diff'

/** Beyond this many changed lines no way back to each old line is looked for: only equal ones count. */
const mostChanges = 2_000

/**
 * A model edits a file as it was shown, without what was hidden in it. Here the lines that it left
 * as they were shown become the real ones again, and a byte order mark returns.
 *
 * @param real the file; `shown` has as many lines
 * @param edited what became of `shown`
 */
export function restoreHidden(real: string, shown: string, edited: string): string {
  if (real === shown) return edited
  if (real.startsWith(mark)) return mark + restoreHidden(real.slice(1), shown, withoutMark(edited))
  const realLines = real.split('\n')
  const shownLines = shown.split('\n')
  if (realLines.length !== shownLines.length) return edited
  const parts = diffArrays(shownLines, edited.split('\n'), { maxEditLength: mostChanges })
  if (parts === undefined) return restoreEqual(realLines, shownLines, edited)
  let at = 0
  return parts
    .flatMap(({ value, added, removed }) => {
      if (added) return value
      at += value.length
      return removed ? [] : realLines.slice(at - value.length, at)
    })
    .join('\n')
}

const mark = '\uFEFF'

const withoutMark = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text)

function restoreEqual(
  realLines: readonly string[],
  shownLines: readonly string[],
  edited: string,
): string {
  const waiting = new Map<string, string[]>()
  for (const [index, line] of shownLines.entries()) {
    const real = realLines[index] ?? line
    if (line.trim() === '' || real === line) continue
    waiting.set(line, [...(waiting.get(line) ?? []), real])
  }
  return edited
    .split('\n')
    .map((line) => waiting.get(line)?.shift() ?? line)
    .join('\n')
}
