import { isTaskId } from '../../core/domain/task-id.ts'
import type { Claims } from '../../core/ports/claims.ts'
import type { ClaimBook } from './claim-book.ts'
import type { SharedRecord } from './shared-record.ts'

/** Seconds between two looks at whether a claim is to be renewed. */
const renewalSeconds = 60

/** Claims that other machines see: each is one push, all or nothing. */
export const shareClaims = (book: ClaimBook, record: SharedRecord): Claims => ({
  async look() {
    await record.look()
  },
  async take(name) {
    let by: string | null = null
    // Only the claim of a task has a task's id for its name.
    await record.push({ run: isTaskId(name) }, async (there) => {
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

/** Renews claims as long as this process lives; answers how to stop. */
export function renewClaims(book: ClaimBook, record: SharedRecord): () => void {
  const timer = setInterval(() => {
    if (book.isDue()) record.push({ run: false }).catch(() => {})
  }, renewalSeconds * 1000).unref()
  return () => clearInterval(timer)
}
