import { isTaskId } from '../../../packages/task/task.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Leases } from '../../core/ports/leases.ts'
import type { OwnTexts } from '../../core/ports/own-texts.ts'
import type { LeaseBook } from './lease-book.ts'
import type { RunKeeper } from './run-keeper.ts'
import { readHistory } from './shared-log.ts'
import type { SharedMemory } from './shared-memory.ts'
import type { Shared, SharedState, Wanted } from './shared-state.ts'
import type { SpendingBook } from './spending-book.ts'
import type { WrittenBook } from './written-book.ts'

export interface SharedParts {
  readonly book: LeaseBook
  readonly keeper: RunKeeper
  readonly memory: SharedMemory
  readonly spending: SpendingBook
  readonly written: WrittenBook
}

interface RecordOptions {
  readonly shared: SharedState
  /** Receives messages for people. */
  readonly notice: (sentence: string) => void
  /** Saves journals of earlier runs on this disk. */
  readonly restoreHistory: (files: ReadonlyMap<string, string>) => Promise<void>
}

/**
 * The shared state as this process last read it, and its pushes. If GitHub refuses the ref, it says
 * so once and uses only the disk.
 */
export class SharedRecord {
  readonly #options: RecordOptions
  readonly #parts: SharedParts
  #seen: Shared | null = null
  #disabled = false
  #warned = false
  #lastReadFailed = false
  #isHistoryHere = false
  #isClosing = false

  constructor(parts: SharedParts, options: RecordOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** The last state read; `null` before the first. */
  get seen(): Shared | null {
    return this.#seen
  }

  /** Returns true if the ref cannot be written. */
  get isDisabled(): boolean {
    return this.#disabled
  }

  /** Reads the state again; `null` if that fails. */
  async look(): Promise<Shared | null> {
    if (this.#disabled) return null
    try {
      await this.#takeIn(await this.#options.shared.look())
      return this.#seen
    } catch (error) {
      if (!(error instanceof ExecutorError)) throw error
      this.#lastReadFailed = true
      this.#warn('read', error.message)
      return null
    }
  }

  /** Pushes pending changes, including the run if `run` is true, unless `prepare` returns false. */
  async push(
    { run }: { readonly run: boolean },
    prepare: (there: Shared) => Promise<boolean> = async () => true,
  ): Promise<void> {
    if (this.#disabled) return
    if (run) await this.#parts.keeper.ready()
    const pushed = await this.#options.shared.update(async (there) => {
      if (this.#lastReadFailed) await this.#takeIn(there)
      return (await prepare(there)) ? this.#wanted(there, run) : null
    })
    if (run && pushed.status === 'published') await this.#bringHistory()
    if (pushed.status !== 'refused') this.#warned = false
    else if (pushed.code !== 'forge_unreachable') this.#disable(pushed.detail)
    else this.#warn('pushed', pushed.detail)
  }

  /** Replaces one file, if it exists. */
  async replace(path: string, text: string): Promise<void> {
    if (this.#disabled) return
    const files = new Map([[path, text]])
    const wanted: Wanted = { files, leases: new Map(), published: () => {} }
    const { shared, notice } = this.#options
    const pushed = await shared.update(async ({ paths }) => (paths.includes(path) ? wanted : null))
    if (pushed.status === 'refused') notice(`The repository still keeps it: ${pushed.detail}`)
  }

  /** Releases the leases of this process, and pushes that and the ids of posted texts. */
  async close(): Promise<void> {
    this.#isClosing = true
    const { book, written } = this.#parts
    for (const name of book.names) book.release(name, false)
    if (book.names.length > 0 || written.isDue) await this.push({ run: false })
  }

  async #wanted(there: Shared, withRun: boolean): Promise<Wanted | null> {
    const { book, keeper, memory, spending, written } = this.#parts
    const kept = await keeper.changes(there, withRun)
    if (kept.run !== null && !this.#isClosing) await book.want(kept.run, there)
    if (withRun) await book.sweep(there)
    const leased = await book.changes(there, keeper.run)
    const texts = await written.changes(there)
    const files = new Map([
      ...[...kept.files, ...(await spending.changes(there)), ...leased.files],
      ...texts,
    ])
    // Remembered fixes alone are not worth a push.
    if (files.size + leased.leases.size === 0) return null
    for (const [path, text] of await memory.changes(there)) files.set(path, text)
    return {
      files,
      leases: leased.leases,
      published(commits) {
        leased.published(commits)
        kept.published()
        written.published(texts)
      },
    }
  }

  /** Remembers this state: only later changes are news. */
  async #takeIn(there: Shared): Promise<void> {
    this.#lastReadFailed = false
    this.#seen = there
    const { book, memory, spending, written } = this.#parts
    await written.noticed(there)
    await spending.noticed(there)
    await book.noticed(there)
    await memory.noticed(there)
  }

  /** Restores the journals of earlier runs to this disk, once per process. */
  async #bringHistory(): Promise<void> {
    if (this.#isHistoryHere || this.#seen === null) return
    this.#isHistoryHere = true
    await this.#options.restoreHistory(await readHistory(this.#seen))
  }

  #warn(done: 'read' | 'pushed', detail: string): void {
    const what = `The state of this run could not be ${done}, and the executor tries again`
    if (!this.#warned) this.#options.notice(`${what}: ${detail}`)
    this.#warned = true
  }

  #disable(detail: string): void {
    const what = "The repository does not keep this run's state (refs/executor/state)"
    if (!this.#disabled) this.#options.notice(`${what}: ${detail}`)
    this.#disabled = true
  }
}

/** Seconds between checks for leases to renew. */
const lookSeconds = 60

/** Leases that other machines see: each is one push, all or nothing. */
export const shareLeases = (book: LeaseBook, record: SharedRecord): Leases => ({
  async look() {
    await record.look()
  },
  async take(name) {
    let by: string | null = null
    // Only the lease of a task has a task id as its name.
    await record.push({ run: isTaskId(name) }, async (there) => {
      by = await book.want(name, there)
      return by === null
    })
    if (by !== null || !book.has(name)) book.forget(name)
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
    await record.push({ run: false }, async (there) => {
      held.clear()
      for (const name of names) {
        const by = await book.drop(name, there)
        if (by !== null) held.set(name, by)
      }
      return true
    })
    return [...held].map(([name, by]) => `${name}: ${by}`)
  },
})

/** Texts that other machines recognise. Where the repository keeps no state, the account alone decides. */
export const shareTexts = (book: WrittenBook, record: SharedRecord): OwnTexts => ({
  async intend(body, of) {
    book.intend(body, of)
    await record.push({ run: false })
  },
  posted: (text) => book.posted(text),
  async ours(texts) {
    // A text that repeats ours comes after it.
    const sorted = texts.toSorted((a, b) => a.id - b.id)
    // Another machine may have written since the last look.
    if (sorted.some((text) => !book.isOurs(text))) await record.look()
    if (record.isDisabled) return texts
    const ours = new Set(sorted.filter((text) => book.isOurs(text) ?? true))
    return texts.filter((text) => ours.has(text))
  },
})

/** Renews leases while this process lives; returns a function that stops it. */
export function renewLeases(book: LeaseBook, record: SharedRecord): () => void {
  const timer = setInterval(() => {
    if (book.isDue()) record.push({ run: false }).catch(() => {})
  }, lookSeconds * 1000).unref()
  return () => clearInterval(timer)
}
