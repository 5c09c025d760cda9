/**
 * Journals of finished runs, without the model's answers: `history/2026-01.jsonl`, and `-2`, `-3` … of a
 * month that outgrows one file. What is older than the retention is dropped.
 */
import { joinRecords, splitRecords } from './line-log.ts'
import type { Shared } from './shared-state.ts'

/** Bytes of one file, and files in all: some thousand tasks. */
const largestFile = 256_000
const mostFiles = 32

const fileName = /^history\/(\d{4}-\d\d)(?:-(\d{1,3}))?\.jsonl$/

/** Oldest first. */
export const historyIn = ({ paths }: Pick<Shared, 'paths'>): readonly string[] =>
  paths
    .filter((path) => fileName.test(path))
    .toSorted((a, b) => a.slice(0, 15).localeCompare(b.slice(0, 15)) || partOf(a) - partOf(b))

const partOf = (path: string): number => Number(fileName.exec(path)?.[2] ?? 1)

/** The newest file of this month with these lines in it, or one more. */
export async function appendHistory(
  shared: Shared,
  lines: readonly string[],
  now: string,
): Promise<ReadonlyMap<string, string>> {
  if (lines.length === 0) return new Map()
  const month = now.slice(0, 7)
  const files = historyIn(shared)
  const newest = files.findLast((path) => path.startsWith(`history/${month}`))
  // What is pushed a second time, because nobody knew of the first, may be in the file before.
  const texts = await shared.read(files.slice(-2))
  const there = texts.get(newest ?? '') ?? ''
  const known = new Set([...texts.values()].flatMap(splitRecords))
  const missing = lines.filter((line) => !known.has(line))
  if (missing.length === 0) return new Map()
  if (newest !== undefined && there.length + joinRecords(missing).length <= largestFile) {
    return new Map([[newest, there + joinRecords(missing)]])
  }
  const parts = new Map<string, string>()
  let part = newest === undefined ? 1 : partOf(newest) + 1
  let text = ''
  const pathOf = () => `history/${month}${part === 1 ? '' : `-${part}`}.jsonl`
  for (const line of missing) {
    if (text.length + line.length > largestFile && text !== '') {
      parts.set(pathOf(), text)
      part += 1
      text = ''
    }
    text += `${line}\n`
  }
  return parts.set(pathOf(), text)
}

/** All of it, by the name of the file; no more than there should be. */
export async function readHistory(shared: Shared): Promise<ReadonlyMap<string, string>> {
  const texts = await shared.read(historyIn(shared).slice(-mostFiles))
  return new Map([...texts].map(([path, text]) => [path.slice('history/'.length), text]))
}

/** What nobody is to keep any longer. A month counts by its last day. */
export function outdatedHistory(
  shared: Pick<Shared, 'paths'>,
  retentionDays: number,
  now: string,
): string[] {
  const files = historyIn(shared)
  const oldest = new Date(Date.parse(now) - retentionDays * 86_400_000).toISOString().slice(0, 7)
  const tooMany = files.slice(0, Math.max(0, files.length - mostFiles))
  const tooOld = files.filter((path) => path.slice('history/'.length).slice(0, 7) < oldest)
  return [...new Set([...tooMany, ...tooOld])]
}
