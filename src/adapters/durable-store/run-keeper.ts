/** The run that this process works on, and what of it belongs into the repository. */
import { type JournalEvent, withoutAnswerText } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { FileStore } from '../file-store.ts'
import { appendHistory, outdatedHistory } from './history-files.ts'
import { isFinished, readLearned, readSharedRun, runsIn } from './read-runs.ts'
import { createRunFiles, learnedPath, type RunFiles, runFolder, writeLearned } from './run-files.ts'
import type { Shared } from './shared-state.ts'

type Files = ReadonlyMap<string, string | null>

export interface RunKeeper {
  /** `null` between runs. */
  readonly run: string | null
  /** Whether a run is under way in this process. */
  readonly isFollowing: boolean
  /** Whether the repository has it already. */
  readonly isShared: boolean
  heard(run: string, events: readonly JournalEvent[]): void
  /** From here on this run is followed. */
  begin(run: string, isShared: boolean): Promise<void>
  /** The same, of the run whose state was saved last. */
  ready(): Promise<void>
  /** Answers the state before it. */
  follow(state: RunState): RunState | null
  /** It came to its end: of it, its history stays, and what it learned. */
  finish(): void
  /** What is to change there; of a run that was never pushed, only when that is due. */
  changes(
    there: Shared,
    isDue: boolean,
  ): {
    /** The run that is to be claimed, if any. */
    readonly run: string | null
    files(): Promise<Files>
    published(files: Files): void
  }
  end(): void
}

/** Days after which nobody will go on with a run that was cut off. */
const daysForgotten = 14

export function openRunKeeper(
  disk: Pick<FileStore, 'journal'>,
  options: {
    readonly shareAnswers: boolean
    readonly retentionDays: number
    readonly clock: { now(): string }
  },
): RunKeeper {
  const { shareAnswers, retentionDays, clock } = options
  let files: RunFiles | null = null
  let latest: RunState | null = null
  let isShared = false
  let isFinishing = false
  /** What came while the journal was read. */
  let early: JournalEvent[] = []

  async function finished(there: Shared, { run, history }: RunFiles, state: RunState) {
    const learned = await readLearned(there, state.roadmap)
    const others = learned.status === 'read' ? learned.state : null
    const lines = [...history()]
    const gone = new Map<string, null>()
    for (const each of runsIn(there)) {
      if (each !== run && !isForgotten(each, clock.now())) continue
      for (const path of there.paths) {
        if (path.startsWith(`${runFolder(each)}/`)) gone.set(path, null)
      }
      if (each === run) continue
      const read = await readSharedRun(there, each)
      if (read.status === 'read') {
        lines.push(...read.events.map((event) => JSON.stringify(withoutAnswerText(event))))
      }
    }
    const outdated = outdatedHistory(there, retentionDays, clock.now())
    return new Map<string, string | null>([
      ...gone,
      ...outdated.map((path) => [path, null] as const),
      ...(await appendHistory(there, lines, clock.now())),
      [learnedPath(state.roadmap), writeLearned(state, others)],
    ])
  }

  async function begin(run: string, wasShared: boolean): Promise<void> {
    if (files?.run === run) return
    const known = await disk.journal(run)
    const newest = known.at(-1)?.seq ?? -1
    const later = early.filter((event) => event.run === run && event.seq > newest)
    early = []
    files = createRunFiles(run, [...known, ...later], shareAnswers)
    isShared = wasShared
    isFinishing = false
    if (latest?.runId === run) files.follow(latest)
  }

  return {
    get run() {
      return files?.run ?? null
    },
    get isFollowing() {
      return latest !== null
    },
    get isShared() {
      return isShared
    },
    heard(run, events) {
      if (files?.run === run) files.add(events)
      else early.push(...events)
    },
    begin,
    async ready() {
      if (files === null && latest !== null) await begin(latest.runId, false)
    },
    follow(state) {
      const before = latest
      latest = state
      if (files?.run === state.runId) files.follow(state)
      return before?.runId === state.runId ? before : null
    },
    finish() {
      isFinishing = true
    },
    changes(there, isDue) {
      const own = files
      const state = latest
      const isWanted = own !== null && (isShared || isDue)
      if (!isWanted || state === null) {
        return { run: null, files: async () => new Map(), published: () => {} }
      }
      const done = isFinishing && isFinished(state)
      return {
        run: done ? null : own.run,
        files: async () => (done ? finished(there, own, state) : own.changes(there.paths)),
        published(pushed) {
          isShared = true
          own.settled(pushed)
        },
      }
    },
    end() {
      files = null
      latest = null
      isShared = false
      isFinishing = false
    },
  }
}

/** A run's name begins with the day it began. */
function isForgotten(run: string, now: string): boolean {
  const day = /^run-(\d{4})(\d\d)(\d\d)-/.exec(run)
  if (day === null) return false
  const began = Date.parse(`${day[1]}-${day[2]}-${day[3]}T00:00:00Z`)
  return Date.parse(now) - began > daysForgotten * 86_400_000
}
