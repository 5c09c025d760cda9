/** A ref's move from one commit to another as an effect, in the user's repository or over the network. */
import { ExecutorError } from '../../core/domain/errors.ts'
import type { EffectKind } from '../../core/domain/journal-event.ts'
import { type EffectMeans, performEffect, UncertainEffect } from '../../core/perform-effect.ts'
import type { PublishResult } from '../../core/ports/workspace.ts'

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
  /** Compare-and-swap; answers what went wrong, if anything. */
  swap(move: RefMove): Promise<Exclude<PublishResult, { readonly status: 'published' }> | null>
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
          const failed = await host.swap(move)
          if (failed !== null) throw new NotMoved(failed)
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
