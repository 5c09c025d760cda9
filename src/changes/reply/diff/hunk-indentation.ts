import { type Drift, driftsOf, indentOf, moveIndent, reindent } from '../indentation.ts'
import type { HunkLine } from './hunk.ts'

/** An old line of a hunk, and the line of the file it stands for. */
export interface Pair {
  readonly line: HunkLine
  readonly real: string
}

type Shift = Drift | 'none'

/**
 * The added lines of a hunk, in the file's indentation; `null` when the old lines do not tell
 * which that is. Removed lines must all agree; context lines may have lost their leading space
 * or all of it, so that most of them are enough.
 *
 * @param indents the `indentKind` of every line the file has
 * @param isPlain the old lines are the file's, signs and all, where the hunk's numbers say
 */
export function addedLines(
  pairs: readonly Pair[],
  added: readonly string[],
  indents: ReadonlySet<string>,
  isPlain = false,
): readonly string[] | null {
  const telling = pairs.filter(({ line }) => line.text.trim() !== '')
  const first = shiftOf(telling, added)
  const shift = isPlain ? 'none' : likelier(first, telling, added, indents)
  if (shift === null) return null
  const isSure = shift !== 'none' || pairs.some(isTellingRemoved)
  const placed = isSure ? added : withoutSlip(added, indents)
  const moved = shift === 'none' ? placed : reindent(placed, shift)
  return moved && losesLineEnds(telling) ? moved.map((line) => line.trimEnd()) : moved
}

function shiftOf(pairs: readonly Pair[], added: readonly string[]): Shift | null {
  if (added.every((line) => line.trim() === '')) return 'none'
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
 * Signs that were lost where the lines were moved to the right leave lines that look signed. Only
 * context can be read both ways: the reading after which more added lines stand as deep as lines
 * of the file do is the likelier one.
 */
function likelier(
  shift: Shift | null,
  pairs: readonly Pair[],
  added: readonly string[],
  indents: ReadonlySet<string>,
): Shift | null {
  if (shift === null || pairs.some(({ line }) => line.kind === 'removed' || !isSigned(line))) {
    return shift
  }
  const raw = pairs.map(asRaw)
  const other = shiftsOf(raw).find((each) => raw.every((pair) => fits(pair, each)))
  if (other === undefined) return shift
  const usual = (each: Shift) => {
    const moved = each === 'none' ? added : (reindent(added, each) ?? [])
    return moved.filter((line) => line.trim() !== '' && indents.has(indentKind(line))).length
  }
  return usual(other) > usual(shift) ? other : shift
}

function asRaw({ line, real }: Pair): Pair {
  return { line: { ...line, text: line.raw }, real }
}

/**
 * Where a context line has no sign, the others may have lost theirs, and all their indentation
 * with it, which the added lines kept: then these begin as deep as a line beside them does.
 */
function shiftOfUnsigned(pairs: readonly Pair[], added: readonly string[]): Shift | null {
  const raw = pairs.map(asRaw)
  const shift = shiftsOf(raw).find((each) => raw.every((pair) => fits(pair, each))) ?? null
  if (shift === 'none') return 'none'
  const depths = pairs.map(({ real }) => indentOf(real).length)
  const own = added.filter((line) => line.trim() !== '').map((line) => indentOf(line).length)
  if (Math.min(...own) < Math.min(...depths)) return shift
  return depths.includes(own[0] ?? 0) ? 'none' : null
}

/** A space too many or too few behind each sign: no added line then is indented as a line of the file is. */
function withoutSlip(added: readonly string[], indents: ReadonlySet<string>): readonly string[] {
  const texts = added.filter((line) => line.trim() !== '')
  if (texts.some((line) => indents.has(indentKind(line)))) return added
  if (texts.every((line) => line.startsWith(' ') && indents.has(indentKind(line.slice(1))))) {
    return added.map((line) => line.replace(/^ /, ''))
  }
  return texts.every((line) => indents.has(indentKind(` ${line}`)))
    ? added.map((line) => (line.trim() === '' ? line : ` ${line}`))
    : added
}

/** A line's indentation, and whether a star of a comment stands behind it: that is one deeper. */
export function indentKind(line: string): string {
  return /^[ \t]*\*?/.exec(line)?.[0] ?? ''
}

function isTellingRemoved({ line }: Pair): boolean {
  return line.kind === 'removed' && line.text.trim() !== ''
}

/** What could explain these lines, the likeliest first. */
function shiftsOf(pairs: readonly Pair[]): readonly Shift[] {
  const seen = new Map<string, Shift>([['none', 'none']])
  for (const { line, real } of pairs.slice(0, 40)) {
    for (const drift of driftsOf(indentOf(line.text), indentOf(real))) {
      seen.set(JSON.stringify(drift), drift)
    }
  }
  const rank = (shift: Shift) => (shift === 'none' ? 0 : shift.kind === 'scale' ? 2 : 1)
  return [...seen.values()].toSorted((a, b) => rank(a) - rank(b))
}

function fits({ line, real }: Pair, shift: Shift): boolean {
  const wanted = indentOf(real)
  const readings = line.kind === 'removed' ? [line.text] : [line.text, line.raw]
  return readings.some((text) => {
    const indent = indentOf(text)
    return (shift === 'none' ? indent : moveIndent(indent, shift)) === wanted
  })
}

function isSigned({ raw }: HunkLine): boolean {
  return raw.startsWith(' ')
}

/** White space at the line ends that the file does not have is a habit of the writer. */
function losesLineEnds(pairs: readonly Pair[]): boolean {
  const extra = pairs.filter(
    ({ line, real }) => line.text.trimEnd() !== line.text && real.trimEnd() === real,
  )
  return (
    extra.length > 0 &&
    pairs.every(({ line, real }) => line.text.trimEnd() === line.text || real.trimEnd() === real)
  )
}
