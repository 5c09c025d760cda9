import type { Refusal } from '../../../core/domain/change-set.ts'
import { closestLines, isReplaced, linesAround } from '../closest-lines.ts'
import { type Edited, mostEdits, mostExcerpts } from '../edited.ts'
import { shorten } from '../excerpt.ts'
import { findElision } from '../find-elision.ts'
import { findLines } from '../find-lines.ts'
import { joinLines, mainEnding, splitLines, type TextLines } from '../text-lines.ts'
import { fitsByNumber } from './fit-by-number.ts'
import { changesSomething, type Hunk, type HunkLine, newLines, oldLines } from './hunk.ts'
import { type Core, pinHunks } from './pin-hunks.ts'
import {
  type Fit,
  mostCandidates,
  type Search,
  searchHunk,
  type TargetText,
  targetOf,
} from './place-hunk.ts'

interface Numbered {
  readonly hunk: Hunk
  /** 1-based. */
  readonly number: number
}

/**
 * Makes the hunks of a diff in a text. Each needs one certain place: its own, or the one that
 * the order of the hunks leaves. A hunk that has none is refused, the others are made; it is
 * looked for once more in the new text, since some models write each hunk against the last.
 */
export function applyHunks(path: string, before: string, hunks: readonly Hunk[]): Edited {
  if (hunks.length > mostEdits) {
    const reason = `${hunks.length} hunks for one file, at most ${mostEdits} are read; send the whole file`
    return { text: before, refusals: [{ path, reason, excerpt: '' }], echoes: [], notes: [] }
  }
  const notes = new Set<string>()
  const numbered = hunks
    .filter(changesSomething)
    .map((hunk, index) => ({ hunk, number: index + 1 }))
  const original = splitLines(before)
  const { fits, left } = placeAll(targetOf(original.lines), numbered)
  let text = putIn(original, fits)
  for (const { fit } of fits) note(notes, path, fit)
  const refusals: Refusal[] = []
  const echoes: Refusal[] = []
  let target: TargetText | null = null
  for (const each of left) {
    target ??= targetOf(text.lines)
    const search = searchHunk(target, each.hunk)
    const fit = search.status === 'found' && search.fits.length === 1 ? search.fits[0] : undefined
    const added = fit?.added() ?? null
    const done = howDone(target, each.hunk)
    if (fit && added && fits.length > 0 && done === 'not') {
      text = putIn(text, [{ fit, added, hunk: each.hunk }])
      note(notes, path, fit)
      target = null
      continue
    }
    if (done === 'surely' && search.status !== 'nothing') {
      const reason = `changed nothing: ${nameOf(each, hunks.length)} is in the file already`
      echoes.push({ path, reason, excerpt: shorten(each.hunk.lines.map(({ raw }) => raw)) })
      continue
    }
    const { reason, excerpt } = explain(target, each, search, hunks.length)
    refusals.push({ path, reason, excerpt: refusals.length < mostExcerpts ? excerpt() : '' })
  }
  return { text: joinLines(text), refusals, echoes, notes: [...notes] }
}

/** Makes one hunk whose place is certain, and says what was overlooked; else where it fits. */
export function applyHunk(
  text: TextLines,
  hunk: Hunk,
):
  | { readonly status: 'made'; readonly text: TextLines; readonly tolerated: string }
  | { readonly status: 'unclear'; readonly starts: readonly number[] } {
  const search = searchHunk(targetOf(text.lines), hunk)
  const fits = search.status === 'found' ? search.fits : []
  const [fit, ...others] = fits
  const added = fit?.added() ?? null
  return fit === undefined || added === null || others.length > 0
    ? { status: 'unclear', starts: fits.map(({ start }) => start) }
    : { status: 'made', text: putIn(text, [{ fit, added, hunk }]), tolerated: fit.tolerated }
}

function note(notes: Set<string>, path: string, { tolerated }: Fit): void {
  if (tolerated !== '') notes.add(`${path}: an edit was placed in spite of ${tolerated}`)
}

interface Placed {
  readonly fit: Fit
  readonly added: readonly string[]
  readonly hunk: Hunk
}

/** The hunks that have a certain place, in the order of the file, and those that are left. */
function placeAll(
  target: TargetText,
  hunks: readonly Numbered[],
): { readonly fits: readonly Placed[]; readonly left: readonly Numbered[] } {
  const searches =
    fitsByNumber(
      target,
      hunks.map(({ hunk }) => hunk),
    )?.map((fit) => [fit]) ??
    hunks.map(({ hunk }) => {
      const search = searchHunk(target, hunk)
      return search.status === 'found' && search.fits.length < mostCandidates ? search.fits : []
    })
  const pins = pinHunks(searches.map((fits) => fits.map(coreOf)))
  const wanted = hunks.flatMap(({ hunk, number }, index) => {
    const fit = searches[index]?.[pins[index] ?? -1]
    const added = fit?.added() ?? null
    return fit && added ? [{ fit, added, hunk, number, core: coreOf(fit) }] : []
  })
  const sorted = wanted.toSorted((a, b) => a.core.start - b.core.start || a.core.end - b.core.end)
  const fits: typeof sorted = []
  for (const each of sorted) {
    const last = fits.at(-1)?.core
    const collides = last && (each.core.start < last.end || each.core.start === last.start)
    if (!collides) fits.push(each)
  }
  const placed = new Set(fits.map(({ number }) => number))
  return { fits, left: hunks.filter(({ number }) => !placed.has(number)) }
}

/** From the first line that a hunk changes to behind the last. */
function coreOf({ start, lines }: Fit): Core {
  let at = start
  let first: number | null = null
  let end = start
  for (const { kind } of lines) {
    if (kind !== 'context') first ??= at
    if (kind !== 'added') at += 1
    if (kind !== 'context') end = at
  }
  return { start: first ?? start, end }
}

/**
 * The text with the hunks made, which stand in the order of the file. Context keeps the file's
 * own lines, so that a diff's slips in them never get into it.
 */
function putIn(text: TextLines, placed: readonly Placed[]): TextLines {
  const ending = mainEnding(text)
  const lines: string[] = []
  const endings: string[] = []
  const keepUpTo = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      lines.push(text.lines[at] ?? '')
      endings.push(text.endings[at] || ending)
    }
  }
  let at = 0
  let last = text.lines.length === 0 ? ending : (text.endings.at(-1) ?? '')
  for (const { fit, added, hunk } of placed) {
    const core = coreOf(fit)
    keepUpTo(at, core.start)
    at = Math.max(at, core.start)
    let next = 0
    for (const { kind } of changedPart(fit.lines)) {
      if (kind === 'added') {
        lines.push(added[next] ?? '')
        endings.push(ending)
        next += 1
        continue
      }
      if (kind === 'context') keepUpTo(at, at + 1)
      at += 1
    }
    const isAtEnd = fit.start + oldLines(fit.lines).length === text.lines.length
    if (isAtEnd && hunk.finalNewline !== 'keep') last = hunk.finalNewline === 'add' ? ending : ''
  }
  keepUpTo(at, text.lines.length)
  if (endings.length > 0) endings[endings.length - 1] = last
  return { lines, endings }
}

/** Without the context before the first change and behind the last. */
function changedPart(lines: readonly HunkLine[]): readonly HunkLine[] {
  const isChange = ({ kind }: HunkLine) => kind !== 'context'
  return lines.slice(lines.findIndex(isChange), lines.findLastIndex(isChange) + 1)
}

const nameOf = ({ number }: Numbered, of: number): string =>
  of > 1 ? `hunk ${number} of the diff` : 'the diff'

interface Explanation {
  readonly reason: string
  readonly excerpt: () => string
}

function explain(target: TargetText, each: Numbered, search: Search, of: number): Explanation {
  const { hunk } = each
  const name = nameOf(each, of)
  const old = oldLines(hunk.lines).map(({ text }) => text)
  const shown = () => shorten(hunk.lines.map(({ raw }) => raw))
  const closest = () => closestLines(target.lines, old) || shown()
  if (search.status === 'nothing') {
    const reason = `${name} has no lines of the file around what it adds; put unchanged lines before and after it`
    return { reason, excerpt: shown }
  }
  if (howDone(target, hunk) !== 'not') {
    return { reason: `${name} is already in the file: leave it out`, excerpt: shown }
  }
  if (search.status === 'found') {
    const [first] = search.fits
    if (search.fits.length === 1 && first?.added() === null) {
      const reason = `${name} is indented in another way than the file; copy the file's lines exactly, the closest are shown`
      return { reason, excerpt: closest }
    }
    if (search.fits.length === 1 && first) {
      const reason = `${name} changes lines that another hunk changes too; make one hunk of both`
      return { reason, excerpt: shown }
    }
    const where = search.fits.slice(0, 3).map(({ start }) => start + 1)
    const reason = `${name} fits in more than one place (lines ${where.join(', ')}…); add unchanged lines around it`
    return {
      reason,
      excerpt: () =>
        linesAround(
          target.lines,
          search.fits.map(({ start }) => start),
        ),
    }
  }
  return { reason: `${name} ${whyMissing(target, old)}`, excerpt: closest }
}

/** Names the line that is not there, so that the model knows what it made up. */
function whyMissing(target: TargetText, old: readonly string[]): string {
  const elision =
    old[findElision('', old) - 1] ?? old.find((line) => /^\s*(?:\.{3}|…)\s*$/.test(line))
  if (elision !== undefined && !target.known.has(elision.trim())) {
    return 'leaves lines out between those it shows; copy the lines around the change without gaps'
  }
  const stranger = old.find((line) => !target.known.has(line.trim()))
  const advice = 'copy the lines exactly from the file, the closest are shown'
  return stranger === undefined
    ? `has lines that are in the file, but do not follow one another there; ${advice}`
    : `has a line that is not in the file: \`${stranger.trim().slice(0, 120)}\`; ${advice}`
}

/**
 * Whether the lines as they should become are there, more telling than a bracket: `surely` in the
 * place that the hunk speaks of, `maybe` in some place.
 */
function howDone(target: TargetText, { lines }: Hunk): 'not' | 'maybe' | 'surely' {
  const [old = [], renewed = []] = [oldLines(lines), newLines(lines)].map((side) =>
    side.map(({ text }) => text),
  )
  const isNew = lines.some(({ kind, text }) => kind === 'added' && text.trim().length > 2)
  const trimmed = renewed.map((line) => line.trim())
  if (!isNew || findLines(target.trimmed, trimmed, 1).length === 0) return 'not'
  return isReplaced(target.lines, old, renewed) ? 'surely' : 'maybe'
}
