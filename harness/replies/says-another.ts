import { structuredPatch } from 'diff'
import type { FileChange } from '../answer.ts'
import { linesOf } from '../line-changes.ts'
import { isModified, type Modified, type Wrapping } from './wrapping.ts'

/**
 * Whether the answer says another change as well as this one: with one run of changed lines moved to another place
 * where its old lines stand, too, this form is the same answer, letter for letter. Nobody can tell the two apart.
 */
export function saysAnother({ write }: Wrapping, changes: readonly FileChange[]): boolean {
  const answer = write(changes)
  return changes.some(
    (change, index) =>
      isModified(change) &&
      movedTexts(change).some(
        (after) =>
          after !== change.after && write(changes.with(index, { ...change, after })) === answer,
      ),
  )
}

/** The new texts that come of it when one hunk is made at another place. */
function movedTexts({ path, before, after }: Modified): readonly string[] {
  const lines = linesOf(before)
  const { hunks } = structuredPatch(path, path, before, after, '', '', { context: 3 })
  const made = hunks.map(({ oldStart, oldLines, lines: body }) => ({
    start: oldLines === 0 ? oldStart : oldStart - 1,
    old: side(body, '+'),
    renewed: side(body, '-'),
  }))
  return made.flatMap((hunk, index) => {
    const others = made.toSpliced(index, 1)
    const isFree = (start: number) =>
      others.every(
        (other) =>
          start + hunk.old.length <= other.start || start >= other.start + other.old.length,
      )
    const places = lines.flatMap((_, start) =>
      start !== hunk.start && isFree(start) && standsAt(lines, hunk.old, start) ? [start] : [],
    )
    return places.map((start) =>
      [...others, { ...hunk, start }]
        .toSorted((a, b) => b.start - a.start)
        .reduce(
          (text, each) => text.toSpliced(each.start, each.old.length, ...each.renewed),
          [...lines],
        )
        .join(''),
    )
  })
}

const standsAt = (lines: readonly string[], wanted: readonly string[], start: number): boolean =>
  wanted.length > 0 && wanted.every((line, index) => lines[start + index] === line)

/** The lines of a hunk without those of this sign, with their line breaks. */
const side = (body: readonly string[], sign: '+' | '-'): readonly string[] =>
  body.flatMap((line, index) =>
    line.startsWith(sign) || line.startsWith('\\')
      ? []
      : [`${line.slice(1)}${body[index + 1]?.startsWith('\\') ? '' : '\n'}`],
  )
