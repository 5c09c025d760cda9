/**
 * Fixes that worked, in `memory.json` of the shared state: what one runner learned, the next one is
 * offered. Joined with what this disk knows, whoever is first. Whoever may push can have written there:
 * what is no memory of ours is begun anew, and a fix that is not one plain line is left out.
 */
import { keepFresh } from '../../core/learn-fix.ts'
import type { KnownFix } from '../../core/ports/memory.ts'
import { type FileMemory, memoryText, readMemory } from '../file-store/memory-file.ts'
import type { Shared } from './shared-state.ts'

const path = 'memory.json'

export interface SharedMemory {
  /** Takes over what is there. */
  noticed(shared: Shared): Promise<void>
  /** What this disk knows and the repository does not. */
  changes(shared: Shared): Promise<ReadonlyMap<string, string>>
  /** They are there now. */
  published(): void
}

export function openSharedMemory(
  memory: Pick<FileMemory, 'join'>,
  options: {
    readonly clock: { now(): string }
    readonly notice: (sentence: string) => void
  },
): SharedMemory {
  const { clock, notice } = options
  /** What the repository was last known to have, as far as this disk has it, too. */
  let settled: string | null = null
  let wanted: string | null = null
  let isSaid = false

  /** `null` for what is damaged. */
  async function read(shared: Shared): Promise<readonly KnownFix[] | null> {
    if (!shared.paths.includes(path)) return []
    const fixes = readMemory((await shared.read([path])).get(path) ?? '')
    if (fixes !== null) return keepFresh(fixes.filter(isPlain), clock.now())
    if (!isSaid) notice(`${path} in the repository cannot be read, and is begun anew.`)
    isSaid = true
    return null
  }

  return {
    async noticed(shared) {
      const there = await read(shared)
      const all = await memory.join(there ?? [])
      if (there !== null && memoryText(all) === memoryText(there)) settled = memoryText(all)
    },
    async changes(shared) {
      wanted = memoryText(await memory.join([]))
      if (wanted === settled) return new Map()
      const there = await read(shared)
      const all = await memory.join(there ?? [])
      wanted = memoryText(all)
      const isKnown = there !== null && wanted === memoryText(there)
      return isKnown || all.length === 0 ? new Map() : new Map([[path, wanted]])
    },
    published() {
      settled = wanted
    },
  }
}

/** Nothing that a reader would not see, and no second line. */
const isPlain = ({ signature, fix }: KnownFix): boolean => !/\p{C}/u.test(signature + fix)
