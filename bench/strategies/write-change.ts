/** A change as a model writes it, from the lines that it was shown and no others. */
import { fileBlock } from '../../harness/answer.ts'
import { changedLines, type LineChange, lineChanges, linesOf } from '../../harness/line-changes.ts'
import { isShown, linesShown } from './find-names.ts'

export interface Edit {
  readonly search: string
  readonly replace: string
}

/** Lines around a change that a model copies with it. */
const context = 3

/** SEARCH/REPLACE blocks from one text to the other; `null` where a line that they copy was not shown. */
export function writeEdits(
  current: string,
  target: string,
  conversation: string,
): readonly Edit[] | null {
  const lines = linesOf(current)
  const changes = lineChanges(current, target)
  const shown = (at: number) => isShown(conversation, lines[at] ?? '')
  const spans: { from: number; to: number }[] = []
  for (const { start, end } of changes) {
    const span = grow(current, lines, { start, end }, shown)
    if (span === null) return null
    const last = spans.at(-1)
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else spans.push(span)
  }
  return spans.map(({ from, to }) => ({
    search: ended(lines.slice(from, to).join('')),
    replace: ended(changedLines(lines, changes, from, to)),
  }))
}

/** As far towards the target as the lines that were shown allow; `null` where they allow nothing. */
export function writeShownPart(
  current: string,
  target: string,
  conversation: string,
): { readonly edits: readonly Edit[]; readonly text: string } | null {
  const lines = linesOf(current)
  const shown = (at: number) => isShown(conversation, lines[at] ?? '')
  const kept = lineChanges(current, target).filter(
    (change) => grow(current, lines, change, shown) !== null,
  )
  const text = changedLines(lines, kept)
  const edits = kept.length === 0 ? null : writeEdits(current, text, conversation)
  return edits === null ? null : { edits, text }
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function grow(
  text: string,
  lines: readonly string[],
  { start, end }: Pick<LineChange, 'start' | 'end'>,
  shown: (at: number) => boolean,
): { from: number; to: number } | null {
  for (let at = start; at < end; at += 1) if (!shown(at)) return null
  let [from, to] = [start, end]
  const up = () => from > 0 && shown(from - 1)
  const down = () => to < lines.length && shown(to)
  for (let step = 0; step < context; step += 1) {
    if (up()) from -= 1
    if (down()) to += 1
  }
  while (!occursOnce(text, lines.slice(from, to).join(''))) {
    if (!up() && !down()) return null
    if (up()) from -= 1
    if (down()) to += 1
  }
  return { from, to }
}

function occursOnce(text: string, part: string): boolean {
  if (part.trim() === '') return false
  const at = text.indexOf(part)
  return at >= 0 && text.indexOf(part, at + 1) < 0
}

export const editsBlock = (path: string, edits: readonly Edit[]): string =>
  fileBlock(
    path,
    edits
      .map(({ search, replace }) => `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`)
      .join(''),
  )

/** True where all lines that stay were shown, so that the whole file can be written again. */
export const isWhollyShown = (current: string, target: string, conversation: string): boolean => {
  const kept = new Set(target.split('\n').map((line) => line.trim()))
  return current.split('\n').every((line) => !kept.has(line.trim()) || isShown(conversation, line))
}

/** Which of these texts the conversation shows: the one whose own lines stand in it; the first where none does. */
export function shownText(texts: readonly string[], conversation: string): string {
  const distinct = [...new Set(texts)]
  const [first = ''] = distinct
  if (distinct.length < 2) return first
  const sets = distinct.map((text) => new Set(text.split('\n').map((line) => line.trim())))
  const shown = linesShown(conversation)
  const scores = distinct.map((_, index) => {
    const own = [...(sets[index] ?? [])].filter(
      (line) => line.length > 2 && sets.some((other, at) => at !== index && !other.has(line)),
    )
    if (own.length === 0) return 0.02
    return own.filter((line) => shown.has(line)).length / own.length
  })
  const best = Math.max(...scores)
  return distinct[scores.indexOf(best)] ?? first
}
