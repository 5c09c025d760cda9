/**
 * Fixes that worked, in `memory.json` of the shared state, passed from runner to runner. Merges
 * them with this disk's fixes, in any order. Other people can write there: it starts over if the
 * file is not a memory file, and drops a fix that is not one plain line.
 */
import { keepFresh } from '../../core/learn-fix.ts'
import type { KnownFix } from '../../core/ports/memory.ts'
import { type FileMemory, memoryText, readMemory } from '../file-store/memory-file.ts'
import type { Shared } from './shared-state.ts'

const path = 'memory.json'

interface MemoryOptions {
  /** The fixes that this disk remembers. */
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

  /** Takes over the repository's fixes. */
  async noticed(shared: Shared): Promise<void> {
    await this.#join(shared)
  }

  /** Returns the file if this disk has fixes that the repository lacks. */
  async changes(shared: Shared): Promise<ReadonlyMap<string, string>> {
    const { there, all } = await this.#join(shared)
    const isKnown = there !== null && memoryText(all) === memoryText(there)
    return isKnown || all.length === 0 ? new Map() : new Map([[path, memoryText(all)]])
  }

  async #join(shared: Shared) {
    const there = await this.#read(shared)
    return { there, all: await this.#options.memory.join(there ?? []) }
  }

  /** Returns `null` for a damaged file. */
  async #read(shared: Shared): Promise<readonly KnownFix[] | null> {
    if (!shared.paths.includes(path)) return []
    const { clock, notice } = this.#options
    const fixes = readMemory((await shared.read([path])).get(path) ?? '')
    if (fixes !== null) return keepFresh(fixes.filter(isPlain), clock.now())
    if (!this.#isSaid) notice(`${path} in the repository is unreadable and starts over.`)
    this.#isSaid = true
    return null
  }
}

/** True without invisible characters or a second line. */
const isPlain = ({ signature, fix }: KnownFix): boolean => !/\p{C}/u.test(signature + fix)
