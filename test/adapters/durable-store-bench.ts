import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Holder, Liveness } from '../../src/adapters/durable-store/lease.ts'
import type { SharedState } from '../../src/adapters/durable-store/shared-state.ts'
import { type DurableStore, openDurableStore } from '../../src/adapters/durable-store.ts'
import { createFileMemory, type FileMemory } from '../../src/adapters/file-store/memory-file.ts'
import { createFileStore } from '../../src/adapters/file-store.ts'
import { createSystemRandom } from '../../src/adapters/system.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'

export interface Machine extends DurableStore, AsyncDisposable {
  readonly clock: FakeClock
  readonly directory: string
  readonly memory: FileMemory
  /** What it told people. */
  readonly said: readonly string[]
}

/** A runner with an empty disk of its own, that disappears without a word unless it is closed. */
export function openMachine(
  shared: SharedState,
  given: {
    readonly holder?: Holder
    readonly ask?: (run: string) => Promise<Liveness>
    readonly clock?: FakeClock
    readonly shareAnswers?: boolean
    readonly keepAnswers?: boolean
    readonly directory?: string
    readonly retentionDays?: number
  } = {},
): Machine {
  const directory = given.directory ?? mkdtempSync(join(tmpdir(), 'machine-'))
  const clock = given.clock ?? createFakeClock()
  const said: string[] = []
  const memory = createFileMemory({ directory, clock })
  const durable = openDurableStore({
    openDisk: (heard) =>
      createFileStore({ directory, clock, heard, keepAnswers: given.keepAnswers ?? true }),
    memory,
    shared,
    roadmap: 'ROADMAP.md',
    shareAnswers: given.shareAnswers ?? true,
    retentionDays: given.retentionDays ?? 90,
    holder: given.holder ?? { kind: 'workflow', run: '1', attempt: 1 },
    ask: given.ask ?? (async () => 'unknown'),
    clock,
    random: createSystemRandom(),
    notice: (sentence) => said.push(sentence),
  })
  return {
    ...durable,
    clock,
    directory,
    memory,
    said,
    async [Symbol.asyncDispose]() {
      await durable.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
