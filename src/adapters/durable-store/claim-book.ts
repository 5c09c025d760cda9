/** The claims of this process, and what of them is to be pushed. */
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
import { joinRecords, splitRecords } from './line-log.ts'
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

export interface ClaimBook {
  readonly names: readonly string[]
  has(name: string): boolean
  /** Whether one of them is to be renewed. */
  isDue(): boolean
  /** What was finished until now is no news. */
  noticed(shared: Shared): Promise<void>
  /** `null`: it is free, and `changes` asks for it from now on. */
  want(name: string, shared: Shared): Promise<string | null>
  release(name: string, isDone: boolean): void
  /** Whoever is over and made claims that nobody has wanted since: `changes` takes them away. Looks once. */
  sweep(shared: Shared): Promise<void>
  /** Takes away somebody's claim; answers who, when they live. */
  drop(name: string, shared: Shared): Promise<string | null>
  /** `published` is to be told of the commits when all of it is there. */
  changes(
    shared: Shared,
    run: string | null,
  ): Promise<{
    readonly files: ReadonlyMap<string, string>
    readonly claims: ReadonlyMap<string, string | null>
    readonly published: (commits: ReadonlyMap<string, string | null>) => void
  }>
  /** What was wanted and not pushed is not wanted any more. */
  forget(name: string): void
}

export function openClaimBook(options: {
  readonly holder: Holder
  readonly session: string
  readonly clock: { now(): string; monotonic(): number }
  readonly ask: (workflowRun: string) => Promise<Liveness>
}): ClaimBook {
  const { holder, session, clock, ask } = options
  const own = new Map<string, Own>()
  const wanted = new Set<string>()
  const leaving = new Map<string, { readonly isDone: boolean }>()
  /** Claims of others that are to go away, and their commits. */
  const stale = new Map<string, string>()
  let known: ReadonlySet<string> = new Set()
  let turns = 0
  let isSwept = false

  const settledIn = async (shared: Shared): Promise<readonly string[]> =>
    shared.paths.includes(settledPath)
      ? splitRecords((await shared.read([settledPath])).get(settledPath) ?? '')
      : []

  const isOld = ({ at }: Own): boolean => clock.monotonic() - at > renewalSeconds

  const isOurs = (shared: Shared, name: string): boolean =>
    own.has(name) && shared.tips.claims.get(name) === own.get(name)?.sha

  async function want(name: string, shared: Shared): Promise<string | null> {
    leaving.delete(name)
    if (isOurs(shared, name)) return null
    const record = await recordOf(shared, name)
    if (record !== null && record.session !== session) {
      if (await isHeld(record, holder, clock.now(), ask)) return describeHolder(record)
    }
    const news = (await settledIn(shared)).filter((line) => !known.has(line))
    if (news.some((line) => readSettled(line, session) === name)) {
      return 'another run has just done it'
    }
    wanted.add(name)
    return null
  }

  async function recordOf(shared: Shared, name: string): Promise<ClaimRecord | null> {
    const text = await shared.claim(name)
    return text === null ? null : readClaimRecord(text)
  }

  async function sweep(shared: Shared): Promise<void> {
    if (isSwept) return
    isSwept = true
    const asked = new Map<string, Liveness>()
    const askOnce = async (run: string): Promise<Liveness> => {
      const answer = asked.get(run) ?? (asked.size < mostAsked ? await ask(run) : 'unknown')
      asked.set(run, answer)
      return answer
    }
    const others = [...shared.tips.claims].filter(([name]) => !own.has(name) && !wanted.has(name))
    for (const [name, sha] of others.slice(0, mostLooked)) {
      const record = await recordOf(shared, name)
      if (record === null || record.session === session) continue
      if (await isOver(record, holder, clock.now(), askOnce)) stale.set(name, sha)
    }
  }

  async function drop(name: string, shared: Shared): Promise<string | null> {
    const sha = shared.tips.claims.get(name)
    if (sha === undefined || own.has(name)) return null
    const record = await recordOf(shared, name)
    const isAlive = record !== null && (await isHeld(record, holder, clock.now(), ask))
    if (!isAlive) stale.set(name, sha)
    return isAlive ? describeHolder(record) : null
  }

  async function changes(shared: Shared, run: string | null) {
    const files = new Map<string, string>()
    const claims = new Map<string, string | null>()
    const text = writeClaim({ run, holder, session }, clock.now())
    for (const [name, sha] of stale) {
      // Only as it was seen: whoever renewed it lives.
      if (shared.tips.claims.get(name) === sha) claims.set(name, null)
      else stale.delete(name)
    }
    for (const name of wanted) claims.set(name, text)
    // With every claim the state moves on: who has not seen it has not seen what was settled either.
    if (wanted.size > 0) files.set(latestPath, `${JSON.stringify([session, turns++, ...wanted])}\n`)
    for (const [name, one] of own) {
      // Somebody thought this run dead and has it now.
      if (!isOurs(shared, name)) own.delete(name)
      else if (leaving.has(name)) claims.set(name, null)
      else if (isOld(one)) claims.set(name, text)
    }
    const done = [...leaving].filter(([, { isDone }]) => isDone)
    if (done.length > 0) {
      const before = await settledIn(shared)
      const lines = done.map(([name]) => JSON.stringify({ name, session, at: clock.now() }))
      files.set(settledPath, joinRecords([...before, ...lines].slice(-settledLines)))
    }
    const gone = [...leaving.keys()]
    const published = (commits: ReadonlyMap<string, string | null>): void => {
      for (const [name, sha] of commits) {
        wanted.delete(name)
        stale.delete(name)
        if (sha === null) own.delete(name)
        else own.set(name, { sha, at: clock.monotonic() })
      }
      for (const name of gone) leaving.delete(name)
    }
    return { files, claims, published }
  }

  return {
    get names() {
      return [...own.keys()]
    },
    has: (name) => own.has(name),
    isDue: () => [...own.values()].some(isOld),
    async noticed(shared) {
      known = new Set(await settledIn(shared))
    },
    want,
    release(name, isDone) {
      wanted.delete(name)
      const wasDone = leaving.get(name)?.isDone ?? false
      if (own.has(name)) leaving.set(name, { isDone: isDone || wasDone })
    },
    sweep,
    drop,
    changes,
    forget: (name) => wanted.delete(name),
  }
}

/** The name in a line of somebody else's. */
function readSettled(line: string, session: string): string | null {
  const read: object = Object(parseJson(line))
  const name: unknown = Reflect.get(read, 'name')
  return Reflect.get(read, 'session') === session || typeof name !== 'string' ? null : name
}
