/**
 * What happened in a run, one JSON line each, in `journal/<run>.jsonl`: only ever appended. A line
 * torn by a kill, or damaged otherwise, is passed over; the next line begins on its own.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { JournalEntry, JournalEvent, RecordedAnswer } from '../../core/domain/journal-event.ts'
import { readJournalLine } from '../../core/domain/journal-event.ts'
import type { Clock } from '../../core/ports.ts'
import { appendPlain, readPlain, replaceFile } from '../plain-file.ts'
import { makeDirectory } from './state-files.ts'

export const journalFolder = 'journal'

const runName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Bytes of a journal that are read: some hundred thousand steps. */
const largestFile = 256_000_000

export interface Journals {
  /** Answers the events as they were written. */
  append(run: string, entries: readonly JournalEntry[]): Promise<readonly JournalEvent[]>
  /** The journal of a run, as another machine left it. */
  replace(run: string, events: readonly JournalEvent[]): Promise<void>
  answer(run: string, call: number, hash: string): Promise<RecordedAnswer | null>
  /** The events of a run in their order; none where there is no journal. */
  read(run: string): Promise<readonly JournalEvent[]>
  /** The runs that have a journal, oldest first: their names begin with the time. */
  list(): Promise<readonly string[]>
}

/** The journals in a folder, which the first line makes. One run is worked on at a time. */
export function openJournals(folder: string, clock: Pick<Clock, 'now'>): Journals {
  let open: { readonly run: string; readonly log: JournalLog } | null = null
  async function journalOf(run: string): Promise<JournalLog> {
    if (open?.run !== run) open = { run, log: await openJournal(journalPath(folder, run)) }
    return open.log
  }
  return {
    async append(run, entries) {
      if (entries.length === 0) return []
      await makeDirectory(folder)
      const log = await journalOf(run)
      return log.append(entries, { run, at: clock.now() })
    },
    async replace(run, events) {
      await makeDirectory(folder)
      await replaceFile(journalPath(folder, run), linesOf(events))
      open = null
    },
    answer: async (run, call, hash) => (await journalOf(run)).answer(call, hash),
    read: async (run) => eventsOf(await readText(journalPath(folder, run))),
    list: () => listRuns(folder),
  }
}

interface JournalLog {
  append(
    entries: readonly JournalEntry[],
    where: Pick<JournalEvent, 'run' | 'at'>,
  ): Promise<readonly JournalEvent[]>
  answer(call: number, hash: string): RecordedAnswer | null
}

/** @throws Error for a name that is no run's: a bug, or somebody else's file. */
function journalPath(directory: string, run: string): string {
  if (!runName.test(run)) throw new Error(`not a run: ${run}`)
  return join(directory, `${run}.jsonl`)
}

/** The journal of one run, to go on with. */
async function openJournal(path: string): Promise<JournalLog> {
  const text = await readText(path)
  const known = eventsOf(text)
  let seq = (known.at(-1)?.seq ?? -1) + 1
  // A line that a kill tore must not swallow the next one.
  let isTorn = text !== '' && !text.endsWith('\n')
  const answers = new Map<string, RecordedAnswer>()
  const remember = (event: JournalEntry): void => {
    if (event.kind !== 'answered' || !event.exact) return
    answers.set(`${event.call} ${event.hash}`, event)
  }
  known.forEach(remember)
  return {
    async append(entries, where) {
      const events = entries.map((entry): JournalEvent => ({ seq: seq++, ...where, ...entry }))
      await appendPlain(path, (isTorn ? '\n' : '') + linesOf(events))
      isTorn = false
      entries.forEach(remember)
      return events
    },
    answer: (call, hash) => answers.get(`${call} ${hash}`) ?? null,
  }
}

async function listRuns(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .filter((name) => runName.test(name))
    .sort()
}

const linesOf = (events: readonly JournalEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')

function eventsOf(text: string): readonly JournalEvent[] {
  const events = text.split('\n').flatMap((line) => readJournalLine(line) ?? [])
  return events.toSorted((a, b) => a.seq - b.seq)
}

async function readText(path: string): Promise<string> {
  const { text, problem } = await readPlain(path, largestFile)
  if (problem !== null && 'syscall' in problem) throw problem
  return text
}
