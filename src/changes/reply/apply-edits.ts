import type { Refusal } from '../../core/domain/change-set.ts'
import { closestLines, isReplaced, linesAround } from './closest-lines.ts'
import { applyHunk } from './diff/apply-hunks.ts'
import { editAsHunk } from './diff/edit-as-hunk.ts'
import { type Edited, mostEdits, mostExcerpts } from './edited.ts'
import { shorten } from './excerpt.ts'
import { findLines } from './find-lines.ts'
import { unescapeOnce } from './json/unescape-twice.ts'
import type { Edit } from './reply.ts'
import { restoreHidden } from './restore-hidden.ts'
import { joinLines, linesOf, mainEnding, splitLines, type TextLines } from './text-lines.ts'
import { trackUntouched, type Untouched } from './track-untouched.ts'

/**
 * Makes edits one after the other, in the file itself, else in the file as it was shown. One that
 * cannot be placed is refused; the others are made.
 */
export function applyEdits(
  path: string,
  before: string,
  edits: readonly Edit[],
  show: (text: string) => string = (text) => text,
): Edited {
  if (edits.length > mostEdits) {
    const reason = `${edits.length} edits for one file, at most ${mostEdits} are read; send the whole file`
    return { text: before, refusals: [{ path, reason, excerpt: '' }], echoes: [], notes: [] }
  }
  const refusals: Refusal[] = []
  const echoes: Refusal[] = []
  const notes = new Set<string>()
  let text = splitLines(before)
  const untouched = trackUntouched(text.lines)
  for (const edit of edits) {
    const made = editShown(text, edit, show, untouched.find)
    if (made.status === 'echo') {
      echoes.push({ path, reason: made.reason, excerpt: shorten(linesOf(edit.search)) })
      continue
    }
    if (made.status === 'refused') {
      const excerpt = refusals.length < mostExcerpts ? made.excerpt() : ''
      refusals.push({ path, reason: made.reason, excerpt })
      continue
    }
    untouched.follow(text.lines, made.text.lines)
    text = made.text
    if (made.tolerated !== '')
      notes.add(`${path}: an edit was placed in spite of ${made.tolerated}`)
  }
  return { text: joinLines(text), refusals, echoes, notes: [...notes] }
}

type Made =
  | { readonly status: 'made'; readonly text: TextLines; readonly tolerated: string }
  | { readonly status: 'refused'; readonly reason: string; readonly excerpt: () => string }
  /** The text is already as the edit wants it. */
  | { readonly status: 'echo'; readonly reason: string }

/** A refusal tells of the file as it was shown, and of nothing that was hidden in it. */
function editShown(
  text: TextLines,
  edit: Edit,
  show: (text: string) => string,
  untouched: Untouched['find'],
): Made {
  const real = applyEdit(text, edit, untouched)
  if (real.status === 'echo' || (real.status === 'made' && real.tolerated === '')) return real
  const whole = joinLines(text)
  const shown = show(whole)
  if (shown === whole) return real
  const seen = applyEdit(splitLines(shown), edit)
  if (seen.status !== 'made') return real.status === 'made' ? real : seen
  return { ...seen, text: splitLines(restoreHidden(whole, shown, joinLines(seen.text))) }
}

function applyEdit(text: TextLines, edit: Edit, untouched: Untouched['find'] = () => null): Made {
  const search = linesOf(edit.search)
  const replace = linesOf(edit.replace)
  if (edit.search.trim() === '') {
    return text.lines.length === 0
      ? { status: 'made', text: splitLines(edit.replace), tolerated: '' }
      : refused('an empty SEARCH for a file that exists; say which lines to replace', replace)
  }
  if (search.join('\n') === replace.join('\n')) {
    return { status: 'echo', reason: 'changed nothing: SEARCH and REPLACE are the same' }
  }
  const exact = findLines(text.lines, search, 3)
  const own = exact.length > 1 ? untouched(search) : null
  const [start, ...others] = own === null ? exact : [own]
  if (start !== undefined && others.length === 0) {
    return { status: 'made', text: putIn(text, start, search.length, replace), tolerated: '' }
  }
  const made = start === undefined ? applyHunk(text, editAsHunk(search, replace)) : null
  if (made?.status === 'made') return made
  const starts = made?.starts ?? exact
  if (starts.length > 1) {
    const where = starts.slice(0, 3).map((each) => each + 1)
    const reason = `the SEARCH lines fit in more than one place (lines ${where.join(', ')}…); add lines around them`
    return { status: 'refused', reason, excerpt: () => linesAround(text.lines, starts) }
  }
  const unescaped = { search: unescapeOnce(edit.search), replace: unescapeOnce(edit.replace) }
  if (search.length === 1 && unescaped.search !== edit.search) {
    const made = applyEdit(text, unescaped)
    if (made.status === 'made') return { ...made, tolerated: 'line ends that were escaped twice' }
  }
  const within = edit.part && replacePart(text, edit.part)
  if (within) return { status: 'made', text: within, tolerated: '' }
  if (isReplaced(text.lines, search, replace)) {
    return { status: 'echo', reason: 'changed nothing: the edit is in the file already' }
  }
  const reason = 'the SEARCH lines are not in the file; copy them exactly, the closest are shown'
  const excerpt = () => closestLines(text.lines, search) || shorten(search)
  return { status: 'refused', reason, excerpt }
}

/** In the one line that has these words, whole ones; `null` where none has, or several. */
function replacePart(
  text: TextLines,
  { search, replace }: NonNullable<Edit['part']>,
): TextLines | null {
  const places = text.lines.flatMap((line, index) => (line.includes(search) ? [index] : []))
  const [at, ...others] = places
  const line = text.lines[at ?? -1]
  if (at === undefined || line === undefined || others.length > 0) return null
  const start = line.indexOf(search)
  const [before, after] = [line.slice(0, start), line.slice(start + search.length)]
  const isCut = /\w$/.test(before) && /^\w/.test(search)
  const isOpen = /\w$/.test(search) && /^\w/.test(after)
  if (isCut || isOpen || after.includes(search)) return null
  const lines = splitLines(`${before}${replace}${after}\n`).lines
  return putIn(text, at, 1, lines)
}

function refused(reason: string, lines: readonly string[]): Made {
  return { status: 'refused', reason, excerpt: () => shorten(lines) }
}

function putIn(text: TextLines, start: number, count: number, lines: readonly string[]): TextLines {
  const end = start + count
  const ending = mainEnding(text)
  const endings: string[] = lines.map((_, index) => text.endings[start + index] || ending)
  const isLast = end === text.lines.length
  const lastEnding = text.endings.at(-1) ?? ''
  const kept = text.endings.slice(0, start)
  if (isLast && lines.length > 0) endings[lines.length - 1] = lastEnding
  if (isLast && lines.length === 0 && kept.length > 0) kept[kept.length - 1] = lastEnding
  return {
    lines: [...text.lines.slice(0, start), ...lines, ...text.lines.slice(end)],
    endings: [...kept, ...endings, ...text.endings.slice(end)],
  }
}
