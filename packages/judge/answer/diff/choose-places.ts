import type { Lines } from '../text-lines.ts'
import { countsRight, type Hunk, type HunkLines } from './hunk.ts'
import { exactFitAt, type Fit, mostCandidates, searchHunk, type TargetText } from './place-hunk.ts'

export interface PlacedHunk {
  readonly fit: Pick<Fit, 'start' | 'lines' | 'tolerated'>
  readonly added: Lines
  readonly hunk: Pick<Hunk, 'finalNewline'>
}

/** Places a hunk, if the place determines the indentation of its added lines. */
export function placedAt(fit: Fit | undefined, hunk: PlacedHunk['hunk']): PlacedHunk | null {
  const added = fit?.added() ?? null
  return fit && added ? { fit, added, hunk } : null
}

/** Finds the hunks with a certain place, in the order of the file, and their indexes. */
export function choosePlaces(
  target: TargetText,
  hunks: readonly Hunk[],
): { readonly placed: readonly PlacedHunk[]; readonly chosen: ReadonlySet<number> } {
  const searches =
    fitsByNumber(target, hunks)?.map((fit) => [fit]) ??
    hunks.map((hunk) => {
      const fits = searchHunk(target, hunk) ?? []
      return fits.length < mostCandidates ? fits : []
    })
  const pins = pinHunks(searches.map((fits) => fits.map(coreOf)))
  const wanted = hunks.flatMap((hunk, index) => {
    const fit = searches[index]?.[pins[index] ?? -1]
    const place = placedAt(fit, hunk)
    return fit && place ? [{ ...place, index, core: coreOf(fit) }] : []
  })
  const sorted = wanted.toSorted((a, b) => a.core.start - b.core.start || a.core.end - b.core.end)
  const placed: typeof sorted = []
  for (const each of sorted) {
    const last = placed.at(-1)?.core
    const collides = last && (each.core.start < last.end || each.core.start === last.start)
    if (!collides) placed.push(each)
  }
  return { placed, chosen: new Set(placed.map(({ index }) => index)) }
}

/**
 * Places hunks at the lines that their headers name; `null` unless all numbers are consistent: each
 * header counts its own lines right, each new number follows from the old one and the hunks before,
 * and each hunk's old lines are exactly there. Numbers that a model makes up do not satisfy all
 * this.
 */
function fitsByNumber(target: TargetText, hunks: readonly Hunk[]): readonly Fit[] | null {
  let longer = 0
  const fits: Fit[] = []
  for (const hunk of hunks) {
    const { range } = hunk
    if (range === null || !countsRight(hunk)) return null
    const at = firstLine(range.oldStart, range.oldCount)
    if (firstLine(range.newStart, range.newCount) !== at + longer) return null
    const fit = exactFitAt(target, hunk, at)
    if (fit === null) return null
    longer += range.newCount - range.oldCount
    fits.push(fit)
  }
  return fits
}

/** A header for no lines names the line before. */
const firstLine = (start: number, count: number): number => (count === 0 ? start : start - 1)

/** The lines that a hunk changes at one place: 0-based, `end` exclusive; equal for an insertion. */
interface Core {
  readonly start: number
  readonly end: number
}

export function coreOf({ start, lines }: { start: number; lines: HunkLines }): Core {
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
 * Chooses the place of each hunk, as an index into its places; -1 when uncertain. Hunks are in the
 * order of the file: when those with one place keep to it, they narrow down the others. A place
 * counts only if no other is possible.
 */
function pinHunks(places: readonly (readonly Core[])[]): readonly number[] {
  const single = places.flatMap((cores) => (cores.length === 1 && cores[0] ? [cores[0]] : []))
  const inOrder = single.every((core, index) => core.start >= (single[index - 1]?.end ?? 0))
  const alone = places.map((cores) => (cores.length === 1 ? 0 : -1))
  if (!inOrder) return alone
  const earliest = firstInOrder(places)
  const latest = firstInOrder(
    places.toReversed().map((cores) => cores.map(mirrored).toReversed()),
  ).toReversed()
  return alone.map((only, at) => {
    const first = earliest[at] ?? -1
    const last = (places[at]?.length ?? 0) - 1 - (latest[at] ?? -1)
    return only < 0 && latest[at] !== -1 && first === last ? first : only
  })
}

/** The first place of each hunk that is after those of earlier hunks; -1 for none. */
function firstInOrder(places: readonly (readonly Core[])[]): readonly number[] {
  let end = Number.NEGATIVE_INFINITY
  return places.map((cores) => {
    const index = cores.findIndex((core) => core.start >= end)
    end = cores[index]?.end ?? end
    return index
  })
}

const mirrored = ({ start, end }: Core): Core => ({ start: -end, end: -start })
