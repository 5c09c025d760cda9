/**
 * What runners remember, in `memory.json` of the shared state, passed from runner to runner. Merges it with this disk's
 * memory, in any order. Other people can write there: it starts over if the file is not a memory file, and drops a fix
 * that is not one plain line.
 */
import { joinMemories, type MemoryContent } from '../../core/learn-fix.ts'
import { type FileMemory, memoryText, notPlain, readMemory } from '../file-store/memory-file.ts'
import type { Shared } from './shared-state.ts'

const path = 'memory.json'

interface MemoryOptions {
  /** What this disk remembers. */
  readonly memory: Pick<FileMemory, 'join'>
  readonly clock: { now(): string }
  readonly notice: (sentence: string) => void
}

const nothing: MemoryContent = { fixes: [], forgotten: [] }

export class SharedMemory {
  readonly #options: MemoryOptions
  #isSaid = false

  constructor(options: MemoryOptions) {
    this.#options = options
  }

  /** Takes over the repository's memory. */
  async noticed(shared: Shared): Promise<void> {
    await this.#join(shared)
  }

  /** Returns the file if this disk remembers what the repository lacks. */
  async changes(shared: Shared): Promise<ReadonlyMap<string, string>> {
    const { there, all } = await this.#join(shared)
    const isKnown = there !== null && memoryText(all) === memoryText(there)
    const isEmpty = all.fixes.length === 0 && all.forgotten.length === 0
    return isKnown || isEmpty ? new Map() : new Map([[path, memoryText(all)]])
  }

  async #join(shared: Shared) {
    const there = await this.#read(shared)
    return { there, all: await this.#options.memory.join(there ?? nothing) }
  }

  /** Returns `null` for a damaged file. */
  async #read(shared: Shared): Promise<MemoryContent | null> {
    if (!shared.paths.includes(path)) return nothing
    const { clock, notice } = this.#options
    const read = readMemory((await shared.read([path])).get(path) ?? '')
    const why =
      read === null ? 'it is unreadable and starts over' : read.ignored > 0 ? notPlain : null
    if (why !== null && !this.#isSaid) notice(`${path} in the repository: ${why}.`)
    this.#isSaid ||= why !== null
    return read && joinMemories(read, nothing, clock.now())
  }
}
