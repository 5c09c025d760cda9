/** The spending of every runner by day: the daily limits apply to all of them together. */
import type { DaySpending, Spending } from '../../core/ports/store.ts'
import { sumSpending } from '../file-store/spending-log.ts'
import { appendTo, outdatedIn, spendingLog, splitRecords } from './shared-log.ts'
import type { Shared } from './shared-state.ts'

const daysKept = 2

const pathOf = (day: string): string => spendingLog.pathOf(day, 1)

export class SpendingBook {
  readonly #clock: { now(): string }
  /** Lines by day. */
  readonly #own = new Map<string, Set<string>>()
  readonly #others = new Map<string, ReadonlySet<string>>()
  #unread: string | null = null

  constructor(clock: { now(): string }) {
    this.#clock = clock
  }

  add(spent: Spending): void {
    const day = spent.at.slice(0, 10)
    this.#own.set(day, (this.#own.get(day) ?? new Set()).add(JSON.stringify(spent)))
  }

  /** Takes over the spending of other runners. */
  async noticed(shared: Shared): Promise<void> {
    const day = this.#clock.now().slice(0, 10)
    const path = pathOf(day)
    const text = (await shared.read([path])).get(path)
    const isUnread = text === undefined && shared.paths.includes(path)
    this.#unread = isUnread ? `${path} in the repository cannot be read` : null
    this.#others.set(day, new Set(splitRecords(text ?? '')))
  }

  async changes(shared: Shared): Promise<ReadonlyMap<string, string | null>> {
    const files = new Map<string, string | null>()
    if (this.#own.size === 0) return files
    await this.noticed(shared)
    for (const [day, lines] of this.#own) {
      for (const [path, text] of await appendTo(spendingLog, shared, day, [...lines]))
        files.set(path, text)
    }
    if (files.size === 0) return files
    for (const path of outdatedIn(spendingLog, shared, daysKept, this.#clock.now()))
      files.set(path, null)
    return files
  }

  /** Adds the spending of other runners to this disk's. */
  sum(day: string, here: DaySpending): DaySpending {
    const mine = this.#own.get(day) ?? new Set()
    const foreign = [...(this.#others.get(day) ?? [])].filter((line) => !mine.has(line))
    const { tokens, dollars, unreadable } = sumSpending(foreign, pathOf(day))
    return {
      tokens: here.tokens + tokens,
      dollars: here.dollars + dollars,
      unreadable: here.unreadable ?? unreadable ?? this.#unread,
    }
  }
}
