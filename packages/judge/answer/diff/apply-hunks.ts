import { closestLines, isReplaced, severalPlaces } from '../closest-lines.ts'
import { type Edited, editText, type Outcome } from '../edited.ts'
import { findElision } from '../markers.ts'
import { findLines, type Lines, mainEnding, shorten, type TextLines } from '../text-lines.ts'
import { choosePlaces, coreOf, type PlacedHunk, placedAt } from './choose-places.ts'
import {
  changesSomething,
  type Hunk,
  type HunkLine,
  type HunkLines,
  hunkLine,
  newLines,
  oldLines,
} from './hunk.ts'
import { searchHunk, type TargetText, targetOf } from './place-hunk.ts'

/**
 * Applies the hunks of a diff to a text. Each needs one certain place: its own, or the one that the
 * order of the hunks leaves. Searches for a hunk without a place again in the new text, because
 * some models write each hunk against the last one; then refuses it.
 */
export function applyHunks(path: string, before: string, hunks: readonly Hunk[]): Edited {
  return editText(path, before, ['hunks', hunks], function* (original) {
    const changing = hunks.filter(changesSomething)
    const { placed, chosen } = choosePlaces(targetOf(original.lines), changing)
    let text = putIn(original, placed)
    for (const { fit } of placed) yield { status: 'made', text, tolerated: fit.tolerated }
    let target: TargetText | null = null
    for (const [index, hunk] of changing.entries()) {
      if (chosen.has(index)) continue
      target ??= targetOf(text.lines)
      const name = hunks.length > 1 ? `hunk ${index + 1} of the diff` : 'the diff'
      const outcome = placeAlone(text, target, hunk, name, placed.length > 0)
      yield outcome
      if (outcome.status !== 'made') continue
      text = outcome.text
      target = null
    }
  })
}

/** Applies one hunk whose place is certain, with notes; else returns the places where it fits. */
export function applyHunk(
  text: TextLines,
  hunk: Hunk,
): Extract<Outcome, { readonly status: 'made' }> | readonly number[] {
  const fits = searchHunk(targetOf(text.lines), hunk) ?? []
  const place = fits.length > 1 ? null : placedAt(fits[0], hunk)
  return place === null ? fits.map(({ start }) => start) : made(text, place)
}

const made = (text: TextLines, place: PlacedHunk) => ({
  ...{ status: 'made' as const, text: putIn(text, [place]) },
  tolerated: place.fit.tolerated,
})

export function replaceLines(
  text: TextLines,
  start: number,
  count: number,
  added: Lines,
): TextLines {
  const removed = text.lines.slice(start, start + count)
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  const fit = { start, lines: lines.map(hunkLine), tolerated: '' }
  return putIn(text, [{ fit, added, hunk: { finalNewline: 'keep' } }])
}

/**
 * Applies hunks, in the order of the file, to a text. Context keeps the file's own lines, so that a
 * diff's slips in them never get into it.
 */
function putIn(text: TextLines, placed: readonly PlacedHunk[]): TextLines {
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
    const old: string[] = []
    let next = 0
    for (const { kind } of changedPart(fit.lines)) {
      if (kind === 'added') {
        lines.push(added[next] ?? '')
        endings.push(old.shift() || ending)
        next += 1
        continue
      }
      if (kind === 'context') keepUpTo(at, at + 1)
      else old.push(text.endings[at] ?? '')
      at += 1
    }
    const isAtEnd = fit.start + oldLines(fit.lines).length === text.lines.length
    if (isAtEnd && hunk.finalNewline !== 'keep') last = hunk.finalNewline === 'add' ? ending : ''
  }
  keepUpTo(at, text.lines.length)
  if (endings.length > 0) endings[endings.length - 1] = last
  return { lines, endings }
}

function changedPart(lines: HunkLines): HunkLines {
  const isChange = ({ kind }: HunkLine) => kind !== 'context'
  return lines.slice(lines.findIndex(isChange), lines.findLastIndex(isChange) + 1)
}

function placeAlone(
  text: TextLines,
  target: TargetText,
  hunk: Hunk,
  name: string,
  mayFollowOthers: boolean,
): Outcome {
  const fits = searchHunk(target, hunk)
  const done = howDone(target, hunk)
  const [fit, ...others] = fits ?? []
  const place = others.length > 0 ? null : placedAt(fit, hunk)
  if (place && mayFollowOthers && done === 'not') return made(text, place)
  const old = oldLines(hunk.lines).map((line) => line.text)
  const shown = () => shorten(hunk.lines.map(({ raw }) => raw))
  const closest = () => closestLines(target.lines, old) || shown()
  const refuse = (what: string, excerpt: () => string): Outcome => ({
    ...{ status: 'refused', reason: `${name} ${what}`, excerpt },
  })
  if (fits === null) {
    const what =
      'has no lines of the file around what it adds; put unchanged lines before and after it'
    return refuse(what, shown)
  }
  if (done === 'surely') {
    const reason = `changed nothing: ${name} is in the file already`
    return { status: 'echo', reason, excerpt: shown }
  }
  if (done === 'maybe') return refuse('is already in the file: leave it out', shown)
  if (fit === undefined) return refuse(whyMissing(target, old), closest)
  if (others.length > 0) {
    const starts = fits.map(({ start }) => start)
    const { where, excerpt } = severalPlaces(target.lines, starts)
    return refuse(`fits ${where}; add unchanged lines around it`, excerpt)
  }
  return place === null
    ? refuse(
        "is indented in another way than the file; copy the file's lines exactly, the closest are shown",
        closest,
      )
    : refuse('changes lines that another hunk changes too; make one hunk of both', shown)
}

/** Names the missing line, so that the model knows what it made up. */
function whyMissing(target: TargetText, old: Lines): string {
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
 * Checks whether the new lines, if they say more than a bracket, are already in the file: `surely`
 * in the place that the hunk means, `maybe` in some place.
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
