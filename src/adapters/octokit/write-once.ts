import type { Clock } from '../../ports.ts'
import { describe, ForgeRefusal, isRequestFailure, isUncertain } from './failure.ts'

const mostWrites = 3

/** A list may lag behind what was made by up to half a minute; these looks, in seconds, span it. */
export const untilListed: readonly number[] = [1, 2, 4, 8, 16]

export interface Write<T> {
  readonly write: () => Promise<T>
  /** What the write makes, if it is there already. */
  readonly find: () => Promise<T | null>
  /** Seconds before each look; for what GitHub would not refuse to make twice, `untilListed`. */
  readonly looks: readonly number[]
}

/**
 * Writes, and where no answer says whether that took effect (5xx, a cut connection), looks before
 * writing again. GitHub promises no exactly-once: this is as near as can be.
 * @throws ForgeRefusal `forge_unreachable` when it stays unknown.
 */
export async function writeOnce<T>({ write, find, looks }: Write<T>, clock: Clock): Promise<T> {
  for (let writes = 1; ; writes++) {
    try {
      return await write()
    } catch (error) {
      if (!isUncertain(error)) throw error
      const found = await look(find, looks, clock, error)
      if (found !== null) return found
      if (writes === mostWrites) throw error
    }
  }
}

async function look<T>(
  find: () => Promise<T | null>,
  looks: readonly number[],
  clock: Clock,
  cause: unknown,
): Promise<T | null> {
  try {
    for (const seconds of looks) {
      await clock.sleep(seconds)
      const found = await find()
      if (found !== null) return found
    }
    return null
  } catch (error) {
    if (!isUncertain(error)) throw error
    const what = isRequestFailure(cause) ? describe(cause) : String(cause)
    const detail = `${what}. Whether it took effect could not be seen; the next run looks again.`
    throw new ForgeRefusal('forge_unreachable', detail, { cause: error })
  }
}
