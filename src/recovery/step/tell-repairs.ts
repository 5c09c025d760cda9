/** What a repair is told of repairs: those of this attempt that were of no use, and one that worked elsewhere. */
import { contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { Attempt, Draft } from '../../core/domain/run-state.ts'
import type { KnownFix } from '../../core/ports/memory.ts'

const mostLines = 6
/** Characters. */
const longestLine = 120

/** The lines that a repair took away and put in, a few of each; empty where it changed nothing. */
export function describeRepair(before: Draft | null, after: Draft): string {
  const lines = after.changes.flatMap((change) => {
    const earlier = before?.changes.find(({ path }) => path === change.path)
    const old = (earlier === undefined ? contentBefore(change) : contentAfter(earlier)) ?? ''
    const [olds, nows] = [old.split('\n'), (contentAfter(change) ?? '').split('\n')]
    return [...without(olds, nows, '- '), ...without(nows, olds, '+ ')]
  })
  return lines.join('\n')
}

function without(lines: readonly string[], others: readonly string[], sign: string): string[] {
  const known = new Set(others)
  const own = lines.filter((line) => line.trim() !== '' && !known.has(line))
  return own.slice(0, mostLines).map((line) => `${sign}${line.slice(0, longestLine)}`)
}

/** What the last repair of this kind tried, where it was of no use; `null` where it was, or none was made. */
export function uselessRepair(
  { remedies }: Attempt,
  node: 'repair_code' | 'repair_test',
): string | null {
  const last = remedies.findLast((each) => each.node === node)
  return last?.worked === false && last.tried ? last.tried : null
}

/** Two lines say much the same from this share of common words on. */
const alike = 0.6

/** The fix, where the line that it replaced resembles one of those that are wrong. */
export function fittingFix(known: KnownFix | null, lines: readonly string[]): string | null {
  if (known?.strategy !== 'ask_again' || known.fix === '') return null
  const [replaced = ''] = known.fix.split(' → ')
  return lines.some((line) => shareOf(wordsOf(replaced), wordsOf(line)) >= alike) ? known.fix : null
}

const wordsOf = (line: string): readonly string[] =>
  line.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? []

function shareOf(one: readonly string[], other: readonly string[]): number {
  const left = [...other]
  let common = 0
  for (const word of one) {
    const at = left.indexOf(word)
    if (at < 0) continue
    left.splice(at, 1)
    common += 1
  }
  return one.length === 0 ? 0 : (2 * common) / (one.length + other.length)
}
