import { type JournalEvent, withoutAnswerText } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { FileStore } from '../file-store.ts'
import { isFinished, readLearned, readSharedRun, runsIn } from './read-runs.ts'
import { learnedPath, RunFiles, runFolder, writeLearned } from './run-files.ts'
import { appendTo, historyLog, outdatedIn } from './shared-log.ts'
import type { Shared } from './shared-state.ts'

type Files = ReadonlyMap<string, string | null>

/** Days after which no one resumes an interrupted run. */
const daysForgotten = 14

interface KeeperOptions {
  readonly shareAnswers: boolean
  readonly retentionDays: number
  readonly clock: { now(): string }
}

interface RunChanges {
  /** The run to lease, if any. */
  readonly run: string | null
  readonly files: Files
  readonly published: () => void
}

const noChanges: RunChanges = { run: null, files: new Map(), published: () => {} }

/** The run that this process works on, and its part in the repository. */
export class RunKeeper {
  readonly #disk: Pick<FileStore, 'journal'>
  readonly #options: KeeperOptions
  #files: RunFiles | null = null
  #latest: RunState | null = null
  #isShared = false
  #isFinishing = false
  /** Events that arrived while the journal was read. */
  #early: JournalEvent[] = []

  constructor(disk: Pick<FileStore, 'journal'>, options: KeeperOptions) {
    this.#disk = disk
    this.#options = options
  }

  get run(): string | null {
    return this.#files?.run ?? null
  }

  /** Returns true during a run in this process. */
  get isFollowing(): boolean {
    return this.#latest !== null
  }

  /** Returns true once the repository has the run. */
  get isShared(): boolean {
    return this.#isShared
  }

  heard(run: string, events: readonly JournalEvent[]): void {
    if (this.run === run) this.#files?.add(events)
    else this.#early.push(...events)
  }

  /** Starts following this run. */
  async begin(run: string, wasShared: boolean): Promise<void> {
    if (this.run === run) return
    const known = await this.#disk.journal(run)
    const newest = known.at(-1)?.seq ?? -1
    const later = this.#early.filter((event) => event.run === run && event.seq > newest)
    this.#early = []
    this.#files = new RunFiles(run, [...known, ...later], this.#options.shareAnswers)
    this.#isShared = wasShared
    this.#isFinishing = false
    if (this.#latest?.run?.id === run) this.#files.follow(this.#latest)
  }

  /** Starts following the run whose state was saved last. */
  async ready(): Promise<void> {
    if (this.#files === null && this.#latest !== null) await this.begin(this.#latest.run.id, false)
  }

  /** Returns the previous state of the same run. */
  follow(state: RunState): RunState | null {
    const before = this.#latest
    this.#latest = state
    if (this.run === state.run.id) this.#files?.follow(state)
    return before?.run?.id === state.run.id ? before : null
  }

  /** Marks the run as ended: only its history and what it learned stay. */
  finish(): void {
    this.#isFinishing = true
  }

  /** Returns the pending changes; for a run that was never pushed, only when a push is due. */
  async changes(there: Shared, isDue: boolean): Promise<RunChanges> {
    const [own, state] = [this.#files, this.#latest]
    if (own === null || state === null || !(this.#isShared || isDue)) return noChanges
    const isDone = this.#isFinishing && isFinished(state)
    const files = isDone ? await this.#finished(there, own, state) : own.changes(there.paths)
    return {
      run: isDone ? null : own.run,
      files,
      published: () => {
        this.#isShared = true
        own.settled(files)
      },
    }
  }

  end(): void {
    this.#files = null
    this.#latest = null
    this.#isShared = false
    this.#isFinishing = false
  }

  async #finished(there: Shared, own: RunFiles, state: RunState): Promise<Files> {
    const now = this.#options.clock.now()
    const learned = await readLearned(there, state.roadmap.path)
    const others = learned.status === 'read' ? learned.state : null
    const lines = [...own.history()]
    const gone = outdatedIn(historyLog, there, this.#options.retentionDays, now)
    for (const each of runsIn(there)) {
      if (each !== own.run && !isForgotten(each, now)) continue
      gone.push(...there.paths.filter((path) => path.startsWith(`${runFolder(each)}/`)))
      if (each === own.run) continue
      const read = await readSharedRun(there, each)
      if (read.status === 'read') {
        lines.push(...read.events.map((event) => JSON.stringify(withoutAnswerText(event))))
      }
    }
    return new Map<string, string | null>([
      ...gone.map((path) => [path, null] as const),
      ...(await appendTo(historyLog, there, now.slice(0, 7), lines)),
      [learnedPath(state.roadmap.path), writeLearned(state, others)],
    ])
  }
}

/** A run's name begins with its start day. */
function isForgotten(run: string, now: string): boolean {
  const day = /^run-(\d{4})(\d\d)(\d\d)-/.exec(run)
  if (day === null) return false
  const began = Date.parse(`${day[1]}-${day[2]}-${day[3]}T00:00:00Z`)
  return Date.parse(now) - began > daysForgotten * 86_400_000
}
