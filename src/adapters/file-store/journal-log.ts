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

interface OpenJournal {
  readonly run: string
  seq: number
  /** A line that a kill tore must not swallow the next one. */
  isTorn: boolean
  readonly answers: Map<string, RecordedAnswer>
}

/** The journals in a folder, which the first line makes. One run is worked on at a time. */
export function openJournals(folder: string, clock: Pick<Clock, 'now'>): Journals {
  let open: OpenJournal | null = null
  async function journalOf(run: string): Promise<OpenJournal> {
    if (open?.run === run) return open
    const text = await readText(journalPath(folder, run))
    const known = eventsOf(text)
    const isTorn = text !== '' && !text.endsWith('\n')
    open = { run, seq: (known.at(-1)?.seq ?? -1) + 1, isTorn, answers: new Map() }
    remember(open, known)
    return open
  }
  return {
    async append(run, entries) {
      if (entries.length === 0) return []
      await makeDirectory(folder)
      const journal = await journalOf(run)
      const at = clock.now()
      const events = entries.map(
        (entry): JournalEvent => ({ seq: journal.seq++, run, at, ...entry }),
      )
      await appendPlain(journalPath(folder, run), (journal.isTorn ? '\n' : '') + linesOf(events))
      journal.isTorn = false
      remember(journal, events)
      return events
    },
    async replace(run, events) {
      await makeDirectory(folder)
      await replaceFile(journalPath(folder, run), linesOf(events))
      open = null
    },
    async answer(run, call, hash) {
      const { answers } = await journalOf(run)
      return answers.get(`${call} ${hash}`) ?? null
    },
    read: async (run) => eventsOf(await readText(journalPath(folder, run))),
    list: () => listRuns(folder),
  }
}

function remember({ answers }: OpenJournal, events: readonly JournalEvent[]): void {
  for (const event of events) {
    if (event.kind === 'answered' && event.exact) answers.set(`${event.call} ${event.hash}`, event)
  }
}

/** @throws Error for a name that is no run's: a bug, or somebody else's file. */
function journalPath(directory: string, run: string): string {
  if (!runName.test(run)) throw new Error(`not a run: ${run}`)
  return join(directory, `${run}.jsonl`)
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
