import { closestLines, isReplaced, linesAround } from '../closest-lines.ts'
import { type Edited, EditedText, type Outcome } from '../edited.ts'
import { shorten } from '../excerpt.ts'
import { findElision } from '../find-elision.ts'
import { findLines } from '../find-lines.ts'
import { mainEnding, type TextLines } from '../text-lines.ts'
import { fitsByNumber } from './fit-by-number.ts'
import { changesSomething, type Hunk, type HunkLine, hunkLine, newLines, oldLines } from './hunk.ts'
import { type Core, pinHunks } from './pin-hunks.ts'
import { type Fit, mostCandidates, searchHunk, type TargetText, targetOf } from './place-hunk.ts'

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
  const edited = new EditedText(path, before)
  if (edited.hasTooMany(hunks, 'hunks')) return edited.result()
  const numbered = hunks
    .filter(changesSomething)
    .map((hunk, index) => ({ hunk, number: index + 1 }))
  const { placed, left } = placeAll(targetOf(edited.text.lines), numbered)
  edited.text = putIn(edited.text, placed)
  for (const { fit } of placed) edited.note(fit.tolerated)
  let target: TargetText | null = null
  for (const { hunk, number } of left) {
    target ??= targetOf(edited.text.lines)
    const name = hunks.length > 1 ? `hunk ${number} of the diff` : 'the diff'
    const outcome = placeAlone(edited.text, target, hunk, name, placed.length > 0)
    if (outcome.status === 'made') target = null
    edited.take(outcome)
  }
  return edited.result()
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

/** The text with other lines in the place of some. */
export function replaceLines(
  text: TextLines,
  start: number,
  count: number,
  added: readonly string[],
): TextLines {
  const removed = text.lines.slice(start, start + count)
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  const fit = { start, lines: lines.map(hunkLine) }
  return putIn(text, [{ fit, added, hunk: { finalNewline: 'keep' } }])
}

interface Placed {
  readonly fit: Pick<Fit, 'start' | 'lines'>
  readonly added: readonly string[]
  readonly hunk: Pick<Hunk, 'finalNewline'>
}

/** The hunks that have a certain place, in the order of the file, and those that are left. */
function placeAll(
  target: TargetText,
  hunks: readonly Numbered[],
): {
  readonly placed: readonly (Placed & { readonly fit: Fit })[]
  readonly left: readonly Numbered[]
} {
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
  const placed: typeof sorted = []
  for (const each of sorted) {
    const last = placed.at(-1)?.core
    const collides = last && (each.core.start < last.end || each.core.start === last.start)
    if (!collides) placed.push(each)
  }
  const numbers = new Set(placed.map(({ number }) => number))
  return { placed, left: hunks.filter(({ number }) => !numbers.has(number)) }
}

/** From the first line that a hunk changes to behind the last. */
function coreOf({ start, lines }: Placed['fit']): Core {
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

/** Without the context before the first change and behind the last. */
function changedPart(lines: readonly HunkLine[]): readonly HunkLine[] {
  const isChange = ({ kind }: HunkLine) => kind !== 'context'
  return lines.slice(lines.findIndex(isChange), lines.findLastIndex(isChange) + 1)
}

/** What becomes of a hunk that was not placed with the others. */
function placeAlone(
  text: TextLines,
  target: TargetText,
  hunk: Hunk,
  name: string,
  mayFollowOthers: boolean,
): Outcome {
  const search = searchHunk(target, hunk)
  const done = howDone(target, hunk)
  const fits = search.status === 'found' ? search.fits : []
  const [fit, ...others] = fits
  const added = fit?.added() ?? null
  const isAlone = fit !== undefined && others.length === 0
  if (isAlone && added && mayFollowOthers && done === 'not') {
    return { status: 'made', text: putIn(text, [{ fit, added, hunk }]), tolerated: fit.tolerated }
  }
  const old = oldLines(hunk.lines).map((line) => line.text)
  const shown = () => shorten(hunk.lines.map(({ raw }) => raw))
  const closest = () => closestLines(target.lines, old) || shown()
  const refuse = (what: string, excerpt: () => string): Outcome => ({
    status: 'refused',
    reason: `${name} ${what}`,
    excerpt,
  })
  if (search.status === 'nothing') {
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
  if (isAlone) {
    return added === null
      ? refuse(
          "is indented in another way than the file; copy the file's lines exactly, the closest are shown",
          closest,
        )
      : refuse('changes lines that another hunk changes too; make one hunk of both', shown)
  }
  const starts = fits.map(({ start }) => start)
  const where = starts.slice(0, 3).map((start) => start + 1)
  const what = `fits in more than one place (lines ${where.join(', ')}…); add unchanged lines around it`
  return refuse(what, () => linesAround(target.lines, starts))
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
