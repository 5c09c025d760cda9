/** Brings the index up to what the journals say. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { JournalEvent } from '../../core/domain/journal-event.ts'
import { readJournalLine } from '../../core/domain/journal-event.ts'
import { detailTables, foldEvents } from '../../core/history/fold-events.ts'
import { inTransaction } from './database-file.ts'
import { type LineSource, readLines } from './read-lines.ts'
import { tellReroutes } from './reroutes.ts'
import { type ChangeWriter, openChangeWriter } from './write-changes.ts'

/** What was added, for a person. */
export interface TakenIn {
  readonly events: number
  /** Lines that are none of ours: torn by a kill, or damaged. */
  readonly unreadable: number
}

/** Journals of runs; and of many finished runs in one file, without the model's answers. */
const folders = ['journal', 'history'] as const

/** Takes in what all journals have more, and those of earlier runs that the repository kept. `directory` is `.executor`. */
export function takeIn(database: DatabaseSync, directory: string): TakenIn {
  const writer = openChangeWriter(database)
  const known = database.prepare('SELECT inode, size FROM sources WHERE path = ?')
  const remember = database.prepare('INSERT OR REPLACE INTO sources VALUES (?, ?, ?)')
  let events = 0
  let unreadable = 0
  inTransaction(database, () => {
    for (const path of folders.flatMap((folder) => namesIn(directory, folder))) {
      const found = known.get(path)
      const before: LineSource = {
        inode: String(found?.inode ?? ''),
        size: Number(found?.size ?? 0),
      }
      for (const { lines, end, inode } of readLines(join(directory, path), before)) {
        const read = lines.filter((line) => line.trim() !== '').map(readJournalLine)
        const good = read.filter((event) => event !== null)
        writeByRun(good, writer)
        remember.run(path, inode, end)
        events += good.length
        unreadable += read.length - good.length
      }
    }
    tellReroutes(database, writer.touched())
  })
  return { events, unreadable }
}

function writeByRun(events: readonly JournalEvent[], writer: ChangeWriter): void {
  const byRun = Map.groupBy(events, ({ run }) => run)
  for (const [run, its] of byRun) writer.write(foldEvents(writer.factsOf(run), its))
}

/** Paths within `.executor`, oldest first; none where there is no such folder. */
function namesIn(directory: string, folder: string): readonly string[] {
  try {
    const names = readdirSync(join(directory, folder)).filter((name) => name.endsWith('.jsonl'))
    return names.sort().map((name) => `${folder}/${name}`)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return []
    throw error
  }
}

/** Runs whose last word is older than this time, with all that is known of them. */
export function dropOlderRuns(database: DatabaseSync, time: string): void {
  const old = 'SELECT run FROM runs WHERE lastAt < ?'
  inTransaction(database, () => {
    if (database.prepare(`${old} LIMIT 1`).get(time) === undefined) return
    for (const table of ['executions', ...Object.keys(detailTables)]) {
      database.prepare(`DELETE FROM ${table} WHERE run IN (${old})`).run(time)
    }
    tellReroutes(database, null)
    // The row of the run stays, so that a line of it that is read again is known.
    database.exec('DELETE FROM daily WHERE n <= 0; DELETE FROM error_days WHERE n <= 0')
  })
}
