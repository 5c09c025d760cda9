export interface Clock {
  /** Wall time, ISO 8601 in UTC. For people, never for measuring. */
  now(): string
  /** Seconds from an arbitrary start; never goes back. */
  monotonic(): number
  /** Rejects with the signal's reason when aborted. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>
  /** Calls `work` at this interval, in seconds, until the returned function is called. Does not keep the process alive. */
  every(seconds: number, work: () => void): () => void
}

export interface Random {
  /** Lower-case hex of this many characters. */
  hex(length: number): string
  /** In [0, 1). */
  fraction(): number
}
