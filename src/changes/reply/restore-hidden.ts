import { diffArrays } from 'diff'
import type { Lines } from './text-lines.ts'

/** Beyond this many changed lines no way back to each old line is looked for: only equal ones count. */
const mostChanges = 2_000

/**
 * A model edits a file as it was shown, without what was hidden in it. Here the lines that it left
 * as they were shown become the real ones again, and a byte order mark returns. A line that it sends as it
 * really is was not hidden from it, and is not put back a second time.
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
  const editedLines = edited.split('\n')
  const base = withGiven(realLines, shownLines, new Set(editedLines))
  const parts = diffArrays([...base], editedLines, { maxEditLength: mostChanges })
  if (parts === undefined) return restoreEqual(realLines, base, edited)
  const lines: string[] = []
  const waiting: string[] = []
  let at = 0
  for (const { value, added, removed } of parts) {
    if (added) {
      if (isWithin(at, realLines, base)) waiting.push(...value)
      else lines.push(...value)
      continue
    }
    for (let end = at + value.length; at < end; at += 1) {
      if (waiting.length > 0 && !isWithin(at, realLines, base)) {
        lines.push(...waiting.splice(0))
      }
      if (!removed) lines.push(realLines[at] ?? '')
    }
  }
  return [...lines, ...waiting].join('\n')
}

/** The lines as they were shown, but the real ones where the answer holds them: a comment all of it or not. */
function withGiven(real: Lines, shown: Lines, given: ReadonlySet<string>): Lines {
  const lines: string[] = []
  let isOpen = false
  let from = 0
  for (const [index, line] of real.entries()) {
    if (/<!--|-->/.test(line)) isOpen = line.lastIndexOf('<!--') > line.lastIndexOf('-->')
    if (isOpen && index < real.length - 1) continue
    const [piece, wasShown] = [real, shown].map((all) => all.slice(from, index + 1))
    const isGiven = piece?.every((each, at) => each === wasShown?.[at] || given.has(each))
    for (const each of (isGiven ? piece : wasShown) ?? []) lines.push(each)
    from = index + 1
  }
  return lines
}

/** Between two lines of one hidden piece: what is added there must not vanish into it. */
function isWithin(at: number, real: Lines, shown: Lines): boolean {
  const isHidden = (index: number) => shown[index]?.trim() === '' && real[index]?.trim() !== ''
  const before = real[at - 1] ?? ''
  return isHidden(at) && (isHidden(at - 1) || before.lastIndexOf('<') > before.lastIndexOf('>'))
}

const mark = '\uFEFF'

const withoutMark = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text)

function restoreEqual(realLines: Lines, shownLines: Lines, edited: string): string {
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
