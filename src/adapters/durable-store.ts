/**
 * The store of a run on GitHub: always this disk first, then `refs/executor/state`, so that a lost
 * machine loses nothing. It pushes when a task is picked, when the model or a person has answered,
 * and at the end of a run; a pass without work pushes nothing. If GitHub refuses the ref, the store
 * says so once and uses only the disk. docs/reliability.md describes the content.
 */

import { isTaskId, membersOf } from '../../packages/task/task.ts'
import { attemptsOf } from '../core/domain/change-state.ts'
import type { JournalEntry } from '../core/domain/journal-event.ts'
import type { RunState } from '../core/domain/run-state.ts'
import type { Clock, Random } from '../core/ports/clock.ts'
import type { Leases } from '../core/ports/leases.ts'
import type { OwnTexts } from '../core/ports/own-texts.ts'
import type { LoadResult, Store } from '../core/ports/store.ts'
import { findLast } from './durable-store/find-last.ts'
import type { LivenessSource } from './durable-store/lease.ts'
import { LeaseBook } from './durable-store/lease-book.ts'
import { isFinished } from './durable-store/read-runs.ts'
import { learnedPath, writeLearned } from './durable-store/run-files.ts'
import { RunKeeper } from './durable-store/run-keeper.ts'
import { findJournal, findPastTasks, findRuns } from './durable-store/shared-log.ts'
import { SharedMemory } from './durable-store/shared-memory.ts'
import {
  renewLeases,
  type SharedParts,
  SharedRecord,
  shareLeases,
  shareTexts,
} from './durable-store/shared-record.ts'
import type { SharedState } from './durable-store/shared-state.ts'
import { SpendingBook } from './durable-store/spending-book.ts'
import { WrittenBook } from './durable-store/written-book.ts'
import type { FileMemory } from './file-store/memory-file.ts'
import type { FileStore, HeardEvents } from './file-store.ts'

export interface DurableStore {
  readonly store: Store
  readonly leases: Leases
  readonly texts: OwnTexts
  /** Releases the leases of this process and pushes the rest. */
  close(): Promise<void>
}

export interface DurableStoreOptions extends LivenessSource {
  /** Opens the store on this disk, which reports new journal events. */
  readonly openDisk: (heard: HeardEvents) => FileStore
  /** What this disk remembers. */
  readonly memory: Pick<FileMemory, 'join'>
  readonly shared: SharedState
  readonly roadmap: string
  /** Whether to push the model's answers. */
  readonly shareAnswers: boolean
  readonly retentionDays: number
  readonly clock: Clock
  readonly random: Random
  /** Receives messages for people. */
  readonly notice: (sentence: string) => void
}

export function openDurableStore(options: DurableStoreOptions): DurableStore {
  const { shared, clock, notice } = options
  const session = options.random.hex(16)
  const book = new LeaseBook({ ...options, session })
  const disk = options.openDisk((run, events) => {
    parts.keeper.heard(run, events)
    for (const event of events) {
      if (event.kind === 'filed') book.release(event.result.id, true)
    }
  })
  const parts: SharedParts = {
    book,
    keeper: new RunKeeper(disk, options),
    memory: new SharedMemory(options),
    spending: new SpendingBook(clock),
    written: new WrittenBook(clock),
  }
  const record = new SharedRecord(parts, { shared, notice, restoreHistory: disk.restoreHistory })
  const leases = shareLeases(book, record)
  const stopRenewing = renewLeases(book, record)
  return {
    leases,
    texts: shareTexts(parts.written, record),
    store: new SharedStore(disk, { ...parts, record, leases, session }, options).port(),
    async close() {
      stopRenewing()
      await record.close()
    },
  }
}

interface StoreParts extends SharedParts {
  readonly record: SharedRecord
  readonly leases: Leases
  readonly session: string
}

/** Wraps the disk's store and decides what to push to the repository, and when. */
class SharedStore {
  readonly #disk: FileStore
  readonly #parts: StoreParts
  readonly #options: DurableStoreOptions
  #isFreshDisk = false
  /** Seconds of the clock. */
  #pushedAt = Number.NEGATIVE_INFINITY
  /** Answers of a loop that only this disk has. */
  #isBehind = false
  #calls = 0

  constructor(disk: FileStore, parts: StoreParts, options: DurableStoreOptions) {
    this.#disk = disk
    this.#parts = parts
    this.#options = options
  }

  port(): Store {
    const disk = this.#disk
    const { keeper, record, session, spending } = this.#parts
    const share = (mayWait: boolean) => this.#push(mayWait)
    return {
      ...disk,
      load: (request) => this.#load(request),
      save: (state, entries = []) => this.#save(state, entries),
      async record(run, entries) {
        await disk.record(run, entries)
        const answers = entries.filter(({ kind }) => paid.has(kind))
        if (answers.length === 0) return
        await keeper.begin(run, keeper.isShared)
        await share(answers.every(isOfLoop))
      },
      async journal(run) {
        const here = await disk.journal(run)
        return here.length > 0 || record.seen === null ? here : findJournal(record.seen, run)
      },
      async runs() {
        const there = record.seen === null ? [] : await findRuns(record.seen)
        return [...new Set([...there, ...(await disk.runs())])].sort()
      },
      recordSpending: async (spent) => {
        const line = { ...spent, id: `${session}-${this.#calls++}` }
        await disk.recordSpending(line)
        spending.add(line)
      },
      spendingOn: async (day) => spending.sum(day, await disk.spendingOn(day)),
      pastTasks: async () => {
        const there = this.#isFreshDisk ? record.seen : null
        return [...(there === null ? [] : await findPastTasks(there)), ...(await disk.pastTasks())]
      },
    }
  }

  async #load(request?: string): Promise<LoadResult> {
    const { keeper, record, spending, leases } = this.#parts
    const { roadmap, notice, clock, retentionDays } = this.#options
    const here = await this.#disk.load(request)
    // During a run, this disk has the newest state.
    if (request === undefined && keeper.isFollowing) return here
    this.#isFreshDisk = here.status === 'none'
    await this.#disk.prune(retentionDays)
    for (const line of await this.#disk.spendingLines(clock.now().slice(0, 10))) spending.add(line)
    const there = await record.look()
    if (there === null) return here
    const last = await findLast(there, {
      ...{ roadmap, request, here, notice },
      newestHere: async (run) => (await this.#disk.journal(run)).at(-1)?.seq ?? -1,
      async take(run) {
        const { status } = await leases.take(run)
        return record.isDisabled ? 'closed' : status
      },
    })
    if (last.status === 'here') {
      if (last.isShared && last.found.status === 'loaded') await this.#takeUp(last.found.state)
      return last.found
    }
    const { state, events, restored } = last
    await this.#disk.restore(state, events)
    await this.#takeUp(state)
    return { status: 'loaded', state, from: 'repository', ...(restored && { restored }) }
  }

  /** This process takes over the run and the tasks under way. */
  async #takeUp(state: RunState): Promise<void> {
    const { keeper, leases } = this.#parts
    await keeper.begin(state.run.id, true)
    const tasks = attemptsOf(state).flatMap(({ task }) => membersOf(task))
    for (const { id } of tasks) await leases.take(id)
  }

  /** Pushes the run; an answer that `mayWait` waits until 30 seconds after the last push, or the end of its loop. */
  async #push(mayWait = false): Promise<void> {
    const now = this.#options.clock.monotonic()
    this.#isBehind = mayWait && now - this.#pushedAt < secondsBetweenPushes
    if (this.#isBehind) return
    this.#pushedAt = now
    await this.#parts.record.push({ run: true })
  }

  async #save(state: RunState, entries: readonly JournalEntry[]): Promise<void> {
    const { book, keeper, record } = this.#parts
    await this.#disk.save(state, entries)
    const before = keeper.follow(state)
    const has = (kind: JournalEntry['kind']) => entries.some((entry) => entry.kind === kind)
    if (has('ended')) {
      if (isFinished(state)) keeper.finish()
      book.release(state.run.id, false)
      for (const name of book.names) if (isTaskId(name)) book.release(name, false)
      if (keeper.isShared) await record.push({ run: true })
      keeper.end()
    } else if (has('reopened') && isFinished(state)) {
      // The next run must not learn the reverted work again.
      await record.replace(learnedPath(state.roadmap.path), writeLearned(state, null))
    } else if (has('resumed') || isPicked(before, state) || isObeyed(before, state)) {
      await this.#push()
    } else if (this.#isBehind && entries.some(endsLoop)) {
      await this.#push()
    }
  }
}

/** Events of answers, which cost money: to us, and to an agent. */
const paid: ReadonlySet<JournalEntry['kind']> = new Set(['answered', 'relayed'])

/** Answers of these purposes come every few seconds, and each is small; so are the counts of those to an agent. */
const ofLoop: ReadonlySet<string> = new Set(['think', 'reflect'])

const isOfLoop = (entry: JournalEntry): boolean =>
  entry.kind === 'relayed' || (entry.kind === 'answered' && ofLoop.has(entry.purpose))

const secondsBetweenPushes = 30

const endsLoop = (entry: JournalEntry): boolean =>
  entry.kind === 'stepped' &&
  (entry.node === 'use_tool' || entry.node === 'think') &&
  !['called', 'observed', 'failed_again'].includes(entry.outcome)

/** True for a new attempt. */
function isPicked(before: RunState | null, after: RunState): boolean {
  const known = before === null ? [] : attemptsOf(before)
  return attemptsOf(after).some(
    ({ task, number }) =>
      !known.some((attempt) => attempt.task.id === task.id && attempt.number === number),
  )
}

/** True after a person's answer was used: its work starts by closing the question. */
const isObeyed = (before: RunState | null, { asked: { answers } }: RunState): boolean =>
  before !== null && Object.keys(before.asked.answers).some((task) => !Object.hasOwn(answers, task))
