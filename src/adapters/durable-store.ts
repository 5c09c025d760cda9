/**
 * The store of a run on GitHub: this disk first, always; then `refs/executor/state`, so that a machine
 * that vanishes takes nothing with it. Pushed when a task is picked, when the model or a person has
 * answered, and at the end of a run; a pass that finds nothing to do pushes nothing. Where GitHub does
 * not take it, that is said once, and the disk has to do. docs/reliability.md says what is in it.
 */
import { ExecutorError } from '../core/domain/errors.ts'
import type { JournalEntry } from '../core/domain/journal-event.ts'
import type { RunState } from '../core/domain/run-state.ts'
import { isTaskId } from '../core/domain/task-id.ts'
import type { Claims } from '../core/ports/claims.ts'
import type { LoadResult, Store } from '../core/ports/store.ts'
import type { Clock, Random } from '../core/ports.ts'
import { openClaimBook } from './durable-store/claim-book.ts'
import type { Holder, Liveness } from './durable-store/claim-record.ts'
import { findJournal, findPastTasks, findRuns } from './durable-store/find-history.ts'
import { findLast } from './durable-store/find-last.ts'
import { readHistory } from './durable-store/history-files.ts'
import { isFinished } from './durable-store/read-runs.ts'
import { learnedPath, writeLearned } from './durable-store/run-files.ts'
import { openRunKeeper } from './durable-store/run-keeper.ts'
import { openSharedMemory } from './durable-store/shared-memory.ts'
import type { Shared, SharedState, Wanted } from './durable-store/shared-state.ts'
import { openSpendingBook } from './durable-store/spending-book.ts'
import type { FileMemory } from './file-store/memory-file.ts'
import type { FileStore, HeardEvents } from './file-store.ts'

export interface DurableStore {
  readonly store: Store
  readonly claims: Claims
  /** Lets go of what this process claimed, and pushes what is left. */
  close(): Promise<void>
}

export interface DurableStoreOptions {
  /** The store on this disk, which tells of what it adds to journals. */
  readonly openDisk: (heard: HeardEvents) => FileStore
  /** What this disk knows of fixes that worked. */
  readonly memory: Pick<FileMemory, 'join'>
  readonly shared: SharedState
  readonly roadmap: string
  /** Whether the model's answers are among what is pushed. */
  readonly shareAnswers: boolean
  readonly retentionDays: number
  readonly holder: Holder
  /** Whether a run of a workflow works yet. */
  readonly ask: (workflowRun: string) => Promise<Liveness>
  readonly clock: Clock
  readonly random: Random
  /** Something a person should know. */
  readonly notice: (sentence: string) => void
}

/** Seconds between two looks at whether a claim is to be renewed. */
const renewalSeconds = 60

export function openDurableStore(options: DurableStoreOptions): DurableStore {
  const { shared, clock, random, notice } = options
  const session = random.hex(16)
  const book = openClaimBook({ holder: options.holder, session, clock, ask: options.ask })
  const spending = openSpendingBook(clock)
  const memory = openSharedMemory(options.memory, options)
  const disk = options.openDisk((run, events) => {
    keeper.heard(run, events)
    for (const event of events) {
      if (event.kind === 'filed') book.release(event.result.id, true)
    }
  })
  const keeper = openRunKeeper(disk, options)
  let seen: Shared | null = null
  let isOff = false
  let isTroubled = false
  /** The last look saw nothing. */
  let isBlind = false
  let isFreshDisk = false
  let isHistoryHere = false
  let isClosing = false
  let calls = 0

  function giveUp(detail: string): void {
    if (!isOff) {
      notice(`The repository does not keep this run's state (refs/executor/state): ${detail}`)
    }
    isOff = true
  }

  async function look(): Promise<Shared | null> {
    if (isOff) return null
    try {
      await takeIn(await shared.look())
      return seen
    } catch (error) {
      if (!(error instanceof ExecutorError)) throw error
      isBlind = true
      trouble('read', error.message)
      return null
    }
  }

  /** What is there from now on is news. */
  async function takeIn(there: Shared): Promise<void> {
    isBlind = false
    seen = there
    await spending.noticed(there)
    await book.noticed(there)
    await memory.noticed(there)
  }

  function trouble(done: 'read' | 'pushed', detail: string): void {
    if (!isTroubled) {
      notice(`The state of this run could not be ${done}, and that is tried again: ${detail}`)
    }
    isTroubled = true
  }

  /** Pushes what is due, unless `prepare` says that there is no point. */
  async function push(
    what: { readonly run: boolean },
    prepare: (there: Shared) => Promise<boolean> = async () => true,
  ): Promise<void> {
    if (isOff) return
    if (what.run) await keeper.ready()
    const pushed = await shared.update(async (there): Promise<Wanted | null> => {
      if (isBlind) await takeIn(there)
      if (!(await prepare(there))) return null
      const kept = keeper.changes(there, what.run)
      if (kept.run !== null && !isClosing) await book.want(kept.run, there)
      if (what.run) await book.sweep(there)
      const files = new Map([...(await kept.files()), ...(await spending.changes(there))])
      const claimed = await book.changes(there, keeper.run)
      for (const [path, text] of claimed.files) files.set(path, text)
      // For it alone nothing is pushed.
      if (files.size + claimed.claims.size === 0) return null
      for (const [path, text] of await memory.changes(there)) files.set(path, text)
      return {
        files,
        claims: claimed.claims,
        published(claims) {
          claimed.published(claims)
          kept.published(files)
          memory.published()
        },
      }
    })
    if (what.run && pushed.status === 'published') await bringHistory()
    if (pushed.status !== 'refused') isTroubled = false
    else if (pushed.code !== 'forge_unreachable') giveUp(pushed.detail)
    else trouble('pushed', pushed.detail)
  }

  /** Where a run does something, what earlier ones did is there to be looked at with it. */
  async function bringHistory(): Promise<void> {
    if (isHistoryHere || seen === null) return
    isHistoryHere = true
    await disk.restoreHistory(await readHistory(seen))
  }

  async function load(request?: string): Promise<LoadResult> {
    const here = await disk.load(request)
    // Of the run under way, this disk has the newest.
    if (request === undefined && keeper.isFollowing) return here
    isFreshDisk = here.status === 'none'
    await disk.prune(options.retentionDays)
    for (const line of await disk.spendingLines(clock.now().slice(0, 10))) spending.add(line)
    const there = await look()
    if (there === null) return here
    const last = await findLast(there, {
      ...{ roadmap: options.roadmap, request, here, notice },
      newestHere: async (run) => (await disk.journal(run)).at(-1)?.seq ?? -1,
      async take(run) {
        const { status } = await claims.take(run)
        return isOff ? 'closed' : status
      },
    })
    if (last.status === 'here') {
      if (last.isShared && last.found.status === 'loaded') await takeUp(last.found.state)
      return last.found
    }
    const { state, events, restored } = last
    await disk.restore(state, events)
    await takeUp(state)
    return { status: 'loaded', state, from: 'repository', ...(restored && { restored }) }
  }

  /** The task under way is this process's now, as the run is. */
  async function takeUp({ runId, attempt }: RunState): Promise<void> {
    await keeper.begin(runId, true)
    if (attempt !== null) await claims.take(attempt.task.id)
  }

  async function save(state: RunState, entries: readonly JournalEntry[]): Promise<void> {
    await disk.save(state, entries)
    const before = keeper.follow(state)
    const has = (kind: JournalEntry['kind']) => entries.some((entry) => entry.kind === kind)
    if (has('ended')) {
      if (isFinished(state)) keeper.finish()
      book.release(state.runId, false)
      for (const name of book.names) if (isTask(name)) book.release(name, false)
      if (keeper.isShared) await push({ run: true })
      keeper.end()
    } else if (has('reopened') && isFinished(state)) await forgetThere(state)
    else if (has('resumed') || isPicked(before, state) || isObeyed(before, state)) {
      await push({ run: true })
    }
  }

  /** What a rollback took back is not to be learned from there again. */
  async function forgetThere(state: RunState): Promise<void> {
    const path = learnedPath(state.roadmap)
    const files = new Map([[path, writeLearned(state, null)]])
    const wanted = { files, claims: new Map(), published: () => {} }
    if (isOff) return
    const pushed = await shared.update(async ({ paths }) => (paths.includes(path) ? wanted : null))
    if (pushed.status === 'refused')
      notice(`It is not forgotten in the repository: ${pushed.detail}`)
  }

  const claims: Claims = {
    async look() {
      await look()
    },
    async take(name) {
      let by: string | null = null
      await push({ run: isTask(name) }, async (there) => {
        by = await book.want(name, there)
        return by === null
      })
      if (by === null && !book.has(name)) book.forget(name)
      return by === null ? { status: 'taken' } : { status: 'held', by }
    },
    async settle(name) {
      book.release(name, true)
    },
    async release(name) {
      book.release(name, false)
    },
    async drop(names) {
      const held = new Map<string, string>()
      await push({ run: false }, async (there) => {
        held.clear()
        for (const name of names) {
          const by = await book.drop(name, there)
          if (by !== null) held.set(name, by)
        }
        return true
      })
      return [...held].map(([name, by]) => `${name}: ${by}`)
    },
  }

  const timer = setInterval(() => {
    if (book.isDue()) push({ run: false }).catch(() => {})
  }, renewalSeconds * 1000).unref()

  const past = async () => (seen === null || !isFreshDisk ? [] : findPastTasks(seen))
  return {
    claims,
    store: {
      ...disk,
      load,
      save: (state, entries = []) => save(state, entries),
      async record(run, entries) {
        await disk.record(run, entries)
        if (entries.some(({ kind }) => kind === 'answered')) {
          await keeper.begin(run, keeper.isShared)
          await push({ run: true })
        }
      },
      async journal(run) {
        const here = await disk.journal(run)
        return here.length > 0 || seen === null ? here : findJournal(seen, run)
      },
      async runs() {
        const there = seen === null ? [] : await findRuns(seen)
        return [...new Set([...there, ...(await disk.runs())])].sort()
      },
      async recordSpending(spent) {
        const line = { ...spent, id: `${session}-${calls++}` }
        await disk.recordSpending(line)
        spending.add(line)
      },
      spendingOn: async (day) => spending.sum(day, await disk.spendingOn(day)),
      pastTasks: async () => [...(await past()), ...(await disk.pastTasks())],
    },
    async close() {
      clearInterval(timer)
      isClosing = true
      for (const name of book.names) book.release(name, false)
      if (book.names.length > 0) await push({ run: false })
    },
  }
}

/** All other claims are called otherwise. */
const isTask = (name: string): boolean => isTaskId(name)

/** Another attempt than before. */
const isPicked = (before: RunState | null, { attempt }: RunState): boolean =>
  attempt !== null &&
  (before?.attempt?.task.id !== attempt.task.id || before.attempt.number !== attempt.number)

/** A person's answer counted: what comes of it begins by closing what asked, and nobody could ask again. */
const isObeyed = (before: RunState | null, { answers }: RunState): boolean =>
  before !== null && Object.keys(before.answers).some((task) => !Object.hasOwn(answers, task))
