import { findLines, type Lines } from '../text-lines.ts'
import { type Hunk, type HunkLine, type HunkLines, oldLines } from './hunk.ts'
import { addedLines, indentKind, indentOf } from './hunk-indentation.ts'
import { readingsOf, withoutSlip } from './hunk-readings.ts'

/** A hunk with more possible places has no certain one. */
export const mostCandidates = 200

/** A file's lines, with and without white space. */
export interface TargetText {
  readonly lines: Lines
  readonly trimmed: Lines
  readonly squeezed: Lines
  /** All trimmed lines. */
  readonly known: ReadonlySet<string>
  /** The `indentKind` of every line with text. */
  readonly indents: ReadonlySet<string>
}

/** A hunk at a place in a file. Lines are 0-based. */
export interface Fit {
  readonly start: number
  /** The hunk's lines that were searched for; doubtful and blank edge lines may be missing. */
  readonly lines: HunkLines
  /** The added lines in the file's indentation; `null` when the old lines do not determine it. */
  readonly added: () => Lines | null
  /** The differences that were tolerated; empty for an exact match. */
  readonly tolerated: string
}

export function targetOf(lines: Lines): TargetText {
  const trimmed = lines.map(trim)
  const indents = new Set(lines.filter((line) => line.trim() !== '').map(indentKind))
  return { lines, trimmed, squeezed: lines.map(squeeze), known: new Set(trimmed), indents }
}

/**
 * Finds every place in a file for the old lines of a hunk, by the strictest comparison that finds
 * any: exactly, except for the space that context lines lost; else ignoring white space at line
 * ends; else indentation; else all white space. One unchanged line may be made up or dropped if the
 * others prove it; line numbers do not count. `null` when there are no lines to search for.
 */
export function searchHunk(target: TargetText, hunk: Hunk): readonly Fit[] | null {
  const readings = readingsOf(target, hunk)
  if (readings.every((lines) => isBlank(oldLines(lines)))) return null
  for (const lines of readings) {
    const fits = searchReading(target, lines, hunk)
    if (fits.length > 0) return fits
  }
  const better = withoutSlip(target, hunk)
  const fits = better === null ? [] : searchReading(target, better.lines, hunk)
  return better !== null && fits.every(({ tolerated }) => tolerated === '')
    ? fits.map((fit) => ({ ...fit, tolerated: better.slip }))
    : []
}

function searchReading(target: TargetText, lines: HunkLines, hunk: Hunk): readonly Fit[] {
  const old = oldLines(lines)
  if (isBlank(old)) return []
  const find = (all: Lines, form: (line: string) => string) =>
    findLines(
      all,
      old.map(({ text }) => form(text)),
      mostCandidates,
    )
  const near = find(target.trimmed, trim)
  const starts = near.length > 0 ? near : find(target.squeezed, squeeze)
  for (const [tolerated, form] of comparisons) {
    const places = starts.filter((start) => agrees(target, start, old, form))
    if (places.length === 0) continue
    return narrow(places, target, old.length, hunk).map((start) =>
      fitAt(target, lines, start, tolerated),
    )
  }
  return []
}

const trim = (line: string): string => line.trim()
const compose = (line: string): string => line.normalize('NFC')
const squeeze = (line: string): string => compose(line.replace(/\s+/g, ''))
const plain = (line: string): string => line

/** What each comparison tolerates, and the form in which it compares lines. */
const comparisons = [
  ['', plain],
  ['accents encoded another way', compose],
  ['white space at line ends', (line: string) => line.trimEnd()],
  ['different indentation', trim],
  ['different white space', squeeze],
] as const

const agrees = (
  target: TargetText,
  start: number,
  old: HunkLines,
  form: (line: string) => string,
): boolean =>
  old.every(({ kind, text, raw }, index) => {
    const real = form(target.lines[start + index] ?? '')
    return real === form(text) || (kind === 'context' && real === form(raw))
  })

function fitAt(
  target: TargetText,
  lines: HunkLines,
  start: number,
  tolerated: string,
  isPlain = false,
): Fit {
  const added = () => {
    const pairs = oldLines(lines).map((line, index) => ({
      ...{ line, real: target.lines[start + index] ?? '' },
    }))
    const texts = lines.filter(({ kind }) => kind === 'added').map(({ text }) => text)
    return addedLines(pairs, texts, target.indents, isPlain)
  }
  return { start, lines, added, tolerated }
}

/**
 * Places a hunk at a line where its old lines are exactly; `null` when they are not there. If each
 * also has its sign, they determine the depth of the added lines.
 */
export function exactFitAt(target: TargetText, { lines }: Hunk, start: number): Fit | null {
  const old = oldLines(lines)
  if (isBlank(old) || !agrees(target, start, old, plain)) return null
  const isPlain = old.every(({ text }, index) => text === target.lines[start + index])
  return fitAt(target, lines, start, '', isPlain)
}

/** Narrows several places to an edge of the file, or below the hunk's headings, if it says so. */
function narrow(
  starts: readonly number[],
  target: TargetText,
  count: number,
  { atEnd, headings, lines }: Hunk,
): readonly number[] {
  if (starts.length < 2) return starts
  const some = (found: readonly number[]) => (found.length > 0 ? found : null)
  const last = starts.filter((start) => start + count === target.lines.length)
  let range: LineRange = { from: 0, to: target.lines.length }
  for (const heading of headings) range = blockBelow(target, heading.trim(), range) ?? range
  const inside = some(starts.filter((start) => start >= range.from && start < range.to)) ?? starts
  const edge: readonly number[] = { start: [0], end: last, none: [] }[edgeOf(lines)]
  return (atEnd ? some(last) : null) ?? some(inside.filter((at) => edge.includes(at))) ?? inside
}

/** How much context programs write around a change; less only where the file starts or ends. */
const usualContext = 3

/** Where lines are added, judged by context on only one side. */
function edgeOf(lines: HunkLines): 'start' | 'end' | 'none' {
  const isChange = ({ kind }: HunkLine) => kind !== 'context'
  const above = lines.findIndex(isChange)
  const below = lines.length - 1 - lines.findLastIndex(isChange)
  if (lines.some(({ kind }) => kind === 'removed')) return 'none'
  if (below === 0 && above >= usualContext) return 'end'
  return above === 0 && below >= usualContext ? 'start' : 'none'
}

interface LineRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** A heading and the lines indented below it; `null` when it is missing or not unique. */
function blockBelow(
  { lines, trimmed }: TargetText,
  heading: string,
  { from, to }: LineRange,
): LineRange | null {
  const [start, second] = findLines(trimmed.slice(from, to), [heading], 2)
  if (start === undefined || second !== undefined) return null
  const top = from + start
  const depth = indentOf(lines[top] ?? '').length
  const ends = (line: string) => indentOf(line).length <= depth && !/^[{(]?$/.test(line.trim())
  const height = lines.slice(top + 1, to).findIndex(ends)
  return { from: top, to: height < 0 ? to : top + 1 + height }
}

const isBlank = (lines: HunkLines): boolean => lines.every(({ text }) => text.trim() === '')
