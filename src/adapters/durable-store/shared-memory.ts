/**
 * Fixes that worked, in `memory.json` of the shared state: what one runner learned, the next one is
 * offered. Joined with what this disk knows, in any order. A stranger can have written there: what is no
 * memory of ours is begun anew, and a fix that is not one plain line is left out.
 */
import { keepFresh } from '../../core/learn-fix.ts'
import type { KnownFix } from '../../core/ports/memory.ts'
import { type FileMemory, memoryText, readMemory } from '../file-store/memory-file.ts'
import type { Shared } from './shared-state.ts'

const path = 'memory.json'

interface MemoryOptions {
  /** What this disk knows of fixes that worked. */
  readonly memory: Pick<FileMemory, 'join'>
  readonly clock: { now(): string }
  readonly notice: (sentence: string) => void
}

export class SharedMemory {
  readonly #options: MemoryOptions
  #isSaid = false

  constructor(options: MemoryOptions) {
    this.#options = options
  }

  /** Takes over what is there. */
  async noticed(shared: Shared): Promise<void> {
    await this.#join(shared)
  }

  /** What this disk knows and the repository does not. */
  async changes(shared: Shared): Promise<ReadonlyMap<string, string>> {
    const { there, all } = await this.#join(shared)
    const isKnown = there !== null && memoryText(all) === memoryText(there)
    return isKnown || all.length === 0 ? new Map() : new Map([[path, memoryText(all)]])
  }

  async #join(shared: Shared) {
    const there = await this.#read(shared)
    return { there, all: await this.#options.memory.join(there ?? []) }
  }

  /** `null` for what is damaged. */
  async #read(shared: Shared): Promise<readonly KnownFix[] | null> {
    if (!shared.paths.includes(path)) return []
    const { clock, notice } = this.#options
    const fixes = readMemory((await shared.read([path])).get(path) ?? '')
    if (fixes !== null) return keepFresh(fixes.filter(isPlain), clock.now())
    if (!this.#isSaid) notice(`${path} in the repository cannot be read, and is begun anew.`)
    this.#isSaid = true
    return null
  }
}

/** Nothing that a reader would not see, and no second line. */
const isPlain = ({ signature, fix }: KnownFix): boolean => !/\p{C}/u.test(signature + fix)
