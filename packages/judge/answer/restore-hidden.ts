import { diffArrays } from 'diff'
import type { Lines } from './text-lines.ts'

/** With more changed lines, only equal lines are restored, without tracing each old line. */
const mostChanges = 2_000

/**
 * Restores the hidden text of a file that a model edited as it was shown: lines that the model left
 * unchanged become the real ones again, and a byte order mark returns. A line that the model sends
 * as it really is was not hidden from it, and is not restored twice.
 *
 * @param real the file; `shown` has as many lines
 * @param edited the edited form of `shown`
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

/** The shown lines, or the real ones if the answer contains them; a comment only as a whole. */
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

/** Between two lines of one hidden piece, where added lines must not vanish. */
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
