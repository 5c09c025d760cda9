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
 */
export function addedLines(
  pairs: readonly Pair[],
  added: readonly string[],
): readonly string[] | null {
  const telling = pairs.filter(({ line }) => line.text.trim() !== '')
  const shift = shiftOf(telling, added)
  if (shift === null) return null
  const moved = shift === 'none' ? added : reindent(added, shift)
  return moved && losesLineEnds(telling) ? moved.map((line) => line.trimEnd()) : moved
}

function shiftOf(pairs: readonly Pair[], added: readonly string[]): Shift | null {
  if (added.every((line) => line.trim() === '')) return 'none'
  const removed = pairs.filter(({ line }) => line.kind === 'removed')
  const signed = pairs.filter(({ line }) => line.kind === 'context' && isSigned(line))
  const unsigned = pairs.filter(({ line }) => line.kind === 'context' && !isSigned(line))
  const shifts = shiftsOf([...removed, ...signed])
  const agreed = shifts.filter((shift) => removed.every((pair) => fits(pair, shift)))
  const votes = (shift: Shift) => signed.filter((pair) => fits(pair, shift)).length
  const best = agreed.toSorted((a, b) => votes(b) - votes(a))[0]
  if (best === undefined) return null
  if (removed.length > 0) return best
  if (signed.length > 0) return votes(best) * 2 > signed.length ? best : null
  return shiftOfUnsigned(unsigned, added)
}

/**
 * Context without any sign may have lost its indentation with it, and the added lines not:
 * where they begin left of what they stand beside, they lost it too.
 */
function shiftOfUnsigned(pairs: readonly Pair[], added: readonly string[]): Shift | null {
  if (pairs.every(({ line, real }) => indentOf(line.raw) === indentOf(real))) return 'none'
  const shift = shiftsOf(pairs).find(
    (each) => each !== 'none' && pairs.every((pair) => fits(pair, each)),
  )
  const least = Math.min(...pairs.map(({ real }) => indentOf(real).length))
  const texts = added.filter((line) => line.trim() !== '')
  const own = Math.min(...texts.map((line) => indentOf(line).length))
  if (own >= least) return 'none'
  return shift ?? null
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
