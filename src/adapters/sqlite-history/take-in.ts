/** Updates the index from the journals. */
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { errorCode, plainRead } from '../../../packages/files/files.ts'
import { type JournalEvent, readJournalLine } from '../../core/domain/journal-event.ts'
import {
  detailTables,
  foldEvents,
  latestColumns,
  newRunFacts,
  summedColumns,
} from '../../core/history/fold-events.ts'
import { inTransaction } from '../database-file.ts'
import { isFailed, isServed } from './schema.ts'

/** Counts of what was added, for display. */
export interface TakenIn {
  readonly events: number
  /** Lines that are not journal events: torn by a kill, or damaged. */
  readonly unreadable: number
}

/** Journals of single runs, and files with many finished runs, without the model's answers. */
const folders = ['journal', 'history'] as const

/**
 * Adds the new lines of all journals in `directory` (`.executor`), also of the repository's runs.
 */
export function takeIn(database: DatabaseSync, directory: string): TakenIn {
  const writer = new ChangeWriter(database)
  const known = database.prepare('SELECT inode, size FROM sources WHERE path = ?')
  const remember = database.prepare('INSERT OR REPLACE INTO sources VALUES (?, ?, ?)')
  let [events, unreadable] = [0, 0]
  inTransaction(database, () => {
    for (const path of folders.flatMap((folder) => namesIn(directory, folder))) {
      const { inode, size } = known.get(path) ?? {}
      const before = { inode: String(inode ?? ''), size: Number(size ?? 0) }
      for (const more of readLines(join(directory, path), before)) {
        const read = more.lines.filter((line) => line.trim() !== '').map(readJournalLine)
        const good = read.filter((event) => event !== null)
        for (const [run, its] of Map.groupBy(good, ({ run }) => run)) writer.write(run, its)
        remember.run(path, more.inode, more.end)
        events += good.length
        unreadable += read.length - good.length
      }
    }
    tellReroutes(database, writer.touched)
  })
  return { events, unreadable }
}

/** The paths in `.executor`, oldest first; empty without the folder. */
function namesIn(directory: string, folder: string): readonly string[] {
  try {
    const names = readdirSync(join(directory, folder)).filter((name) => name.endsWith('.jsonl'))
    return names.sort().map((name) => `${folder}/${name}`)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return []
    throw error
  }
}

/** Drops all data of runs whose last event is older than this time. */
export function dropOlderRuns(database: DatabaseSync, time: string): void {
  const old = 'SELECT run FROM runs WHERE lastAt < ?'
  inTransaction(database, () => {
    if (database.prepare(`${old} LIMIT 1`).get(time) === undefined) return
    for (const table of ['executions', ...Object.keys(detailTables)]) {
      database.prepare(`DELETE FROM ${table} WHERE run IN (${old})`).run(time)
    }
    tellReroutes(database, null)
    // The run's row stays, so that its lines are still recognised when read again.
    database.exec('DELETE FROM daily WHERE n <= 0; DELETE FROM error_days WHERE n <= 0')
  })
}

const tables = ['steps', 'calls', 'effects', 'recoveries', 'errors', 'remedies'] as const

/** Tokens are the sum of prompt and answer. */
const added = [...summedColumns, 'tokens']

const inserted = ['run', 'task', 'attempt', 'day', 'startedAt', 'endedAt', 'strategy']

const executionSql = `
  INSERT INTO executions (${[...inserted, 'files', 'repairs', ...added, ...latestColumns].join(', ')})
  VALUES (${inserted.map((name) => `:${name}`).join(', ')}, :files, coalesce(:repairs, 0),
    ${added.map((name) => `:${name}`).join(', ')}, ${latestColumns.map((name) => `coalesce(:${name}, '')`).join(', ')})
  ON CONFLICT DO UPDATE SET endedAt = excluded.endedAt,
    strategy = CASE WHEN 'two_phase' IN (strategy, excluded.strategy) THEN 'two_phase'
      WHEN excluded.strategy = '' THEN strategy ELSE excluded.strategy END,
    files = coalesce(:files, files), repairs = coalesce(:repairs, repairs),
    ${added.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')},
    ${latestColumns.map((name) => `${name} = coalesce(:${name}, ${name})`).join(', ')}`

class ChangeWriter {
  /** Fingerprints of the affected tasks. */
  readonly touched = new Set<string>()
  readonly #facts
  readonly #run
  readonly #execution
  readonly #fingerprint
  readonly #details

  constructor(database: DatabaseSync) {
    const insert = (table: string, columns: readonly string[]) =>
      database.prepare(
        `INSERT OR REPLACE INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')})
         VALUES (${columns.map((name) => `:${name}`).join(', ')})`,
      )
    this.#facts = database.prepare('SELECT * FROM runs WHERE run = ?')
    this.#run = insert('runs', Object.keys(newRunFacts('')))
    this.#execution = database.prepare(executionSql)
    this.#fingerprint = database.prepare(
      "SELECT fingerprint FROM executions WHERE run = ? AND task = ? AND attempt = ? AND fingerprint <> ''",
    )
    this.#details = tables.map((table) => {
      const columns = ['run', 'seq', 'at', 'task', 'attempt', ...Object.keys(detailTables[table])]
      return { table, insert: insert(table, columns) }
    })
  }

  write(run: string, events: readonly JournalEvent[]): void {
    const before = { ...newRunFacts(run), ...this.#facts.get(run) }
    const { facts, executions, ...details } = foldEvents(before, events)
    this.#run.run({ ...facts })
    for (const { firstAt, lastAt, ...change } of executions) {
      this.#touch(run, change)
      this.#execution.run({
        ...{ ...change, run, day: firstAt.slice(0, 10), startedAt: firstAt, endedAt: lastAt },
        strategy: change.strategy ?? '',
        tokens: change.promptTokens + change.completionTokens,
      })
      this.#touch(run, change)
    }
    for (const { table, insert } of this.#details) for (const row of details[table]) insert.run(row)
  }

  #touch(
    run: string,
    { task, attempt }: { readonly task: string; readonly attempt: number },
  ): void {
    const found = this.#fingerprint.get(run, task, attempt)
    if (found !== undefined) this.touched.add(String(found.fingerprint))
  }
}

/** From this many tasks on, updating all at once is faster. */
const many = 500

const tell = (condition: string) => `
  INSERT INTO reroutes (lost, won, fingerprint, day, model, strategy, wonModel, wonStrategy)
  SELECT lost.rowid, won.rowid, lost.fingerprint, lost.day, lost.model, lost.strategy, won.model, won.strategy
  FROM executions AS lost JOIN executions AS won ON won.rowid = (
    SELECT later.rowid FROM executions AS later
    WHERE later.fingerprint = lost.fingerprint AND later.startedAt > lost.startedAt
      AND ${isServed('later')} AND (later.model <> lost.model OR later.strategy <> lost.strategy)
    ORDER BY later.startedAt LIMIT 1)
  WHERE ${isFailed('lost')} ${condition}`

/**
 * Finds failed executions that another route later completed, the first time; only for the tasks of
 * an update (`null`: for all), so that the statistic reads one row each and needs no join.
 */
function tellReroutes(database: DatabaseSync, fingerprints: ReadonlySet<string> | null): void {
  if (fingerprints === null || fingerprints.size > many) {
    database.exec(`DELETE FROM reroutes; ${tell('')}`)
    return
  }
  const forget = database.prepare('DELETE FROM reroutes WHERE fingerprint = ?')
  const anew = database.prepare(tell('AND lost.fingerprint = ?'))
  for (const fingerprint of fingerprints) {
    forget.run(fingerprint)
    anew.run(fingerprint)
  }
}

/** The whole lines of a file from an offset, and where they end. */
interface LinesRead {
  readonly lines: readonly string[]
  /** In bytes; an unfinished line follows. */
  readonly end: number
  /** Detects a replaced file. */
  readonly inode: string
}

interface LineSource {
  readonly inode: string
  readonly size: number
}

/** Bytes per read, which bounds the memory for a file of any size. */
const piece = 4_000_000

/** A longer line cannot be ours: the longest answers have several hundred thousand bytes. */
const longestLine = 16_000_000

/**
 * Yields the lines added since the last read, in pieces; a replaced file is read from the start.
 * Yields nothing without a plain file.
 */
function* readLines(path: string, before: LineSource): Generator<LinesRead> {
  const file = openPlain(path)
  if (file === null) return
  try {
    const stat = fstatSync(file, { bigint: true })
    if (!stat.isFile()) return
    const inode = String(stat.ino)
    const size = Number(stat.size)
    let at = inode === before.inode && size >= before.size ? before.size : 0
    let rest: Buffer[] = []
    let held = 0
    while (at + held < size) {
      const buffer = Buffer.alloc(Math.min(piece, size - at - held))
      const bytesRead = readSync(file, buffer, 0, buffer.length, at + held)
      if (bytesRead === 0) return
      const bytes = buffer.subarray(0, bytesRead)
      const last = bytes.lastIndexOf(10)
      if (last === -1) {
        // Of an endless line, only the length is kept.
        rest = held + bytesRead > longestLine ? [] : [...rest, bytes]
        held += bytesRead
        continue
      }
      const whole = Buffer.concat([...rest, bytes.subarray(0, last)])
      at += held + last + 1
      rest = []
      held = 0
      yield { lines: whole.toString('utf8').split('\n'), end: at, inode }
    }
  } finally {
    closeSync(file)
  }
}

function openPlain(path: string): number | null {
  try {
    return openSync(path, plainRead)
  } catch (error) {
    if (errorCode(error) !== null) return null
    throw error
  }
}
