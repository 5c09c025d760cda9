/**
 * The one way in which anything is written outside this machine. GitHub promises no exactly-once, so:
 * the intent is recorded, then a look tells whether it is there already, then it is done; and where no
 * answer says whether that took effect, a look decides before it is done again. Whoever writes without
 * this is stopped: the client of GitHub and git ask `isPerforming`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { EffectKind } from './domain/journal-event.ts'
import type { EffectLog } from './ports/effect-log.ts'
import type { Clock } from './ports.ts'

/** A write as a value. `Seen` is what a look finds there, `T` what the act makes; neither is undefined. */
export interface Effect<Seen, T> {
  readonly kind: EffectKind
  /** What identifies it outside, the same in every run: `agent/T-1 → main`. */
  readonly key: string
  /** For a person who reads the journal. */
  readonly detail: string
  /** What there is now. */
  look(): Promise<Seen>
  /** What the act would make, where that is there; else `null`. */
  known(seen: Seen): T | null
  /** Goes on from what was seen. */
  act(seen: Seen): Promise<T>
  /**
   * What was seen a moment ago, or stands for what the other side makes sure of itself: spares the
   * first look, and where it is so already, any word of it.
   */
  readonly seen?: Seen
  /** Seconds before each look after an act in doubt; `untilListed` for what could be made twice. */
  readonly looks: readonly number[]
}

/** A list may lag behind what was made by up to half a minute; these looks, in seconds, span it. */
export const untilListed: readonly number[] = [1, 2, 4, 8, 16]

/** For what can be made only once: one look, to spare a request that would be refused. */
export const onceMore: readonly number[] = [1]

export interface EffectMeans {
  readonly log: EffectLog
  readonly clock: Pick<Clock, 'sleep'>
  readonly judge: Judge
}

/**
 * What a failure says of what was asked: it was refused; it was not done, and may be asked for again
 * now; nobody knows. `null` for what is no answer of the other side: a bug.
 */
export type Judge = (error: unknown) => 'refused' | 'not_done' | 'in_doubt' | null

/** Whether it took effect could not be seen: `cause` is why. */
export class UncertainEffect extends Error {
  constructor(key: string, failure: unknown, cause: unknown) {
    const what = `${key}: ${wordsOf(failure)}`
    super(`${what}. Whether it took effect could not be seen; the next run looks again.`, { cause })
    this.name = 'UncertainEffect'
  }
}

const performing = new AsyncLocalStorage<string>()

/** True in the act of an effect, and in all that it calls. */
export const isPerforming = (): boolean => performing.getStore() !== undefined

/**
 * Answers what the act made, or what was there already.
 *
 * @throws UncertainEffect when no look could tell; else what the act failed with last
 */
export async function performEffect<Seen, T>(
  effect: Effect<Seen, T>,
  means: EffectMeans,
): Promise<T> {
  const { kind, key, detail, seen } = effect
  // It is so already, as was seen: nothing to be done, and nothing to be told.
  const known = seen === undefined ? null : effect.known(seen)
  if (known !== null) return known
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

const mostActs = 3

async function bringAbout<Seen, T>(effect: Effect<Seen, T>, means: EffectMeans): Promise<End<T>> {
  const first = effect.seen === undefined ? await attempt(effect.look) : { value: effect.seen }
  if ('error' in first) return { outcome: 'refused', error: first.error }
  let seen = first.value
  let failure: unknown = null
  for (let acts = 0; ; acts++) {
    const known = effect.known(seen)
    if (known !== null) return { outcome: acts === 0 ? 'known' : 'done', value: known }
    if (acts === mostActs) return { outcome: 'refused', error: failure }
    const from = seen
    const done = await performing.run(effect.key, () => attempt(() => effect.act(from)))
    if ('value' in done) return { outcome: 'done', value: done.value }
    failure = done.error
    const verdict = means.judge(failure)
    if (verdict === 'refused') return { outcome: 'refused', error: failure }
    if (verdict === null) return { outcome: 'uncertain', error: failure }
    const again = await attempt(verdict === 'in_doubt' ? () => lookFor(effect, means) : effect.look)
    if ('error' in again) return unseen(effect.key, failure, again.error, verdict, means)
    seen = again.value
  }
}

/** Looks until it is there, or every look has found that it is not. */
async function lookFor<Seen, T>(
  { look, known, looks }: Effect<Seen, T>,
  { clock }: EffectMeans,
): Promise<Seen> {
  const [first = 0, ...others] = looks
  await clock.sleep(first)
  let seen = await look()
  for (const seconds of others) {
    if (known(seen) !== null) break
    await clock.sleep(seconds)
    seen = await look()
  }
  return seen
}

function unseen(
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
