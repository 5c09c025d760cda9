import { closestLines, isReplaced, linesAround } from './closest-lines.ts'
import { applyHunk, replaceLines } from './diff/apply-hunks.ts'
import { editAsHunk } from './diff/edit-as-hunk.ts'
import { type Edited, EditedText, type Outcome } from './edited.ts'
import { shorten } from './excerpt.ts'
import { findLines } from './find-lines.ts'
import { unescapeOnce } from './json/unescape-twice.ts'
import type { Edit } from './reply.ts'
import { restoreHidden } from './restore-hidden.ts'
import { joinLines, linesOf, splitLines, type TextLines } from './text-lines.ts'
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
  const edited = new EditedText(path, before)
  if (edited.hasTooMany(edits, 'edits')) return edited.result()
  const untouched = trackUntouched(edited.text.lines)
  for (const edit of edits) {
    const outcome = editShown(edited.text, edit, show, untouched.find)
    if (outcome.status === 'made') untouched.follow(edited.text.lines, outcome.text.lines)
    edited.take(outcome)
  }
  return edited.result()
}

/** A refusal tells of the file as it was shown, and of nothing that was hidden in it. */
function editShown(
  text: TextLines,
  edit: Edit,
  show: (text: string) => string,
  untouched: Untouched['find'],
): Outcome {
  const real = applyEdit(text, edit, untouched)
  if (real.status === 'echo' || (real.status === 'made' && real.tolerated === '')) return real
  const whole = joinLines(text)
  const shown = show(whole)
  if (shown === whole) return real
  const seen = applyEdit(splitLines(shown), edit)
  if (seen.status !== 'made') return real.status === 'made' ? real : seen
  return { ...seen, text: splitLines(restoreHidden(whole, shown, joinLines(seen.text))) }
}

function applyEdit(
  text: TextLines,
  edit: Edit,
  untouched: Untouched['find'] = () => null,
): Outcome {
  const search = linesOf(edit.search)
  const replace = linesOf(edit.replace)
  const echo = (why: string): Outcome => ({
    status: 'echo',
    reason: `changed nothing: ${why}`,
    excerpt: () => shorten(search),
  })
  if (edit.search.trim() === '') {
    const reason = 'an empty SEARCH for a file that exists; say which lines to replace'
    return text.lines.length === 0
      ? { status: 'made', text: splitLines(edit.replace), tolerated: '' }
      : { status: 'refused', reason, excerpt: () => shorten(replace) }
  }
  if (search.join('\n') === replace.join('\n')) return echo('SEARCH and REPLACE are the same')
  const exact = findLines(text.lines, search, 3)
  const own = exact.length > 1 ? untouched(search) : null
  const [start, ...others] = own === null ? exact : [own]
  if (start !== undefined && others.length === 0) {
    const made = replaceLines(text, start, search.length, replace)
    return { status: 'made', text: made, tolerated: '' }
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
  if (isReplaced(text.lines, search, replace)) return echo('the edit is in the file already')
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
  return replaceLines(text, at, 1, splitLines(`${before}${replace}${after}\n`).lines)
}
