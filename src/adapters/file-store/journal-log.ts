/**
 * The events of a run, one JSON line each, in `journal/<run>.jsonl`, append-only. A torn or damaged
 * line is skipped; the next event starts on a new line.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { appendPlain, readPlain, replaceFile } from '../../../packages/files/files.ts'
import {
  type JournalEntry,
  type JournalEvent,
  type RecordedAnswer,
  type RecordedSilence,
  readJournalLine,
} from '../../core/domain/journal-event.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { makeDirectory } from './state-files.ts'

export const journalFolder = 'journal'

const runName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Maximum bytes read from a journal: several hundred thousand steps. */
const largestFile = 256_000_000

interface OpenJournal {
  readonly run: string
  seq: number
  /** A torn last line must not swallow the next one. */
  isTorn: boolean
  readonly answers: Map<string, RecordedAnswer | RecordedSilence>
}

/** The journals in a folder, which the first line creates. One run at a time is active. */
export class Journals {
  readonly #folder: string
  readonly #clock: Pick<Clock, 'now'>
  #open: OpenJournal | null = null

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#folder = folder
    this.#clock = clock
  }

  /** Returns the events as written. */
  async append(run: string, entries: readonly JournalEntry[]): Promise<readonly JournalEvent[]> {
    if (entries.length === 0) return []
    await makeDirectory(this.#folder)
    const journal = await this.#journalOf(run)
    const at = this.#clock.now()
    const events = entries.map((entry): JournalEvent => ({ seq: journal.seq++, run, at, ...entry }))
    await appendPlain(this.#pathOf(run), (journal.isTorn ? '\n' : '') + linesOf(events))
    journal.isTorn = false
    remember(journal, events)
    return events
  }

  /** Replaces a run's journal with the one that another machine left. */
  async replace(run: string, events: readonly JournalEvent[]): Promise<void> {
    await makeDirectory(this.#folder)
    await replaceFile(this.#pathOf(run), linesOf(events))
    this.#open = null
  }

  async answer(run: string, call: number, hash: string) {
    const { answers } = await this.#journalOf(run)
    return answers.get(`${call} ${hash}`) ?? null
  }

  /** The events of a run in order; empty without a journal. */
  async read(run: string): Promise<readonly JournalEvent[]> {
    return eventsOf(await readText(this.#pathOf(run)))
  }

  /** The runs with a journal, oldest first: their names begin with the time. */
  async list(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => [])
    const runs = names.flatMap((name) => /^(.*)\.jsonl$/.exec(name)?.[1] ?? [])
    return runs.filter((run) => runName.test(run)).sort()
  }

  async #journalOf(run: string): Promise<OpenJournal> {
    if (this.#open?.run === run) return this.#open
    const text = await readText(this.#pathOf(run))
    const known = eventsOf(text)
    const isTorn = text !== '' && !text.endsWith('\n')
    const seq = (known.at(-1)?.seq ?? -1) + 1
    const open = { run, seq, isTorn, answers: new Map() }
    remember(open, known)
    this.#open = open
    return open
  }

  /** @throws Error for a name that no run can have: a bug, or another program's file */
  #pathOf(run: string): string {
    if (!runName.test(run)) throw new Error(`not a run: ${run}`)
    return join(this.#folder, `${run}.jsonl`)
  }
}

function remember({ answers }: OpenJournal, events: readonly JournalEvent[]): void {
  for (const event of events) {
    if (event.kind === 'silent' || (event.kind === 'answered' && event.exact)) {
      answers.set(`${event.call} ${event.hash}`, event)
    }
  }
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
