/** A ref's move from one commit to another as an effect, in the user's repository or over the network. */
import { join } from 'node:path'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { EffectKind } from '../../core/domain/journal-event.ts'
import { type EffectMeans, performEffect, UncertainEffect } from '../../core/perform-effect.ts'
import type { PublishResult } from '../../core/ports/workspace.ts'
import { type Clone, removeStaleLock, type SourceRepository } from './clone.ts'
import { gitFailed, gitText, runGit } from './git.ts'
import { type NetworkRemote, readTrouble, withToken } from './network.ts'

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
  swap(move: RefMove): Promise<Failed | null>
}

type Failed = Exclude<PublishResult, { readonly status: 'published' }>

export type RefMeans = Pick<EffectMeans, 'log' | 'clock'>

class NotMoved extends Error {
  readonly result: PublishResult
  readonly verdict: 'refused' | 'in_doubt'

  constructor(result: PublishResult, verdict: 'refused' | 'in_doubt') {
    super(result.status === 'refused' ? result.detail : 'somebody else moved it')
    this.name = 'NotMoved'
    this.result = result
    this.verdict = verdict
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
          if (now !== expected) throw new NotMoved({ status: 'moved', sha: now ?? '' }, 'refused')
          const failed = await host.swap(move)
          if (failed !== null)
            throw new NotMoved(failed, isPassing(failed) ? 'in_doubt' : 'refused')
          return true
        },
        readDelays: [0],
      },
      { ...means, judge },
    )
    return { status: 'published' }
  } catch (error) {
    if (error instanceof NotMoved) return error.result
    if (error instanceof UncertainEffect) {
      return { status: 'refused', code: 'forge_unreachable', detail: error.message }
    }
    throw error
  }
}

const isPassing = (failed: Failed): boolean =>
  failed.status === 'refused' && failed.code === 'forge_unreachable'

const nameOf = (sha: string | null): string => sha?.slice(0, 7) ?? 'nothing'

/** Over the network: a push with a lease. The lease alone would let a branch go backwards. */
export function remoteRefs({ gitDir }: Clone, remote: NetworkRemote): RefHost {
  async function tip(ref: string): Promise<string | null> {
    const env = await withToken(remote)
    const look = await runGit(['ls-remote', '--', remote.url, ref], { gitDir, env })
    if (look.code !== 0) throw new NotMoved(readTrouble(look), 'in_doubt')
    return look.stdout.toString('utf8').split('\t')[0] || null
  }
  return {
    tip,
    async swap({ ref, sha, expected }) {
      const lease = `--force-with-lease=${ref}:${expected ?? ''}`
      const args = ['push', '--porcelain', '--no-verify', lease, '--', remote.url]
      const env = await withToken(remote)
      const run = await runGit([...args, `${sha ?? ''}:${ref}`], { gitDir, env })
      if (run.code === 0) return null
      // The other side did not like where the ref was: git had pushed already, or somebody else.
      const rejected = /^!\t.*rejected\]/m.test(run.stdout.toString('utf8'))
      const now = rejected ? await tip(ref) : expected
      if (now === sha) return null
      return now === expected ? readTrouble(run) : { status: 'moved', sha: now ?? '' }
    },
  }
}

/** What git says of a name that stands in the way of another one, for good. */
const cannotBe = /exists; cannot create|non-empty directory|bad name/

/** In the user's own repository. No push, because a push runs the hooks of the repository it goes to. */
export function localRefs({ commonDir: gitDir }: SourceRepository): RefHost {
  async function tip(ref: string): Promise<string | null> {
    const format = '--format=%(refname)%00%(objectname)%00'
    const output = await gitText(['for-each-ref', format, ref], { gitDir })
    const [name, sha] = output.split('\0')
    return name === ref ? (sha ?? null) : null
  }
  return {
    tip,
    async swap({ ref, sha, expected }) {
      const old = expected ?? '0'.repeat((sha ?? '').length)
      const target = sha === null ? ['-d', ref, old] : [ref, sha, old]
      await removeStaleLock(join(gitDir, `${ref}.lock`))
      const run = await runGit(['update-ref', '-m', 'executor: publish', ...target], { gitDir })
      if (run.code === 0) return null
      const now = await tip(ref)
      if (now === sha) return null
      if (now !== expected) return { status: 'moved', sha: now ?? '' }
      // A full disk, or a git of theirs, is no verdict on the work: the next run goes on here.
      if (!cannotBe.test(run.stderr)) throw gitFailed(['update-ref'], run)
      return { status: 'refused', code: 'forge_denied', detail: run.stderr }
    },
  }
}
