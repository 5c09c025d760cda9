import { access, mkdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { vi } from 'vitest'

/** Where the workers of one vitest, a process, share the queue that one of them has prepared. */
const sharedBy = (vitest: number): string => join(tmpdir(), `executor-queue-of-${vitest}`)

let prepared: Promise<string> | undefined

/**
 * Makes `directory` the folder of an empty embedded queue. To make one takes seven seconds of a processor, to
 * copy one a hundred times less; that the program can make its own is for `test/e2e/app/start.test.ts` to prove.
 */
export async function layOutQueue(directory: string): Promise<void> {
  prepared ??= prepareOnce(sharedBy(process.ppid))
  await execa('cp', ['-a', '--sparse=always', await prepared, directory])
}

async function prepareOnce(shared: string): Promise<string> {
  const ready = join(shared, 'ready')
  try {
    await mkdir(shared)
  } catch {
    // Another worker is at it.
    await vi.waitFor(() => access(ready), { timeout: 90_000, interval: 100 })
    return ready
  }
  // Loaded here, for vitest's own process needs it not.
  const { openPgQueue } = await import('../src/adapters/pg-queue.ts')
  const building = join(shared, 'building')
  const queue = await openPgQueue({
    database: { kind: 'embedded', directory: building },
    log: () => {},
  })
  await queue.close(0)
  await rename(building, ready)
  return ready
}

/** vitest calls it in its own process; what it answers, at the end. */
export default function shareDatabase(): () => Promise<void> {
  return () => rm(sharedBy(process.pid), { recursive: true, force: true })
}
