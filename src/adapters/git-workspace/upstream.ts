/** The source and target of branches: the user's own repository, or one over the network. */
import { ExecutorError } from '../../core/domain/errors.ts'
import type { EffectKind } from '../../core/domain/journal-event.ts'
import { type EffectMeans, performEffect, UncertainEffect } from '../../core/perform-effect.ts'
import type { PublishResult, RepositoryView } from '../../core/ports/workspace.ts'

export interface Upstream {
  readonly refs: RefHost
  /** Reads the base and our branches. */
  view(): Promise<RepositoryView>
  /** Fetches the heads of existing pull requests into the clone. */
  heads(pullRequests: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Fetches the refs with this prefix into the clone, and returns them by name. */
  tips(prefix: string): Promise<ReadonlyMap<string, string>>
  /** Predicts the result of moving a branch: an obstacle, `published` if done, otherwise `null`. */
  foresee(publication: Publication): Promise<PublishResult | null>
  /** Copies a commit and its missing objects; `known` are commits that the target has. */
  send(sha: string, known: readonly string[]): Promise<void>
}

export interface Publication {
  readonly branch: string
  readonly sha: string
  /** `null` if the branch must not exist yet. */
  readonly expected: string | null
}

/** A forge keeps this ref after the branch is deleted. */
export const pullRef = (pullRequest: number): string => `refs/pull/${pullRequest}/head`

/** The heads of existing pull requests, by number. */
export const headsIn = (
  refs: ReadonlyMap<string, string>,
  wanted: readonly number[],
): ReadonlyMap<number, string> =>
  new Map(
    wanted.flatMap((number) => {
      const sha = refs.get(pullRef(number))
      return sha === undefined ? [] : [[number, sha] as const]
    }),
  )

/** The target and the expected commit of a ref; `null` means that it does not exist. */
export interface RefMove {
  readonly kind: EffectKind
  readonly ref: string
  readonly sha: string | null
  readonly expected: string | null
}

export interface RefHost {
  tip(ref: string): Promise<string | null>
  /** Compare-and-swap. */
  swap(move: RefMove): Promise<PublishResult>
}

export type RefMeans = Pick<EffectMeans, 'log' | 'clock'>

export class NotMoved extends Error {
  readonly result: PublishResult
  readonly verdict: 'refused' | 'in_doubt'

  /** @param isKnown false if the result is unknown */
  constructor(result: PublishResult, isKnown = true) {
    super(result.status === 'refused' ? result.detail : 'another push moved it')
    this.name = 'NotMoved'
    this.result = result
    const passes = result.status === 'refused' && result.code === 'forge_unreachable'
    this.verdict = passes || !isKnown ? 'in_doubt' : 'refused'
  }
}

const judge = (error: unknown) => {
  if (error instanceof NotMoved) return error.verdict
  return error instanceof ExecutorError ? 'refused' : null
}

/**
 * Moves a ref from its expected commit. After an unknown result it checks whether the move
 * succeeded or another one was faster, and otherwise tries again.
 */
export async function moveRef(
  host: RefHost,
  move: RefMove,
  means: RefMeans,
): Promise<PublishResult> {
  const { kind, ref, sha, expected } = move
  try {
    await performEffect<string | null, true>(
      {
        kind,
        key: ref,
        detail: `${nameOf(expected)} → ${nameOf(sha)}`,
        // git guarantees it: it compares before it swaps.
        snapshot: expected,
        read: () => host.tip(ref),
        alreadyApplied: (now) => (now === sha ? true : null),
        async apply(now) {
          if (now !== expected) throw new NotMoved({ status: 'moved', sha: now ?? '' })
          const result = await host.swap(move)
          if (result.status !== 'published') throw new NotMoved(result)
          return true
        },
        readDelays: [0],
      },
      { ...means, judge },
    )
    return { status: 'published' }
  } catch (error) {
    if (error instanceof NotMoved) return error.result
    if (!(error instanceof UncertainEffect)) throw error
    return { status: 'refused', code: 'forge_unreachable', detail: error.message }
  }
}

const nameOf = (sha: string | null): string => sha?.slice(0, 7) ?? 'nothing'
