/**
 * The only way to write outside this machine. GitHub does not promise exactly-once delivery, so an effect records its
 * intent, reads whether the change is there already, and applies it; when no answer says whether that worked, it reads
 * again before it applies again. The clients of GitHub and git refuse to write outside an effect: they ask
 * `isPerforming`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { EffectKind } from './domain/journal-event.ts'
import type { Clock } from './ports/clock.ts'
import type { EffectLog } from './ports/effect-log.ts'

/** A write as a value. `Seen` is what a read finds, `T` what the write makes; neither is undefined. */
export interface Effect<Seen, T> {
  readonly kind: EffectKind
  /** Identifies it outside, the same in every run: `agent/T-1 → main`. */
  readonly key: string
  /** For a person who reads the journal. */
  readonly detail: string
  /** Reads the present content. */
  read(): Promise<Seen>
  /** Returns what the write would make if it is there already, else `null`. */
  alreadyApplied(snapshot: Seen): T | null
  /** Writes, given what the last read found. */
  apply(snapshot: Seen): Promise<T>
  /**
   * What a read found a moment ago, or a value for what the other side checks itself: it replaces the first read, and
   * where the change is there already, nothing is recorded.
   */
  readonly snapshot?: Seen
  /** Seconds before each read after a write in doubt; `untilListed` where a second write would make a second thing. */
  readonly readDelays: readonly number[]
}

/** GitHub's lists lag by up to half a minute; these reads, in seconds, span it. */
export const untilListed: readonly number[] = [1, 2, 4, 8, 16]

/** For what GitHub makes only once: one read, to spare a request that it would refuse. */
export const onceMore: readonly number[] = [1]

export interface EffectMeans {
  readonly log: EffectLog
  readonly clock: Pick<Clock, 'sleep'>
  readonly judge: Judge
}

/**
 * Classifies a failure: the other side refused; it did nothing, and may be asked again now; or the outcome is
 * unknown. `null` for an error that did not come from the other side: a bug.
 */
export type Judge = (error: unknown) => 'refused' | 'not_done' | 'in_doubt' | null

/** No read could show whether a write took effect; `cause` says why. */
export class UncertainEffect extends Error {
  constructor(key: string, failure: unknown, cause: unknown) {
    const what = `${key}: ${wordsOf(failure)}`
    super(`${what}. It is unknown whether it took effect; the next run checks.`, { cause })
    this.name = 'UncertainEffect'
  }
}

const performing = new AsyncLocalStorage<string>()

/** True inside `apply` of an effect, and in everything it calls. */
export const isPerforming = (): boolean => performing.getStore() !== undefined

/**
 * Returns what the write made, or what was there already.
 *
 * @throws UncertainEffect when no read could tell; otherwise the last error of the write
 */
export async function performEffect<Seen, T>(
  effect: Effect<Seen, T>,
  means: EffectMeans,
): Promise<T> {
  const { kind, key, detail, snapshot } = effect
  const already = snapshot === undefined ? null : effect.alreadyApplied(snapshot)
  if (already !== null) return already
  await means.log.intend(kind, key, detail)
  const end = await bringAbout(effect, means)
  const about = 'value' in end ? detail : wordsOf(end.error)
  await means.log.settle(kind, key, end.outcome, about)
  if ('value' in end) return end.value
  throw end.error
}

type End<T> =
  | { readonly outcome: 'done' | 'known'; readonly value: T }
  | { readonly outcome: 'refused' | 'uncertain'; readonly error: unknown }

const mostTries = 3

async function bringAbout<Seen, T>(effect: Effect<Seen, T>, means: EffectMeans): Promise<End<T>> {
  const first =
    effect.snapshot === undefined ? await attempt(effect.read) : { value: effect.snapshot }
  if ('error' in first) return { outcome: 'refused', error: first.error }
  let snapshot = first.value
  let failure: unknown = null
  for (let tries = 0; ; tries++) {
    const already = effect.alreadyApplied(snapshot)
    if (already !== null) return { outcome: tries === 0 ? 'known' : 'done', value: already }
    if (tries === mostTries) return { outcome: 'refused', error: failure }
    const from = snapshot
    const done = await performing.run(effect.key, () => attempt(() => effect.apply(from)))
    if ('value' in done) return { outcome: 'done', value: done.value }
    failure = done.error
    const verdict = means.judge(failure)
    if (verdict === 'refused') return { outcome: 'refused', error: failure }
    if (verdict === null) return { outcome: 'uncertain', error: failure }
    const again = await attempt(
      verdict === 'in_doubt' ? () => readAgain(effect, means) : effect.read,
    )
    if ('error' in again) return unreadable(effect.key, failure, again.error, verdict, means)
    snapshot = again.value
  }
}

/** Reads until it is there, or until every read has found that it is not. */
async function readAgain<Seen, T>(
  { read, alreadyApplied, readDelays }: Effect<Seen, T>,
  { clock }: EffectMeans,
): Promise<Seen> {
  const [first = 0, ...others] = readDelays
  await clock.sleep(first)
  let snapshot = await read()
  for (const seconds of others) {
    if (alreadyApplied(snapshot) !== null) break
    await clock.sleep(seconds)
    snapshot = await read()
  }
  return snapshot
}

function unreadable(
  key: string,
  failure: unknown,
  error: unknown,
  verdict: 'not_done' | 'in_doubt',
  { judge }: EffectMeans,
): End<never> {
  if (verdict === 'not_done') return { outcome: 'refused', error }
  const isBug = judge(error) === null
  return {
    outcome: 'uncertain',
    error: isBug ? error : new UncertainEffect(key, failure, error),
  }
}

const attempt = <T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly error: unknown }> =>
  Promise.resolve()
    .then(work)
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
