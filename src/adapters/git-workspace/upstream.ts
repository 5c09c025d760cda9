/** Where branches come from and go to, the user's own repository or one over the network, and how a ref moves there. */
import { ExecutorError } from '../../core/domain/errors.ts'
import type { EffectKind } from '../../core/domain/journal-event.ts'
import { type EffectMeans, performEffect, UncertainEffect } from '../../core/perform-effect.ts'
import type { PublishResult, RepositoryView } from '../../core/ports/workspace.ts'

export interface Upstream {
  readonly refs: RefHost
  /** Base and our branches, read anew. */
  view(): Promise<RepositoryView>
  /** Of the pull requests that there are; their commits can then be read in the clone. */
  heads(pullRequests: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Refs under this prefix, read anew, by name; their commits can then be read in the clone. */
  tips(prefix: string): Promise<ReadonlyMap<string, string>>
  /** What is against a branch's move, seen before it is tried; `published` where it took place already. */
  foresee(publication: Publication): Promise<PublishResult | null>
  /** Copies a commit there, and what it needs; `known` are commits that surely are there. */
  send(sha: string, known: readonly string[]): Promise<void>
}

export interface Publication {
  readonly branch: string
  readonly sha: string
  /** `null` when the branch must not be there yet. */
  readonly expected: string | null
}

/** A forge keeps them when their branches are gone. */
export const pullRef = (pullRequest: number): string => `refs/pull/${pullRequest}/head`

/** Heads by number, of those refs that are there. */
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

/** Where a ref is to go, and where it is now; `null` is nowhere. */
export interface RefMove {
  readonly kind: EffectKind
  readonly ref: string
  readonly sha: string | null
  readonly expected: string | null
}

/** Where refs are. */
export interface RefHost {
  tip(ref: string): Promise<string | null>
  /** Compare-and-swap. */
  swap(move: RefMove): Promise<PublishResult>
}

export type RefMeans = Pick<EffectMeans, 'log' | 'clock'>

export class NotMoved extends Error {
  readonly result: PublishResult
  readonly verdict: 'refused' | 'in_doubt'

  /** @param isKnown false where nothing says what became of it */
  constructor(result: PublishResult, isKnown = true) {
    super(result.status === 'refused' ? result.detail : 'somebody else moved it')
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
 * Moves a ref that is where it is expected, and no other. A move that ended in doubt is looked up: it
 * took place, somebody else was quicker, or it is tried again.
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
        // git makes sure of it: it compares before it swaps.
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
