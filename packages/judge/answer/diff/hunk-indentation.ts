import type { Lines } from '../text-lines.ts'
import type { HunkLine } from './hunk.ts'

/** An old line of a hunk, and the file's line for which it stands. */
interface Pair {
  readonly line: HunkLine
  readonly real: string
}

/** How to turn the hunk's indentation into the file's, in the same way on every line. */
interface Shift {
  readonly name: string
  /** Lower ones are likelier. */
  readonly rank: number
  /** Returns `null` for an indentation that does not fit. */
  readonly move: (indent: string) => string | null
}

const unmoved: Shift = { name: '', rank: 0, move: (indent) => indent }

/**
 * Returns a hunk's added lines in the file's indentation; `null` when the old lines do not
 * determine it. Removed lines must all agree; context lines may have lost some or all of their
 * leading space, so most of them are enough.
 *
 * @param indents the `indentKind` of every line of the file
 * @param isPlain the old lines are the file's, including signs, at the hunk's line numbers
 */
export function addedLines(
  pairs: readonly Pair[],
  added: Lines,
  indents: ReadonlySet<string>,
  isPlain = false,
): Lines | null {
  const telling = pairs.filter(({ line }) => line.text.trim() !== '')
  const shift = isPlain ? unmoved : likelier(shiftOf(telling, added), telling, added, indents)
  if (shift === null) return null
  const isSure = shift !== unmoved || telling.some(({ line }) => line.kind === 'removed')
  const moved = reindent(isSure ? added : withoutSlip(added, indents), shift)
  return moved && losesLineEnds(telling) ? moved.map((line) => line.trimEnd()) : moved
}

function reindent(lines: Lines, { move }: Shift): Lines | null {
  const moved = lines.map((line) => {
    const indent = indentOf(line)
    const to = line.trim() === '' ? indent : move(indent)
    return to === null ? null : to + line.slice(indent.length)
  })
  return moved.every((line) => line !== null) ? moved : null
}

function shiftOf(pairs: readonly Pair[], added: Lines): Shift | null {
  if (added.every((line) => line.trim() === '')) return unmoved
  const removed = pairs.filter(({ line }) => line.kind === 'removed')
  const signed = pairs.filter(({ line }) => line.kind === 'context' && isSigned(line))
  const unsigned = pairs.filter(({ line }) => line.kind === 'context' && !isSigned(line))
  if (removed.length === 0 && unsigned.length > 0)
    return shiftOfUnsigned([...unsigned, ...signed], added)
  const shifts = shiftsOf([...removed, ...signed])
  const agreed = shifts.filter((shift) => removed.every((pair) => fits(pair, shift)))
  const votes = (shift: Shift) => signed.filter((pair) => fits(pair, shift)).length
  const best = agreed.toSorted((a, b) => votes(b) - votes(a))[0]
  if (best === undefined) return null
  return removed.length > 0 || votes(best) * 2 > signed.length || signed.length === 0 ? best : null
}

/**
 * Lines without signs that were moved to the right look signed. Only context can be read both ways:
 * the likelier reading gives more added lines an indentation that lines of the file have.
 */
function likelier(
  shift: Shift | null,
  pairs: readonly Pair[],
  added: Lines,
  indents: ReadonlySet<string>,
): Shift | null {
  if (shift === null || pairs.some(({ line }) => line.kind === 'removed' || !isSigned(line))) {
    return shift
  }
  const other = rawShift(pairs)
  if (other === null) return shift
  const usual = (each: Shift) =>
    (reindent(added, each) ?? []).filter(
      (line) => line.trim() !== '' && indents.has(indentKind(line)),
    ).length
  return usual(other) > usual(shift) ? other : shift
}

/** Finds the shift that explains all lines when no line has a sign. */
function rawShift(pairs: readonly Pair[]): Shift | null {
  const raw = pairs.map(({ line, real }) => ({ line: { ...line, text: line.raw }, real }))
  return shiftsOf(raw).find((shift) => raw.every((pair) => fits(pair, shift))) ?? null
}

/**
 * When a context line has no sign, the others may have lost theirs and all their indentation, which
 * the added lines kept: then these start as deep as a line next to them.
 */
function shiftOfUnsigned(pairs: readonly Pair[], added: Lines): Shift | null {
  const shift = rawShift(pairs)
  if (shift === unmoved) return unmoved
  const depths = pairs.map(({ real }) => indentOf(real).length)
  const own = added.filter((line) => line.trim() !== '').map((line) => indentOf(line).length)
  if (Math.min(...own) < Math.min(...depths)) return shift
  return depths.includes(own[0] ?? 0) ? unmoved : null
}

/** Undoes one space too many or too few after every sign, when no added indentation is usual. */
function withoutSlip(added: Lines, indents: ReadonlySet<string>): Lines {
  const texts = added.filter((line) => line.trim() !== '')
  const isUsual = (line: string) => indents.has(indentKind(line))
  if (texts.some(isUsual)) return added
  if (texts.every((line) => line.startsWith(' ') && isUsual(line.slice(1)))) {
    return added.map((line) => line.replace(/^ /, ''))
  }
  return texts.every((line) => isUsual(` ${line}`))
    ? added.map((line) => (line.trim() === '' ? line : ` ${line}`))
    : added
}

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ''

/** A line's indentation, with a comment's star after it, which counts as one level deeper. */
export const indentKind = (line: string): string => /^[ \t]*\*?/.exec(line)?.[0] ?? ''

function shiftsOf(pairs: readonly Pair[]): readonly Shift[] {
  const shifts = pairs
    .slice(0, 40)
    .flatMap(({ line, real }) => shiftsBetween(indentOf(line.text), indentOf(real)))
  const named = new Map([unmoved, ...shifts].map((shift) => [shift.name, shift]))
  return [...named.values()].toSorted((a, b) => a.rank - b.rank)
}

/** The shifts that turn one indentation into another, the simplest first. */
function shiftsBetween(from: string, to: string): readonly Shift[] {
  if (from === to) return []
  const shifts: Shift[] = []
  if (to.endsWith(from)) {
    const prefix = to.slice(0, to.length - from.length)
    shifts.push({ name: `+${prefix}`, rank: 1, move: (indent) => prefix + indent })
  } else if (from.endsWith(to)) {
    const prefix = from.slice(0, from.length - to.length)
    const move: Shift['move'] = (indent) =>
      indent.startsWith(prefix) ? indent.slice(prefix.length) : null
    shifts.push({ name: `-${prefix}`, rank: 1, move })
  }
  const [written, real] = [unitOf(from), unitOf(to)]
  const isTabs = written === '\t'
  if (written === '' || real === '' || (isTabs && (real === '\t' || to.length % from.length))) {
    return shifts
  }
  const ratio = to.length / from.length
  const move: Shift['move'] = (indent) => {
    const length = Math.round(indent.length * ratio)
    const isWhole = length * from.length === indent.length * to.length
    return isWhole && (indent === '' || unitOf(indent) === written) ? real.repeat(length) : null
  }
  return [...shifts, { name: `${written}${real}${ratio}`, rank: written === real ? 2 : 1, move }]
}

/** The one character that an indentation consists of; empty for no or mixed characters. */
const unitOf = (indent: string): string => (/^(?: +|\t+)$/.test(indent) ? indent.charAt(0) : '')

function fits({ line, real }: Pair, { move }: Shift): boolean {
  const readings = line.kind === 'removed' ? [line.text] : [line.text, line.raw]
  return readings.some((text) => move(indentOf(text)) === indentOf(real))
}

const isSigned = ({ raw }: HunkLine): boolean => raw.startsWith(' ')

/** White space at line ends that the file lacks is a habit of the writer. */
function losesLineEnds(pairs: readonly Pair[]): boolean {
  const isBare = (text: string) => text.trimEnd() === text
  return (
    pairs.some(({ line, real }) => !isBare(line.text) && isBare(real)) &&
    pairs.every(({ line, real }) => isBare(line.text) || isBare(real))
  )
}
