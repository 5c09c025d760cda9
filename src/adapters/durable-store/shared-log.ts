/**
 * Append-only logs of the shared state, described as data: files by day or month, of which a push
 * adds only the missing lines. `history/2026-01.jsonl` continues in `-2`, `-3` … when a month
 * outgrows one file.
 */
import { type JournalEvent, readJournalLine } from '../../core/domain/journal-event.ts'
import type { PastTask } from '../../core/ports/store.ts'
import { pastTasksOf } from '../file-store/results-log.ts'
import type { Shared } from './shared-state.ts'

export interface SharedLog {
  /** Its groups are the period (a day or a month) and the part number. */
  readonly name: RegExp
  readonly pathOf: (period: string, part: number) => string
  /** In characters. */
  readonly largestFile: number
  readonly mostFiles: number
}

/** Journals of finished runs, without the model's answers: several thousand tasks. */
export const historyLog: SharedLog = {
  name: /^history\/(\d{4}-\d\d)(?:-(\d{1,3}))?\.jsonl$/,
  pathOf: (month, part) => `history/${month}${part === 1 ? '' : `-${part}`}.jsonl`,
  largestFile: 256_000,
  mostFiles: 32,
}

/** The usage of all machines' model requests. */
export const spendingLog: SharedLog = {
  name: /^spending\/(\d{4}-\d\d-\d\d)\.jsonl$/,
  pathOf: (day) => `spending/${day}.jsonl`,
  largestFile: Infinity,
  mostFiles: Infinity,
}

/** The texts that were posted on GitHub, by year: some 20,000, oldest removed first. */
export const writtenLog: SharedLog = {
  name: /^written\/(\d{4})(?:-(\d{1,3}))?\.jsonl$/,
  pathOf: (year, part) => `written/${year}${part === 1 ? '' : `-${part}`}.jsonl`,
  largestFile: 256_000,
  mostFiles: 8,
}

type Paths = Pick<Shared, 'paths'>

interface LogFile {
  readonly path: string
  readonly period: string
  readonly part: number
}

/** Oldest first. */
const filesOf = ({ name }: SharedLog, { paths }: Paths): readonly LogFile[] =>
  paths
    .flatMap((path): LogFile[] => {
      const [, period, part = 1] = name.exec(path) ?? []
      return period === undefined ? [] : [{ path, period, part: Number(part) }]
    })
    .toSorted((a, b) => a.period.localeCompare(b.period) || a.part - b.part)

/** Adds the missing lines to the newest file of this period, or to a new one. */
export async function appendTo(
  log: SharedLog,
  shared: Shared,
  period: string,
  lines: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const grown = new Map<string, string>()
  if (lines.length === 0) return grown
  const files = filesOf(log, shared).filter((file) => file.period <= period)
  // A repeated push may find its lines in the previous file.
  const texts = await shared.read(files.slice(-2).map(({ path }) => path))
  const known = new Set([...texts.values()].flatMap(splitRecords))
  const newest = files.findLast((file) => file.period === period)
  let part = newest?.part ?? 1
  let text = texts.get(newest?.path ?? '') ?? ''
  const missing = lines.filter((line) => !known.has(line))
  if (missing.length === 0) return grown
  // A file without room for all lines is not sent again for a few.
  if (text !== '' && text.length + joinRecords(missing).length > log.largestFile) {
    part += 1
    text = ''
  }
  for (const line of missing) {
    if (text.length + line.length > log.largestFile && text !== '') {
      grown.set(log.pathOf(period, part++), text)
      text = ''
    }
    text += `${line}\n`
  }
  return grown.set(log.pathOf(period, part), text)
}

/** The files past their retention. A month counts by its last day. */
export function outdatedIn(log: SharedLog, paths: Paths, days: number, now: string): string[] {
  const files = filesOf(log, paths)
  const oldest = new Date(Date.parse(now) - days * 86_400_000).toISOString()
  return files
    .filter(({ period }, index) => {
      const isSurplus = index < files.length - log.mostFiles
      return isSurplus || period < oldest.slice(0, period.length)
    })
    .map(({ path }) => path)
}

/** Reads the history by file name, up to the maximum number of files. */
export async function readHistory(shared: Shared): Promise<ReadonlyMap<string, string>> {
  const files = filesOf(historyLog, shared).slice(-historyLog.mostFiles)
  const texts = await shared.read(files.map(({ path }) => path))
  return new Map([...texts].map(([path, text]) => [path.slice('history/'.length), text]))
}

/** Reads the lines of all files, oldest first. */
export const readLog = (log: SharedLog, shared: Shared): Promise<readonly string[]> =>
  readLinesAt(
    shared,
    filesOf(log, shared).map(({ path }) => path),
  )

const historyLines = (shared: Shared): Promise<readonly string[]> => readLog(historyLog, shared)

/** The runs that ended, oldest first. */
export async function findRuns(shared: Shared): Promise<readonly string[]> {
  const runs = (await historyLines(shared)).flatMap(
    (line) => /"run":"([A-Za-z0-9][A-Za-z0-9._-]{0,99})"/.exec(line)?.[1] ?? [],
  )
  return [...new Set(runs)].sort()
}

export async function findJournal(shared: Shared, run: string): Promise<readonly JournalEvent[]> {
  const named = `"run":${JSON.stringify(run)}`
  const events = (await historyLines(shared))
    .filter((line) => line.includes(named))
    .flatMap((line) => readJournalLine(line) ?? [])
    .filter((event) => event.run === run)
  return [...new Map(events.map((event) => [event.seq, event])).values()].toSorted(
    (a, b) => a.seq - b.seq,
  )
}

/** The usage of finished tasks; the last result of each counts. */
export async function findPastTasks(shared: Shared): Promise<readonly PastTask[]> {
  const filed = (await historyLines(shared)).filter((line) => line.includes('"kind":"filed"'))
  return pastTasksOf(
    filed.map(readJournalLine).flatMap((event) => (event?.kind === 'filed' ? event.result : [])),
  )
}

/** Reads the lines of the files that exist. */
export async function readLinesAt(
  { read }: Pick<Shared, 'read'>,
  paths: readonly string[],
): Promise<readonly string[]> {
  const texts = await read(paths)
  return paths.flatMap((path) => splitRecords(texts.get(path) ?? ''))
}

export const joinRecords = (lines: readonly string[]): string =>
  lines.map((line) => `${line}\n`).join('')

export const splitRecords = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.trim() !== '')
