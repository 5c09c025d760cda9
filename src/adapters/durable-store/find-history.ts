/** Looking things up in the journals of finished runs. */
import type { JournalEvent } from '../../core/domain/journal-event.ts'
import { readJournalLine } from '../../core/domain/journal-event.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import type { PastTask } from '../../core/ports/store.ts'
import { historyIn } from './history-files.ts'
import { splitRecords } from './line-log.ts'
import type { Shared } from './shared-state.ts'

async function linesOf(shared: Shared): Promise<readonly string[]> {
  const paths = historyIn(shared)
  const texts = await shared.read(paths)
  return paths.flatMap((path) => splitRecords(texts.get(path) ?? ''))
}

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
  const tasks = new Map<string, PastTask>()
  for (const line of await linesOf(shared)) {
    if (!line.includes('"kind":"filed"')) continue
    const event = readJournalLine(line)
    if (event?.kind !== 'filed') continue
    const { id, thisRun, forecastTokens, usage } = event.result
    const tokens = totalTokens(usage)
    if (thisRun && forecastTokens !== null && tokens > 0) tasks.set(id, { tokens, forecastTokens })
  }
  return [...tasks.values()]
}
