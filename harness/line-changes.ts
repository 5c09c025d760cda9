import { diffArrays } from 'diff'

/** Lines `start` to `end` (0-based, `end` not among them) of the text before, and what takes their place. */
export interface LineChange {
  readonly start: number
  readonly end: number
  readonly added: readonly string[]
}

/** Lines with their line breaks, so that joined they are the text again. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? []

/** The runs of changed lines, from the top down. */
export function lineChanges(before: string, after: string): readonly LineChange[] {
  const changes: LineChange[] = []
  let at = 0
  let open: { start: number; end: number; added: string[] } | null = null
  for (const part of diffArrays([...linesOf(before)], [...linesOf(after)])) {
    if (!part.added && !part.removed) {
      if (open !== null) changes.push(open)
      open = null
      at += part.value.length
      continue
    }
    open ??= { start: at, end: at, added: [] }
    if (part.added) open.added.push(...part.value)
    else at += part.value.length
    open.end = at
  }
  return open === null ? changes : [...changes, open]
}

/** Lines `from` to `to` of a text, with the changes made that lie in them. */
export function changedLines(
  lines: readonly string[],
  changes: readonly LineChange[],
  from = 0,
  to = lines.length,
): string {
  const inside = changes.filter(({ start, end }) => start >= from && end <= to)
  let at = from
  let text = ''
  for (const { start, end, added } of inside) {
    text += lines.slice(at, start).join('') + added.join('')
    at = end
  }
  return text + lines.slice(at, to).join('')
}
