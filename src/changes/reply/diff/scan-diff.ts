import { fenceOf, searchHeadOf, startsDiff } from '../markers.ts'

/**
 * True when the bare fence at this line ends the diff it stands in, and is none of its lines: those
 * have a sign before them, or lines of the diff behind them.
 */
export function closesDiff(lines: readonly string[], at: number, indent: number): boolean {
  const fence = fenceOf(lines[at] ?? '')
  if (fence === null || fence.indent > indent) return false
  const next = (lines[at + 1] ?? '').slice(indent)
  return !/^(?:[+ ]|-(?! )|@@)/.test(next) && fenceOf(next)?.info !== ''
}

/**
 * Where a diff without a fence ends, as the index behind its last line. After a blank line a line
 * without a sign is prose, or context that lost its leading space: if no changed line follows,
 * the diff ends there, and the rest is `doubtful`.
 */
export function bareDiff(
  lines: readonly string[],
  start: number,
): { readonly end: number; readonly doubtful: readonly string[] } {
  let stop = -1
  let lastChange = -1
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (endsDiff(line)) return { end: at, doubtful: [] }
    if (/^\*\*\* End Patch/i.test(line)) return { end: at + 1, doubtful: [] }
    if (line.trim() !== '' || isSigned(lines, at + 1)) continue
    if (stop <= at) {
      stop = at + 1
      while (stop < lines.length && !endsDiff(lines[stop] ?? '') && !startsDiff(lines, stop)) {
        if (changes.test(lines[stop] ?? '')) lastChange = stop
        stop += 1
      }
    }
    if (lastChange < at) return { end: at, doubtful: lines.slice(at, stop) }
  }
  return { end: lines.length, doubtful: [] }
}

/** A sign, and no rule or list item of prose. */
const changes = /^\+|^-(?! \S|--+\s*$)/

function endsDiff(line: string): boolean {
  return fenceOf(line)?.indent === 0 || searchHeadOf(line) !== null
}

/** Blank, a header, or a sign in front, but for `- ` before a word: that is how prose lists things. */
function isSigned(lines: readonly string[], at: number): boolean {
  const line = lines[at]
  if (line === undefined) return false
  return /^(?:\s*$|[ +\\]|-(?! \S)|\*\*\* |diff --git )/.test(line) || startsDiff(lines, at)
}
