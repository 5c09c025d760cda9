import { structuredPatch } from 'diff'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { deletion, type FileChange, fileBlock, wholeFiles } from '../answer.ts'
import { changedLines, lineChanges, linesOf } from '../line-changes.ts'

/** How an answer says what changes. */
export const shapes = ['edits', 'diff', 'files'] as const
export type Shape = (typeof shapes)[number]

export function writeAnswer(shape: Shape, changes: readonly FileChange[]): string {
  if (shape === 'files') return wholeFiles(changes)
  return changes.map(shape === 'edits' ? writeEdits : writeDiff).join('')
}

/** Tokens of an answer that a model is asked for, where the configuration says nothing else. */
const longestAnswer = 16_000

/**
 * Why this shape cannot say this change; `null` when it can. What stands in a fence ends with a line break,
 * so only a diff can add or take the one at the end of a file; and no answer is longer than it may be.
 */
export function cannotSay(shape: Shape, changes: readonly FileChange[]): string | null {
  const isSaid = ({ before, after }: FileChange) =>
    shape === 'diff' || !after || endsWithBreak(after) === endsWithBreak(before || '\n')
  if (!changes.every(isSaid)) return 'a line break at the end of a file that only a diff can say'
  const isShort = countTokens(writeAnswer(shape, changes)) <= longestAnswer
  return isShort ? null : `an answer of more than ${longestAnswer} tokens`
}

const endsWithBreak = (text: string): boolean => text.endsWith('\n')

/** Lines around a change that a model copies with it. */
const context = 3

function writeEdits({ path, before, after }: FileChange): string {
  if (after === null) return deletion(path)
  const edits = editsOf({ path, before, after })
  if (edits === null) return fileBlock(path, after)
  return fileBlock(path, edits.map((edit) => editBlock(edit)).join(''))
}

export interface Edit {
  readonly search: string
  readonly replace: string
}

export const usualMarks = { head: '<<<<<<< SEARCH', divider: '=======', tail: '>>>>>>> REPLACE' }

/** The lines to look for and those to put there, between marks. */
export const editBlock = (
  { search, replace }: Edit,
  { head, divider, tail }: typeof usualMarks = usualMarks,
): string => `${head}\n${search}${divider}\n${replace}${tail}\n`

/** Lines that are replaced in a file, each run there once; `null` where the file is sent in full. */
export function editsOf({ before, after }: FileChange): readonly Edit[] | null {
  if (!before || !after) return null
  const lines = linesOf(before)
  const changes = lineChanges(before, after)
  return spans(before, lines, changes).map(({ from, to }) => ({
    search: ended(lines.slice(from, to).join('')),
    replace: ended(changedLines(lines, changes, from, to)),
  }))
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

interface Span {
  readonly from: number
  readonly to: number
}

/** The lines that each block shows: a change with its surroundings, and more until they are there once. */
function spans(
  before: string,
  lines: readonly string[],
  changes: readonly { readonly start: number; readonly end: number }[],
): readonly Span[] {
  const widen = ({ from, to }: Span): Span => {
    const isWhole = from === 0 && to === lines.length
    if (isWhole || occursOnce(before, lines.slice(from, to).join(''))) return { from, to }
    return widen({ from: Math.max(0, from - 1), to: Math.min(lines.length, to + 1) })
  }
  const wanted = changes.map(({ start, end }) =>
    widen({ from: Math.max(0, start - context), to: Math.min(lines.length, end + context) }),
  )
  return joined(wanted)
}

/** Two that touch are one; what holds a text that is there once is there once itself. */
function joined(wanted: readonly Span[]): readonly Span[] {
  const found: Span[] = []
  for (const span of wanted) {
    const last = found.at(-1)
    if (last === undefined || span.from > last.to) found.push(span)
    else
      found[found.length - 1] = {
        from: Math.min(last.from, span.from),
        to: Math.max(last.to, span.to),
      }
  }
  const isApart = found.every(
    ({ from }, index) => index === 0 || from > (found[index - 1]?.to ?? 0),
  )
  return isApart ? found : joined(found)
}

/** Counted from line starts, as edits are matched. */
function occursOnce(text: string, part: string): boolean {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (at === 0 || text[at - 1] === '\n') count += 1
  }
  return count === 1
}

function writeDiff({ path, before, after }: FileChange): string {
  if (after === null) return deletion(path)
  const written = hunksOf({ path, before, after }).map(
    ({ header, lines }) => `${header}\n${lines.join('\n')}\n`,
  )
  const headers = `--- ${before === null ? '/dev/null' : `a/${path}`}\n+++ b/${path}\n`
  return fileBlock(path, headers + written.join(''), 'diff')
}

/** The hunks of a diff, each line with its sign. */
export function hunksOf({
  path,
  before,
  after,
}: FileChange): readonly { readonly header: string; readonly lines: readonly string[] }[] {
  const { hunks } = structuredPatch(path, path, before ?? '', after ?? '', '', '', { context })
  const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`
  return hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    header: `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    lines,
  }))
}
