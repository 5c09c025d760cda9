/** What every runner spent, in `spending/<day>.jsonl`: the limits per day hold for all of them together. */
import { z } from 'zod'
import { readStored } from '../../core/parse-json.ts'
import type { DaySpending, Spending } from '../../core/ports/store.ts'
import { joinRecords, splitRecords } from './line-log.ts'
import type { Shared } from './shared-state.ts'

const daysKept = 2
const fileName = /^spending\/(\d{4}-\d\d-\d\d)\.jsonl$/
const pathOf = (day: string): string => `spending/${day}.jsonl`

const lineShape = z.object({
  tokens: z.number().nonnegative(),
  dollars: z.number().nonnegative(),
})

export interface SpendingBook {
  /** A line of this disk. */
  add(spending: Spending): void
  /** Takes over what others spent. */
  noticed(shared: Shared): Promise<void>
  changes(shared: Shared): Promise<ReadonlyMap<string, string | null>>
  /** What this disk knows, and what others spent besides. */
  sum(day: string, here: DaySpending): DaySpending
}

export function openSpendingBook(clock: { now(): string }): SpendingBook {
  /** By day. */
  const own = new Map<string, Set<string>>()
  const others = new Map<string, ReadonlySet<string>>()
  let unread = ''

  async function linesIn(shared: Shared, day: string): Promise<readonly string[]> {
    const path = pathOf(day)
    if (!shared.paths.includes(path)) return []
    const text = (await shared.read([path])).get(path)
    unread = text === undefined ? `${path} in the repository cannot be read` : ''
    return splitRecords(text ?? '')
  }

  return {
    add(spending) {
      const day = spending.at.slice(0, 10)
      own.set(day, (own.get(day) ?? new Set()).add(JSON.stringify(spending)))
    },
    async noticed(shared) {
      const day = clock.now().slice(0, 10)
      others.set(day, new Set(await linesIn(shared, day)))
    },
    async changes(shared) {
      const files = new Map<string, string | null>()
      for (const [day, lines] of own) {
        const there = await linesIn(shared, day)
        const known = new Set(there)
        others.set(day, known)
        const missing = [...lines].filter((line) => !known.has(line))
        if (missing.length > 0) files.set(pathOf(day), joinRecords([...there, ...missing]))
      }
      if (files.size === 0) return files
      const oldest = new Date(Date.parse(clock.now()) - daysKept * 86_400_000)
      for (const path of shared.paths) {
        const day = fileName.exec(path)?.[1]
        if (day !== undefined && day < oldest.toISOString().slice(0, 10)) files.set(path, null)
      }
      return files
    },
    sum(day, here) {
      const mine = own.get(day) ?? new Set()
      const foreign = [...(others.get(day) ?? [])].filter((line) => !mine.has(line))
      const read = foreign.map((line) => readStored(lineShape, line))
      const damaged = read.filter((line) => line === null).length
      const known = read.flatMap((line) => line ?? [])
      const said = damaged === 0 ? unread : `${pathOf(day)}: ${damaged} lines cannot be read`
      return {
        tokens: known.reduce((sum, { tokens }) => sum + tokens, here.tokens),
        dollars: known.reduce((sum, { dollars }) => sum + dollars, here.dollars),
        unreadable: here.unreadable ?? (said || null),
      }
    },
  }
}
