/** Where branches come from and go to: the user's own repository, or one over the network. */
import type { PublishResult, RepositoryView } from '../../core/ports/workspace.ts'
import type { RefHost } from './move-ref.ts'

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
