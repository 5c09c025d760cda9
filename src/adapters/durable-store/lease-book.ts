import { parseJson } from '../../../packages/text/text.ts'
import {
  describeHolder,
  isHeld,
  isOver,
  type Lease,
  type Liveness,
  type LivenessSource,
  readLease,
  writeLease,
} from './lease.ts'
import { joinRecords, readLinesAt } from './shared-log.ts'
import type { Shared, Wanted } from './shared-state.ts'

/** Recently finished work, so that a run that started earlier does not repeat it. */
const settledPath = 'settled.jsonl'
const settledLines = 500
const latestPath = 'latest-claim.json'

/** Seconds after which a lease is renewed. */
const renewalSeconds = 300

/** Limits of a sweep: leases of other runs that it reads, and runs that it asks GitHub about. */
const mostLooked = 30
const mostAsked = 3

/** A lease that this process holds or wants, or another run's lease to remove. */
interface Entry {
  /** Its commit; `null` before the first push. */
  readonly sha: string | null
  /** Monotonic seconds of the last write; `Infinity` if this process has not written it. */
  readonly at: number
  readonly wish: 'keep' | 'take' | 'release' | 'settle' | 'remove'
}

const isOwn = ({ wish }: Entry): boolean => wish !== 'take' && wish !== 'remove'
const isLeaving = ({ wish }: Entry): boolean => wish === 'release' || wish === 'settle'

interface LeaseOptions extends LivenessSource {
  /** Identifies this process. */
  readonly session: string
  readonly clock: { now(): string; monotonic(): number }
}

/** The leases of this process and their pending changes. */
export class LeaseBook {
  readonly #options: LeaseOptions
  readonly #entries = new Map<string, Entry>()
  /** Lines of `settled.jsonl` already seen. */
  #known: ReadonlySet<string> = new Set()
  #turns = 0
  #isSwept = false

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  get names(): readonly string[] {
    return [...this.#entries].flatMap(([name, entry]) => (isOwn(entry) ? name : []))
  }

  has(name: string): boolean {
    const entry = this.#entries.get(name)
    return entry !== undefined && isOwn(entry)
  }

  /** Returns true if a lease is due for renewal. */
  isDue(): boolean {
    return [...this.#entries.values()].some((entry) => this.#isOld(entry))
  }

  /** Marks everything that is finished so far as seen. */
  async noticed(shared: Shared): Promise<void> {
    this.#known = new Set(await readLinesAt(shared, [settledPath]))
  }

  /**
   * Returns the lease's holder, or `null` if it is free, and requests it with the next `changes`.
   */
  async want(name: string, shared: Shared): Promise<string | null> {
    const own = this.#entries.get(name)
    if (own !== undefined && isOwn(own)) {
      this.#entries.set(name, { ...own, wish: 'keep' })
      if (shared.tips.leases.get(name) === own.sha) return null
    }
    const lease = await leaseOf(shared, name)
    if (lease !== null && lease.session !== this.#options.session && (await this.#isHeld(lease)))
      return describeHolder(lease)
    const settled = await readLinesAt(shared, [settledPath])
    const news = settled.filter((line) => !this.#known.has(line))
    if (news.some((line) => readSettled(line, this.#options.session) === name)) {
      return 'another run has just finished it'
    }
    this.#entries.set(name, { sha: null, at: Infinity, wish: 'take' })
    return null
  }

  /** Drops a request that was not pushed. */
  forget(name: string): void {
    if (this.#entries.get(name)?.wish === 'take') this.#entries.delete(name)
  }

  release(name: string, isDone: boolean): void {
    this.forget(name)
    const entry = this.#entries.get(name)
    if (entry === undefined || !isOwn(entry)) return
    const wish = isDone || entry.wish === 'settle' ? 'settle' : 'release'
    this.#entries.set(name, { ...entry, wish })
  }

  /** Marks leases of dead runs, which `changes` then removes; works only the first time. */
  async sweep(shared: Shared): Promise<void> {
    if (this.#isSwept) return
    this.#isSwept = true
    const asked = new Map<string, Liveness>()
    const source: LivenessSource = {
      ...this.#options,
      ask: async (run) => {
        const isEnough = asked.size >= mostAsked
        const answer = asked.get(run) ?? (isEnough ? 'unknown' : await this.#options.ask(run))
        asked.set(run, answer)
        return answer
      },
    }
    const others = [...shared.tips.leases].filter(([name]) => !this.#entries.has(name))
    for (const [name, sha] of others.slice(0, mostLooked)) {
      const lease = await leaseOf(shared, name)
      if (lease === null || lease.session === this.#options.session) continue
      if (await isOver(lease, source)) this.#remove(name, sha)
    }
  }

  /** Marks a lease of another run for removal; returns its holder if that run is still alive. */
  async drop(name: string, shared: Shared): Promise<string | null> {
    const sha = shared.tips.leases.get(name)
    if (sha === undefined || this.has(name)) return null
    const lease = await leaseOf(shared, name)
    if (lease !== null && (await this.#isHeld(lease))) return describeHolder(lease)
    this.#remove(name, sha)
    return null
  }

  async changes(shared: Shared, run: string | null): Promise<Wanted> {
    const { holder, session, clock } = this.#options
    const text = writeLease({ run, holder, session }, clock.now())
    const leases = new Map<string, string | null>()
    for (const [name, entry] of this.#entries) {
      if (entry.wish === 'take') leases.set(name, text)
      else if (shared.tips.leases.get(name) !== entry.sha) {
        // Its holder has renewed it and is alive; or another run considered this one dead and has
        // it now.
        if (entry.wish !== 'settle') this.#entries.delete(name)
      } else if (entry.wish !== 'keep') leases.set(name, null)
      else if (this.#isOld(entry)) leases.set(name, text)
    }
    const gone = [...this.#entries].filter(([, entry]) => isLeaving(entry))
    // Takes the names first: a request that arrives while the files are read waits for the next
    // push.
    const files = await this.#files(shared)
    return {
      files,
      leases,
      published: (commits) => {
        for (const [name] of gone) this.#entries.delete(name)
        for (const [name, sha] of commits) this.#published(name, sha)
      },
    }
  }

  async #files(shared: Shared): Promise<ReadonlyMap<string, string>> {
    const { session, clock } = this.#options
    const files = new Map<string, string>()
    const withWish = (wish: Entry['wish']) =>
      [...this.#entries].flatMap(([name, entry]) => (entry.wish === wish ? name : []))
    const wanted = withWish('take')
    // Every lease changes the state: a run that has not seen it has not seen the settled work
    // either.
    if (wanted.length > 0) {
      files.set(latestPath, `${JSON.stringify([session, this.#turns++, ...wanted])}\n`)
    }
    const done = withWish('settle')
    if (done.length > 0) {
      const before = await readLinesAt(shared, [settledPath])
      const lines = done.map((name) => JSON.stringify({ name, session, at: clock.now() }))
      files.set(settledPath, joinRecords([...before, ...lines].slice(-settledLines)))
    }
    return files
  }

  #published(name: string, sha: string | null): void {
    const entry = this.#entries.get(name)
    // It may have been released during the push.
    const wish = entry !== undefined && isLeaving(entry) ? entry.wish : 'keep'
    if (sha === null) this.#entries.delete(name)
    else this.#entries.set(name, { sha, at: this.#options.clock.monotonic(), wish })
  }

  #remove(name: string, sha: string): void {
    this.#entries.set(name, { sha, at: Infinity, wish: 'remove' })
  }

  #isOld({ at }: Entry): boolean {
    return this.#options.clock.monotonic() - at > renewalSeconds
  }

  #isHeld(lease: Lease): Promise<boolean> {
    return isHeld(lease, this.#options)
  }
}

async function leaseOf(shared: Shared, name: string): Promise<Lease | null> {
  const text = await shared.lease(name)
  return text === null ? null : readLease(text)
}

/** The name in a line that another process wrote. */
function readSettled(line: string, session: string): string | null {
  const read: object = Object(parseJson(line))
  const name: unknown = Reflect.get(read, 'name')
  return Reflect.get(read, 'session') === session || typeof name !== 'string' ? null : name
}
