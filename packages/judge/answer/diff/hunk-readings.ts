import type { Lines } from '../text-lines.ts'
import { type Hunk, type HunkLine, type HunkLines, oldLines } from './hunk.ts'

/** The file: its lines, and the set of them without surrounding white space. */
interface KnownLines {
  readonly lines: Lines
  readonly known: ReadonlySet<string>
}

/** The ways to read a hunk, the plainest first; each is tried when earlier ones are not found. */
export function readingsOf(target: KnownLines, { lines, doubtful }: Hunk): readonly HunkLines[] {
  const alone = [lines, withoutBlankEdges(lines)]
  const unsigned = unsign(target, withoutBlankEdges(lines))
  if (unsigned !== null) alone.push(unsigned)
  if (doubtful.every(({ raw }) => raw.trim() === '')) return alone
  const all = [...lines, ...doubtful]
  const isProse = !doubtful.some(({ kind, raw }) => kind === 'removed' && !/^- \S/.test(raw))
  return [all, withoutBlankEdges(all), ...(isProse ? alone : [])]
}

/** `- item` that the file has, sign included, is a context line that lost its space. */
function unsign({ known }: KnownLines, lines: HunkLines): HunkLines | null {
  const isText = ({ kind, text, raw }: HunkLine) =>
    kind !== 'context' && text.trim() !== '' && known.has(raw.trim()) && !known.has(text.trim())
  if (!lines.some(isText)) return null
  return lines.map((line) =>
    isText(line) ? { kind: 'context', text: line.raw, raw: line.raw } : line,
  )
}

/** Blank context at the edges is often lost, or added between two hunks. */
function withoutBlankEdges(lines: HunkLines): HunkLines {
  const counts = ({ kind, raw }: HunkLine) => kind !== 'context' || raw.trim() !== ''
  return lines.slice(Math.max(0, lines.findIndex(counts)), lines.findLastIndex(counts) + 1)
}

interface WithoutSlip {
  readonly lines: HunkLines
  readonly slip: string
}

/** How many lines must say more than a bracket. */
const least = 3
/** How many occurrences of the first line are tried. */
const mostStarts = 200

/**
 * Reads a hunk that cannot be found without the one unchanged line that it made up, or with the one
 * that it dropped. The lines on both sides must prove it: around an invented line they are adjacent
 * in the file, and a gap has exactly one line between two that the change does not touch. A line
 * that replaces another proves nothing; that hunk stays refused.
 */
export function withoutSlip(target: KnownLines, hunk: Hunk): WithoutSlip | null {
  const lines = withoutBlankEdges(hunk.lines)
  const old = oldLines(lines)
  if (old.filter(({ text }) => text.trim().length > 2).length < least) return null
  const [stranger, ...others] = old.filter(
    ({ text, raw }) => !target.known.has(text.trim()) && !target.known.has(raw.trim()),
  )
  if (stranger === undefined) return withDropped(target, lines)
  const isInside = stranger !== old[0] && stranger !== old.at(-1)
  if (others.length > 0 || stranger.kind !== 'context' || !isInside) return null
  return {
    lines: lines.filter((line) => line !== stranger),
    slip: 'an unchanged line that is not in the file',
  }
}

function withDropped(target: KnownLines, lines: HunkLines): WithoutSlip | null {
  const old = oldLines(lines)
  const found: HunkLine[][] = []
  let starts = 0
  for (let at = target.lines.indexOf(old[0]?.text ?? ''); at >= 0 && starts < mostStarts; ) {
    starts += 1
    const gap = old.findIndex(({ text }, index) => target.lines[at + index] !== text)
    const continues = old
      .slice(gap)
      .every(({ text }, index) => target.lines[at + gap + 1 + index] === text)
    const first = old[gap]
    const behind = first === undefined ? -1 : lines.indexOf(first)
    const isApart = [lines[behind - 1], lines[behind]].every((line) => line?.kind === 'context')
    if (gap > 0 && continues && isApart) {
      const text = target.lines[at + gap] ?? ''
      found.push(lines.toSpliced(behind, 0, { kind: 'context', text, raw: ` ${text}` }))
    }
    at = target.lines.indexOf(old[0]?.text ?? '', at + 1)
  }
  const [only, ...others] = found
  const slip = 'an unchanged line that was left out'
  return only === undefined || others.length > 0 ? null : { lines: only, slip }
}
