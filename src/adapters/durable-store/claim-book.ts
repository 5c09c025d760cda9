import { parseJson } from '../../core/parse-json.ts'
import {
  type ClaimRecord,
  describeHolder,
  type Holder,
  isHeld,
  isOver,
  type Liveness,
  readClaimRecord,
  writeClaim,
} from './claim-record.ts'
import { joinRecords, readLinesAt } from './line-log.ts'
import type { Shared } from './shared-state.ts'

/** Lines of what was finished lately, so that a run that began before does not begin it again. */
const settledPath = 'settled.jsonl'
const settledLines = 500
const latestPath = 'latest-claim.json'

/** Seconds after which a claim is written again. */
const renewalSeconds = 300

/** Claims of others that a sweep looks at, and runs that GitHub is asked about for it. */
const mostLooked = 30
const mostAsked = 3

interface Own {
  /** The commit of it. */
  readonly sha: string
  /** Monotonic seconds. */
  readonly at: number
}

type Commits = ReadonlyMap<string, string | null>

interface ClaimChanges {
  readonly files: ReadonlyMap<string, string>
  /** By name, what it says; `null` takes the claim away. */
  readonly claims: ReadonlyMap<string, string | null>
  /** Is told of the commits when all of it is there. */
  readonly published: (commits: Commits) => void
}

interface ClaimOptions {
  readonly holder: Holder
  /** Tells this process from every other. */
  readonly session: string
  readonly clock: { now(): string; monotonic(): number }
  readonly ask: (workflowRun: string) => Promise<Liveness>
}

/** The claims of this process, and what of them is to be pushed. */
export class ClaimBook {
  readonly #options: ClaimOptions
  readonly #own = new Map<string, Own>()
  readonly #wanted = new Set<string>()
  readonly #leaving = new Map<string, { readonly isDone: boolean }>()
  /** Claims of others that are to go away, and their commits. */
  readonly #stale = new Map<string, string>()
  #known: ReadonlySet<string> = new Set()
  #turns = 0
  #isSwept = false

  constructor(options: ClaimOptions) {
    this.#options = options
  }

  get names(): readonly string[] {
    return [...this.#own.keys()]
  }

  has(name: string): boolean {
    return this.#own.has(name)
  }

  /** Whether a claim is to be renewed. */
  isDue(): boolean {
    return [...this.#own.values()].some((one) => this.#isOld(one))
  }

  /** What was finished until now is no news. */
  async noticed(shared: Shared): Promise<void> {
    this.#known = new Set(await settledIn(shared))
  }

  /** `null`: it is free, and `changes` asks for it from now on; else who has it. */
  async want(name: string, shared: Shared): Promise<string | null> {
    this.#leaving.delete(name)
    if (this.#isOurs(shared, name)) return null
    const record = await recordOf(shared, name)
    if (record !== null && record.session !== this.#options.session && (await this.#isHeld(record)))
      return describeHolder(record)
    const news = (await settledIn(shared)).filter((line) => !this.#known.has(line))
    if (news.some((line) => readSettled(line, this.#options.session) === name)) {
      return 'another run has just done it'
    }
    this.#wanted.add(name)
    return null
  }

  /** Gives up what was wanted and not pushed. */
  forget(name: string): void {
    this.#wanted.delete(name)
  }

  release(name: string, isDone: boolean): void {
    this.#wanted.delete(name)
    const wasDone = this.#leaving.get(name)?.isDone ?? false
    if (this.#own.has(name)) this.#leaving.set(name, { isDone: isDone || wasDone })
  }

  /** Marks claims of dead runs, which `changes` then removes; works only the first time. */
  async sweep(shared: Shared): Promise<void> {
    if (this.#isSwept) return
    this.#isSwept = true
    const { holder, session, clock, ask } = this.#options
    const asked = new Map<string, Liveness>()
    const askOnce = async (run: string): Promise<Liveness> => {
      const answer = asked.get(run) ?? (asked.size < mostAsked ? await ask(run) : 'unknown')
      asked.set(run, answer)
      return answer
    }
    const others = [...shared.tips.claims].filter(
      ([name]) => !this.#own.has(name) && !this.#wanted.has(name),
    )
    for (const [name, sha] of others.slice(0, mostLooked)) {
      const record = await recordOf(shared, name)
      if (record === null || record.session === session) continue
      if (await isOver(record, holder, clock.now(), askOnce)) this.#stale.set(name, sha)
    }
  }

  /** Marks a claim of another run for removal; returns its holder if that run is still alive. */
  async drop(name: string, shared: Shared): Promise<string | null> {
    const sha = shared.tips.claims.get(name)
    if (sha === undefined || this.#own.has(name)) return null
    const record = await recordOf(shared, name)
    if (record !== null && (await this.#isHeld(record))) return describeHolder(record)
    this.#stale.set(name, sha)
    return null
  }

  async changes(shared: Shared, run: string | null): Promise<ClaimChanges> {
    const { holder, session, clock } = this.#options
    const text = writeClaim({ run, holder, session }, clock.now())
    const claims = new Map<string, string | null>()
    for (const [name, sha] of this.#stale) {
      // Only as it was seen: a run that has renewed it lives.
      if (shared.tips.claims.get(name) === sha) claims.set(name, null)
      else this.#stale.delete(name)
    }
    for (const name of this.#wanted) claims.set(name, text)
    for (const [name, one] of this.#own) {
      // Another run took this one for dead, and has the claim now.
      if (!this.#isOurs(shared, name)) this.#own.delete(name)
      else if (this.#leaving.has(name)) claims.set(name, null)
      else if (this.#isOld(one)) claims.set(name, text)
    }
    const gone = [...this.#leaving.keys()]
    return {
      files: await this.#files(shared),
      claims,
      published: (commits) => this.#published(commits, gone),
    }
  }

  async #files(shared: Shared): Promise<ReadonlyMap<string, string>> {
    const { session, clock } = this.#options
    const files = new Map<string, string>()
    // With every claim the state moves on: who has not seen it has not seen what was settled either.
    if (this.#wanted.size > 0) {
      files.set(latestPath, `${JSON.stringify([session, this.#turns++, ...this.#wanted])}\n`)
    }
    const done = [...this.#leaving].filter(([, { isDone }]) => isDone)
    if (done.length > 0) {
      const before = await settledIn(shared)
      const lines = done.map(([name]) => JSON.stringify({ name, session, at: clock.now() }))
      files.set(settledPath, joinRecords([...before, ...lines].slice(-settledLines)))
    }
    return files
  }

  #published(commits: Commits, gone: readonly string[]): void {
    for (const [name, sha] of commits) {
      this.#wanted.delete(name)
      this.#stale.delete(name)
      if (sha === null) this.#own.delete(name)
      else this.#own.set(name, { sha, at: this.#options.clock.monotonic() })
    }
    for (const name of gone) this.#leaving.delete(name)
  }

  #isOld({ at }: Own): boolean {
    return this.#options.clock.monotonic() - at > renewalSeconds
  }

  #isOurs(shared: Shared, name: string): boolean {
    return this.has(name) && shared.tips.claims.get(name) === this.#own.get(name)?.sha
  }

  #isHeld(record: ClaimRecord): Promise<boolean> {
    const { holder, clock, ask } = this.#options
    return isHeld(record, holder, clock.now(), ask)
  }
}

const settledIn = (shared: Shared) => readLinesAt(shared, [settledPath])

async function recordOf(shared: Shared, name: string): Promise<ClaimRecord | null> {
  const text = await shared.claim(name)
  return text === null ? null : readClaimRecord(text)
}

/** The name in a line of somebody else's. */
function readSettled(line: string, session: string): string | null {
  const read: object = Object(parseJson(line))
  const name: unknown = Reflect.get(read, 'name')
  return Reflect.get(read, 'session') === session || typeof name !== 'string' ? null : name
}
