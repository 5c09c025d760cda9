/** Looking things up in the journals of finished runs. */
import type { JournalEvent } from '../../core/domain/journal-event.ts'
import { readJournalLine } from '../../core/domain/journal-event.ts'
import type { PastTask } from '../../core/ports/store.ts'
import { pastTasksOf } from '../file-store/results-log.ts'
import { historyIn } from './history-files.ts'
import { readLinesAt } from './line-log.ts'
import type { Shared } from './shared-state.ts'

const linesOf = (shared: Shared) => readLinesAt(shared, historyIn(shared))

/** Runs that ended, oldest first. */
export async function findRuns(shared: Shared): Promise<readonly string[]> {
  const runs = (await linesOf(shared)).flatMap(
    (line) => /"run":"([A-Za-z0-9][A-Za-z0-9._-]{0,99})"/.exec(line)?.[1] ?? [],
  )
  return [...new Set(runs)].sort()
}

export async function findJournal(shared: Shared, run: string): Promise<readonly JournalEvent[]> {
  const named = `"run":${JSON.stringify(run)}`
  const events = (await linesOf(shared))
    .filter((line) => line.includes(named))
    .flatMap((line) => readJournalLine(line) ?? [])
    .filter((event) => event.run === run)
  return [...new Map(events.map((event) => [event.seq, event])).values()].toSorted(
    (a, b) => a.seq - b.seq,
  )
}

/** What finished tasks took; the last result of each counts. */
export async function findPastTasks(shared: Shared): Promise<readonly PastTask[]> {
  const filed = (await linesOf(shared)).filter((line) => line.includes('"kind":"filed"'))
  return pastTasksOf(
    filed.map(readJournalLine).flatMap((event) => (event?.kind === 'filed' ? event.result : [])),
  )
}
