import { findLines } from '../find-lines.ts'
import { indentOf } from '../indentation.ts'
import { type Hunk, type HunkLine, oldLines } from './hunk.ts'
import { addedLines, indentKind } from './hunk-indentation.ts'
import { withoutSlip } from './without-slip.ts'

/** More places than this are no place. */
export const mostCandidates = 200

/** A file's lines, and what they are without white space. */
export interface TargetText {
  readonly lines: readonly string[]
  readonly trimmed: readonly string[]
  readonly squeezed: readonly string[]
  /** All trimmed lines. */
  readonly known: ReadonlySet<string>
  /** The `indentKind` of every line with text. */
  readonly indents: ReadonlySet<string>
}

/** A hunk at a place of a file. Lines are 0-based. */
export interface Fit {
  readonly start: number
  /** The hunk's lines that were looked for; doubtful and blank ones at the edges may be gone. */
  readonly lines: readonly HunkLine[]
  /** The added lines, in the file's indentation; `null` when the old lines do not tell which that is. */
  readonly added: () => readonly string[] | null
  /** What was overlooked; empty for an exact match. */
  readonly tolerated: string
}

/** Everywhere a hunk may belong, by the strictest comparison that finds it at all. */
export type Search =
  | { readonly status: 'found'; readonly fits: readonly Fit[] }
  | { readonly status: 'missing' }
  /** There are no lines to look for. */
  | { readonly status: 'nothing' }

export function targetOf(lines: readonly string[]): TargetText {
  const trimmed = lines.map((line) => line.trim())
  const indents = new Set(lines.filter((line) => line.trim() !== '').map(indentKind))
  return { lines, trimmed, squeezed: lines.map(squeeze), known: new Set(trimmed), indents }
}

/**
 * Finds the old lines of a hunk in a file: exactly, or but for the space that context lines lost;
 * else but for white space at line ends; else but for indentation; else but for any white space.
 * One unchanged line may be made up or dropped where the others prove it; line numbers are not looked at.
 */
export function searchHunk(target: TargetText, hunk: Hunk): Search {
  const readings = readingsOf(target, hunk)
  if (readings.every((lines) => isBlank(oldLines(lines)))) return { status: 'nothing' }
  for (const lines of readings) {
    const found = searchReading(target, lines, hunk)
    if (found.status === 'found') return found
  }
  return searchWithoutSlip(target, hunk)
}

/** Exactly, but for one slip in the unchanged lines. */
function searchWithoutSlip(target: TargetText, hunk: Hunk): Search {
  const better = withoutSlip(target, withoutBlankEdges(hunk.lines))
  const found = better && searchReading(target, better.lines, hunk)
  const fits = found?.status === 'found' ? found.fits : []
  return better !== null && fits.length > 0 && fits.every(({ tolerated }) => tolerated === '')
    ? { status: 'found', fits: fits.map((fit) => ({ ...fit, tolerated: better.slip })) }
    : { status: 'missing' }
}

function searchReading(target: TargetText, lines: readonly HunkLine[], hunk: Hunk): Search {
  const old = oldLines(lines)
  if (isBlank(old)) return { status: 'missing' }
  const trimmed = old.map(({ text }) => text.trim())
  let starts = findLines(target.trimmed, trimmed, mostCandidates)
  let comparisons: readonly Comparison[] = [exact, lineEnds, indentation]
  if (starts.length === 0) {
    starts = findLines(
      target.squeezed,
      old.map(({ text }) => squeeze(text)),
      mostCandidates,
    )
    comparisons = [anyWhiteSpace]
  }
  const comparison = comparisons.find((each) =>
    starts.some((start) => each.agrees(target, start, old)),
  )
  if (comparison === undefined) return { status: 'missing' }
  const places = narrow(
    starts.filter((start) => comparison.agrees(target, start, old)),
    target,
    old.length,
    hunk,
  )
  return {
    status: 'found',
    fits: places.map((start) => fitAt(target, lines, start, comparison.tolerates)),
  }
}

function fitAt(
  target: TargetText,
  lines: readonly HunkLine[],
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
 * A hunk at a line, where its old lines stand there exactly; `null` where they do not. Where each has its
 * sign, too, they tell how deep the added lines are.
 */
export function exactFitAt(target: TargetText, { lines }: Hunk, start: number): Fit | null {
  const old = oldLines(lines)
  if (isBlank(old) || !exact.agrees(target, start, old)) return null
  const isPlain = old.every(({ text }, index) => text === target.lines[start + index])
  return fitAt(target, lines, start, '', isPlain)
}

interface Comparison {
  readonly tolerates: string
  readonly agrees: (target: TargetText, start: number, old: readonly HunkLine[]) => boolean
}

const lineByLine =
  (same: (real: string, written: string) => boolean): Comparison['agrees'] =>
  (target, start, old) =>
    old.every(({ kind, text, raw }, index) => {
      const real = target.lines[start + index] ?? ''
      return same(real, text) || (kind === 'context' && same(real, raw))
    })

const exact: Comparison = {
  tolerates: '',
  agrees: lineByLine((real, written) => real === written),
}
const lineEnds: Comparison = {
  tolerates: 'white space at line ends',
  agrees: lineByLine((real, written) => real.trimEnd() === written.trimEnd()),
}
const indentation: Comparison = { tolerates: 'another indentation', agrees: () => true }
const anyWhiteSpace: Comparison = { tolerates: 'other white space', agrees: () => true }

/** The ways to read a hunk, the plainest first; each is tried when those before are not found. */
function readingsOf(
  target: TargetText,
  { lines, doubtful }: Hunk,
): readonly (readonly HunkLine[])[] {
  const alone = [lines, withoutBlankEdges(lines)]
  const unsigned = unsign(target, withoutBlankEdges(lines))
  if (unsigned !== null) alone.push(unsigned)
  if (doubtful.every(({ raw }) => raw.trim() === '')) return alone
  const all = [...lines, ...doubtful]
  const isProse = !doubtful.some(({ kind, raw }) => kind === 'removed' && !/^- \S/.test(raw))
  return [all, withoutBlankEdges(all), ...(isProse ? alone : [])]
}

/** `- item` that the file has, sign and all, is a context line that lost its space. */
function unsign(target: TargetText, lines: readonly HunkLine[]): readonly HunkLine[] | null {
  const isText = ({ kind, text, raw }: HunkLine) =>
    kind !== 'context' &&
    text.trim() !== '' &&
    target.known.has(raw.trim()) &&
    !target.known.has(text.trim())
  if (!lines.some(isText)) return null
  return lines.map((line) =>
    isText(line) ? { kind: 'context', text: line.raw, raw: line.raw } : line,
  )
}

/** Blank context at the edges is often lost, or put in between two hunks. */
function withoutBlankEdges(lines: readonly HunkLine[]): readonly HunkLine[] {
  const counts = ({ kind, raw }: HunkLine) => kind !== 'context' || raw.trim() !== ''
  return lines.slice(Math.max(0, lines.findIndex(counts)), lines.findLastIndex(counts) + 1)
}

/** Of several places, those at an edge of the file, or below the hunk's headings, where it says so. */
function narrow(
  starts: readonly number[],
  target: TargetText,
  count: number,
  { atEnd, headings, lines }: Hunk,
): readonly number[] {
  if (starts.length < 2) return starts
  const some = (found: readonly number[]) => (found.length > 0 ? found : null)
  const last = starts.filter((start) => start + count === target.lines.length)
  let range: Range = { from: 0, to: target.lines.length }
  for (const heading of headings) range = blockBelow(target, heading.trim(), range) ?? range
  const inside = some(starts.filter((start) => start >= range.from && start < range.to)) ?? starts
  const edge: readonly number[] = { start: [0], end: last, none: [] }[edgeOf(lines)]
  return (atEnd ? some(last) : null) ?? some(inside.filter((at) => edge.includes(at))) ?? inside
}

/** Lines of context, as programs write them around a change: fewer only where the file begins or ends. */
const usualContext = 3

/** Where lines are added, by context on one side alone. */
function edgeOf(lines: readonly HunkLine[]): 'start' | 'end' | 'none' {
  const isChange = ({ kind }: HunkLine) => kind !== 'context'
  const above = lines.findIndex(isChange)
  const below = lines.length - 1 - lines.findLastIndex(isChange)
  if (lines.some(({ kind }) => kind === 'removed')) return 'none'
  if (below === 0 && above >= usualContext) return 'end'
  return above === 0 && below >= usualContext ? 'start' : 'none'
}

interface Range {
  readonly from: number
  /** Behind the last line. */
  readonly to: number
}

/** A heading and the lines indented below it; `null` when it is not there, or more than once. */
function blockBelow({ lines, trimmed }: TargetText, heading: string, within: Range): Range | null {
  const matches: number[] = []
  for (let index = within.from; index < within.to && matches.length < 2; index += 1) {
    if (trimmed[index] === heading) matches.push(index)
  }
  const [from] = matches
  if (from === undefined || matches.length > 1) return null
  const depth = indentOf(lines[from] ?? '').length
  const opensBelow = /^[{(]?$/
  let to = from + 1
  while (to < within.to) {
    const text = trimmed[to] ?? ''
    if (indentOf(lines[to] ?? '').length <= depth && !opensBelow.test(text)) break
    to += 1
  }
  return { from, to }
}

function isBlank(lines: readonly HunkLine[]): boolean {
  return lines.every(({ text }) => text.trim() === '')
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, '')
}
