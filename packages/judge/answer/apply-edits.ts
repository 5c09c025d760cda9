import { diffArrays } from 'diff'
import { unescapeOnce } from '../../source/source.ts'
import { closestLines, isReplaced, severalPlaces } from './closest-lines.ts'
import { applyHunk, replaceLines } from './diff/apply-hunks.ts'
import { type Hunk, hunkLine, hunkOf } from './diff/hunk.ts'
import { type Edited, editText, type Outcome } from './edited.ts'
import type { Edit } from './reply.ts'
import { restoreHidden } from './restore-hidden.ts'
import {
  findLines,
  joinLines,
  type Lines,
  linesOf,
  shorten,
  splitLines,
  type TextLines,
} from './text-lines.ts'

/**
 * Applies edits one after the other, to the file itself, else to the file as it was shown. Refuses
 * an edit that cannot be placed, and applies the others.
 *
 * @param input.start the file before all changes, if different: an edit of its lines replaces what they became
 */
export function applyEdits(
  path: string,
  before: string,
  edits: readonly Edit[],
  {
    show = (text) => text,
    start,
  }: { show?: (text: string) => string; start?: string | undefined } = {},
): Edited {
  return editText(path, before, ['edits', edits], function* (original) {
    let text = original
    const untouched = trackUntouched(text.lines)
    const former = start === undefined ? null : linesOf(start.replace(/^\uFEFF/, ''))
    for (const edit of edits) {
      const placed = editShown(text, edit, show, untouched.find)
      const outcome =
        (placed.status === 'refused' && former && editFormer(text, edit, former)) || placed
      yield outcome
      if (outcome.status !== 'made') continue
      untouched.follow(text.lines, outcome.text.lines)
      text = outcome.text
    }
  })
}

/** A refusal quotes the file as it was shown, and nothing that was hidden in it. */
function editShown(
  text: TextLines,
  edit: Edit,
  show: (text: string) => string,
  untouched: FindUntouched,
): Outcome {
  const real = applyEdit(text, edit, untouched)
  if (real.status === 'echo' || (real.status === 'made' && real.tolerated === '')) return real
  const whole = joinLines(text)
  const shown = show(whole)
  if (shown === whole) return real
  const inShown = applyEdit(splitLines(shown), edit)
  if (inShown.status !== 'made') return real.status === 'made' ? real : inShown
  return { ...inShown, text: splitLines(restoreHidden(whole, shown, joinLines(inShown.text))) }
}

function applyEdit(text: TextLines, edit: Edit, untouched: FindUntouched = () => null): Outcome {
  const search = linesOf(edit.search)
  const replace = linesOf(edit.replace)
  const made = (text: TextLines, tolerated = ''): Outcome => ({ status: 'made', text, tolerated })
  const echo = (why: string): Outcome => ({
    ...{ status: 'echo', reason: `changed nothing: ${why}`, excerpt: () => shorten(search) },
  })
  const refuse = (reason: string, excerpt: () => string): Outcome => ({
    ...{ status: 'refused', reason, excerpt },
  })
  if (edit.search.trim() === '') {
    const reason = 'an empty SEARCH for a file that exists; say which lines to replace'
    return text.lines.length === 0
      ? made(splitLines(edit.replace))
      : refuse(reason, () => shorten(replace))
  }
  if (search.join('\n') === replace.join('\n')) return echo('SEARCH and REPLACE are the same')
  const exact = findLines(text.lines, search, 3)
  const own = exact.length > 1 ? untouched(search) : null
  const [start, ...others] = own === null ? exact : [own]
  if (start !== undefined && others.length === 0) {
    return made(replaceLines(text, start, search.length, replace))
  }
  const placed = start === undefined ? applyHunk(text, editAsHunk(search, replace)) : exact
  if ('status' in placed) return placed
  if (placed.length > 1) {
    const { where, excerpt } = severalPlaces(text.lines, placed)
    return refuse(`the SEARCH lines fit ${where}; add lines around them`, excerpt)
  }
  const unescaped = { search: unescapeOnce(edit.search), replace: unescapeOnce(edit.replace) }
  if (search.length === 1 && unescaped.search !== edit.search) {
    const outcome = applyEdit(text, unescaped)
    if (outcome.status === 'made') return made(outcome.text, 'line ends that were escaped twice')
  }
  const within = edit.part && replacePart(text, edit.part)
  if (within) return made(within)
  if (isReplaced(text.lines, search, replace)) return echo('the edit is in the file already')
  const reason = 'the SEARCH lines are not in the file; copy them exactly, the closest are shown'
  return refuse(reason, () => closestLines(text.lines, search) || shorten(search))
}

/** Replaces whole words in the one line that has them; `null` for none or several lines. */
function replacePart(
  text: TextLines,
  { search, replace }: NonNullable<Edit['part']>,
): TextLines | null {
  const [at, ...others] = [...text.lines.keys()].filter((each) =>
    text.lines[each]?.includes(search),
  )
  const line = text.lines[at ?? -1]
  if (at === undefined || line === undefined || others.length > 0) return null
  const start = line.indexOf(search)
  const [before, after] = [line.slice(0, start), line.slice(start + search.length)]
  const isCut = /\w$/.test(before) && /^\w/.test(search)
  const isOpen = /\w$/.test(search) && /^\w/.test(after)
  if (isCut || isOpen || after.includes(search)) return null
  return replaceLines(text, at, 1, splitLines(`${before}${replace}${after}\n`).lines)
}

/**
 * Replaces what lines of the start commit became, where an earlier answer changed them already: a model that saw only
 * the file's first state writes its edit against that. `null` unless they are there just once and what became of them is
 * certain.
 */
function editFormer(text: TextLines, edit: Edit, former: Lines): Outcome | null {
  const search = linesOf(edit.search)
  // Lines that are still there are meant as they are now.
  if (findLines(text.lines, search, 1).length > 0) return null
  const [start, ...others] = findLines(former, search, 2)
  if (start === undefined || others.length > 0) return null
  const range = rangeNow(former, text.lines, start, start + search.length)
  if (range === null) return null
  const replaced = replaceLines(text, range.from, range.to - range.from, linesOf(edit.replace))
  return { status: 'made', text: replaced, tolerated: 'lines that an earlier answer had changed' }
}

/** Where a range of lines is now, with what was added at its edges; `null` where a change crosses an edge. */
function rangeNow(former: Lines, now: Lines, from: number, to: number) {
  const parts = diffArrays([...former], [...now], { maxEditLength: mostDifferences }) ?? []
  const edges = { from: -1, to: -1 }
  let [old, present] = [0, 0]
  for (const { added, removed, value } of parts) {
    const [oldEnd, presentEnd] = [
      old + (added ? 0 : value.length),
      present + (removed ? 0 : value.length),
    ]
    const isCommon = !added && !removed
    // The first place for the start, and the last one for the end.
    if (edges.from < 0 && (old === from || (isCommon && old < from && from < oldEnd)))
      edges.from = present + (from - old)
    if (oldEnd === to || (isCommon && old < to && to < oldEnd))
      edges.to = presentEnd - (oldEnd - to)
    ;[old, present] = [oldEnd, presentEnd]
  }
  return edges.from < 0 || edges.to < edges.from ? null : edges
}

const mostDifferences = 400

/**
 * Turns a replacement into a hunk with the lines that both sides share as context. A slip of white
 * space in them need not match the file, and never gets into it. Sides that are too unlike have
 * none.
 */
function editAsHunk(wanted: Lines, written: Lines): Hunk {
  const { search, replace } = withoutBlankEdges(wanted, written)
  const options = { maxEditLength: mostDifferences }
  const parts = diffArrays([...search], [...replace], options) ?? [
    { removed: true, added: false, value: search },
    { removed: false, added: true, value: replace },
  ]
  const lines = parts.flatMap(({ added, removed, value }) =>
    value.map((text) => hunkLine(`${added ? '+' : removed ? '-' : ' '}${text}`)),
  )
  return hunkOf(lines)
}

/** Blank lines at a search's edges mean nothing; the replacement loses as many. */
function withoutBlankEdges(search: Lines, replace: Lines) {
  const isText = (line: string) => line.trim() !== ''
  const first = search.findIndex(isText)
  const last = search.findLastIndex(isText)
  const text = replace.findIndex(isText)
  const start = Math.min(first, text < 0 ? replace.length : text)
  const blankEnd = replace.length - 1 - replace.findLastIndex(isText)
  const end = replace.length - Math.min(search.length - 1 - last, blankEnd)
  return {
    search: search.slice(first, last + 1),
    replace: replace.slice(start, Math.max(start, end)),
  }
}

/** Finds where original lines are now that no edit has touched; `null` if there are none. */
type FindUntouched = (search: Lines) => number | null

/**
 * Follows a file through edits. An edit may add a copy of lines that a later edit searches for:
 * that edit copied them from the original file, if they are there only once.
 */
function trackUntouched(original: Lines) {
  /** Each line's index in the original file; -1 for lines that edits added or may have moved. */
  let origins: readonly number[] = original.map((_, index) => index)
  const find: FindUntouched = (search) => {
    const [first, ...others] = findLines(original, search, 2)
    if (first === undefined || others.length > 0) return null
    const start = origins.indexOf(first)
    const isWhole = search.every((_, index) => origins[start + index] === first + index)
    return start >= 0 && isWhole ? start : null
  }
  const follow = (before: Lines, after: Lines) => {
    const shorter = Math.min(before.length, after.length)
    const head = commonStart(before, after, shorter)
    const tail = commonStart(before.toReversed(), after.toReversed(), shorter)
    // When neighbouring lines are alike, it is uncertain which of them is new.
    const either = Math.max(0, head + tail - shorter)
    const [kept, end] = [head - either, tail - either]
    origins = [
      ...origins.slice(0, kept),
      ...after.slice(kept, after.length - end).map(() => -1),
      ...origins.slice(before.length - end),
    ]
  }
  return { find, follow }
}

function commonStart(first: Lines, second: Lines, most: number): number {
  let length = 0
  while (length < most && first[length] === second[length]) length += 1
  return length
}
