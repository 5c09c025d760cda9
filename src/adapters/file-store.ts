/**
 * A run's state as files in `.executor/`: `state.json`, the previous one in `state.previous.json`,
 * the results of finished tasks in `results.jsonl`, the events in `journal/`, and the usage of
 * model requests in `spending/`. A save takes effect when `state.json` is renamed into place: a
 * kill before that leaves the old state, one after it the new.
 */
import { lstat, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { appendPlain, replaceFile } from '../../packages/files/files.ts'
import { takingTurns } from '../../packages/text/text.ts'
import {
  type JournalEntry,
  type JournalEvent,
  withoutAnswerText,
} from '../core/domain/journal-event.ts'
import type { RunState } from '../core/domain/run-state.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Spending, Store } from '../core/ports/store.ts'
import { explainState } from './explain-disk.ts'
import { Journals, journalFolder } from './file-store/journal-log.ts'
import { changedLines, type LogRange, logSize, readPastTasks } from './file-store/results-log.ts'
import { acquireLock, ageOf, type RunLock } from './file-store/run-lock.ts'
import {
  appendSpending,
  readSpending,
  readSpendingLines,
  spendingFolder,
} from './file-store/spending-log.ts'
import {
  makeDirectory,
  newest,
  previous,
  readState,
  resultsLog,
  setStateAside,
  writeState,
} from './file-store/state-files.ts'
import { createSystemClock } from './system.ts'

/** Receives the events added to a journal, once they are on disk. */
export type HeardEvents = (run: string, events: readonly JournalEvent[]) => void

export interface FileStore extends Store {
  /** Restores a run that another machine left: its journal first, then its state. */
  restore(state: RunState, events: readonly JournalEvent[]): Promise<void>
  /** Saves journals of earlier runs, by file name, for the index. */
  restoreHistory(files: ReadonlyMap<string, string>): Promise<void>
  prune(retentionDays: number): Promise<void>
  spendingLines(day: string): Promise<readonly Spending[]>
  /** @throws ExecutorError `another_run` */
  acquireLock(): Promise<RunLock>
}

/** The state on disk, from which a save derives its additions. */
interface Saved {
  readonly state: RunState
  readonly range: LogRange
}

const ownFiles = /^(?:log\..*|state\..*|results\.jsonl.*|lock.*|journal.*|spending.*|memory\..*)$/

/** Journals of earlier runs from the repository, which the index reads. */
const historyFolder = 'history'

/** The code of failed attempts, and scratchpads, have their own folders. */
const reportName = /^(?:(?:attempts|scratch)\/)?[A-Za-z0-9][A-Za-z0-9._-]*$/

/** @param directory `.executor` itself; the first write creates it */
export function createFileStore({
  directory,
  clock = createSystemClock(),
  heard = () => {},
  keepAnswers = true,
}: {
  readonly directory: string
  /** Whether to keep the text of the model's answers; the events stay in any case. */
  readonly keepAnswers?: boolean
  readonly clock?: Pick<Clock, 'now'>
  readonly heard?: HeardEvents
}): FileStore {
  let saved: Saved | null = null
  const journals = new Journals(join(directory, journalFolder), clock)
  const turns = takingTurns()
  const inTurn = (write: () => Promise<void>) => turns(() => explainState(write))

  async function load(): ReturnType<Store['load']> {
    const found = await readState(directory, newest)
    if (found.status === 'none') return found
    if (found.status === 'read') {
      saved = found
      return { status: 'loaded', state: found.state }
    }
    const detail = `${found.detail} (kept as ${await setStateAside(directory, found.status)})`
    const earlier = await readState(directory, previous)
    if (earlier.status !== 'read') {
      return found.status === 'damaged'
        ? { status: 'corrupt', detail }
        : { status: 'none', setAside: detail }
    }
    saved = earlier
    return { status: 'loaded', state: earlier.state, restored: detail }
  }

  async function note(run: string, entries: readonly JournalEntry[]): Promise<void> {
    const kept = keepAnswers ? entries : entries.map(withoutAnswerText)
    heard(run, await journals.append(run, kept))
  }

  async function save(state: RunState, entries: readonly JournalEntry[]): Promise<void> {
    await makeDirectory(directory)
    await note(state.run.id, entries)
    const range = await saveResults(join(directory, resultsLog), state, saved)
    await writeState(directory, state, range)
    saved = { state, range }
  }

  return {
    load,
    save: (state, entries = []) => inTurn(() => save(state, entries)),
    record: (run, entries) =>
      inTurn(async () => {
        await makeDirectory(directory)
        await note(run, entries)
      }),
    restore: (state, events) =>
      inTurn(async () => {
        await makeDirectory(directory)
        await journals.replace(state.run.id, events)
        await save(state, [])
      }),
    restoreHistory: (files) => explainState(() => restoreHistory(directory, files)),
    journal: (run) => journals.read(run),
    runs: () => journals.list(),
    answer: (run, call, hash) => journals.answer(run, call, hash),
    writeReport: (name, text) => writeReport(directory, name, text),
    ...spendingIn(directory),
    prune: (retentionDays) =>
      explainState(async () => {
        const oldest = Date.parse(clock.now()) - retentionDays * 86_400_000
        await dropOlder(join(directory, journalFolder), oldest)
        await dropOlder(join(directory, historyFolder), oldest)
        await dropOlder(join(directory, spendingFolder), oldest)
      }),
    pastTasks: () => readPastTasks(join(directory, resultsLog)),
    acquireLock: () => explainState(() => lockIn(directory)),
  }
}

async function lockIn(directory: string): Promise<RunLock> {
  await makeDirectory(directory)
  const lock = await acquireLock(directory)
  await dropTorn(directory)
  return lock
}

/** @throws Error for a name that a report cannot have: a bug */
function writeReport(directory: string, name: string, text: string): Promise<string> {
  if (!reportName.test(name) || ownFiles.test(name)) throw new Error(`not a report's name: ${name}`)
  return explainState(async () => {
    const path = join(directory, name)
    await makeDirectory(directory)
    await makeDirectory(dirname(path))
    await replaceFile(path, text)
    return path
  })
}

function spendingIn(
  directory: string,
): Pick<FileStore, 'recordSpending' | 'spendingOn' | 'spendingLines'> {
  const folder = join(directory, spendingFolder)
  return {
    recordSpending: (spending) =>
      explainState(async () => {
        await makeDirectory(directory)
        await makeDirectory(folder)
        await appendSpending(folder, spending)
      }),
    spendingOn: (day) => readSpending(folder, day),
    spendingLines: (day) => readSpendingLines(folder, day),
  }
}

/** Appends the changes. The results of a new run, or of a lost log, start at its end. */
async function saveResults(path: string, state: RunState, saved: Saved | null): Promise<LogRange> {
  const size = await logSize(path)
  const known = saved?.state.run.id === state.run.id && saved.range.to <= size ? saved : null
  const { from, to } = known?.range ?? { from: size, to: size }
  const lines = changedLines(known?.state.tasks.results ?? {}, state.tasks.results)
  return { from, to: lines === '' ? to : await appendPlain(path, lines, to) }
}

/** Writes the files (by name, `2026-01.jsonl`) whose size differs: they only grow. */
async function restoreHistory(
  directory: string,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  if (files.size === 0) return
  const folder = join(directory, historyFolder)
  await makeDirectory(directory)
  await makeDirectory(folder)
  for (const [name, text] of files) {
    const path = join(folder, name)
    const found = await lstat(path).catch(() => null)
    const isThere = found?.isFile() && found.size === Buffer.byteLength(text)
    if (!isThere) await replaceFile(path, text)
  }
}

/** The name of a file before it is renamed into place. */
const unfinished = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Seconds after which a process that wanted the lock has it or has given up. */
const wantingSeconds = 60

/**
 * Removes temporary files that a kill left. Only for the holder of the lock: no one else writes
 * here, except processes that want the lock.
 */
async function dropTorn(directory: string): Promise<void> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  for (const name of names.filter((each) => unfinished.test(each))) {
    const path = join(directory, name)
    if (name.startsWith('lock.') && (await ageOf(path)) < wantingSeconds) continue
    await rm(path, { force: true })
  }
}

/** Removes a folder's `.jsonl` files that are unchanged since `oldest` (milliseconds). */
async function dropOlder(folder: string, oldest: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => each.endsWith('.jsonl'))) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found?.isFile() && found.mtimeMs < oldest) await rm(path, { force: true })
  }
}
