/** `refs/executor/state` and the leases beside it, as one place that is read and changed in turns. */
import { ExecutorError } from '../../core/domain/errors.ts'
import type { PublishResult } from '../../core/ports/workspace.ts'
import type { Clock, Random } from '../../core/ports.ts'
import { type Clone, inspectSource, isUrl, openClone } from '../git-workspace/clone.ts'
import {
  commitShared,
  type FileChanges,
  fetchShared,
  pushShared,
  readLeaseRef,
  type SharedCommits,
  type SharedTips,
} from '../git-workspace/shared-refs.ts'
import { createTreeReader, readTexts, type Tree } from '../git-workspace/trees.ts'
import type { GitWorkspaceOptions } from '../git-workspace.ts'
import { takingTurns } from '../in-turn.ts'

/** What was there when it was looked at last. */
export interface Shared {
  readonly tips: SharedTips
  readonly paths: readonly string[]
  /** Those that exist and are text. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Whose lease it is, in its own words; `null`: nobody's. */
  lease(name: string): Promise<string | null>
}

export interface Wanted {
  readonly files: FileChanges
  /** `null` lets a lease go. */
  readonly leases: ReadonlyMap<string, string | null>
  /** Told of the leases' commits once all of it is there. */
  readonly published: (leases: ReadonlyMap<string, string | null>) => void
}

export type Updated =
  | { readonly status: 'published' }
  /** Nothing was wanted. */
  | { readonly status: 'unchanged' }
  | Extract<PublishResult, { readonly status: 'refused' }>

/** After so many pushes that others were quicker with, the next boundary has to do. */
const mostTries = 8

/** The refs as git has them. */
export interface SharedRefs {
  /** Where they are now. @throws ExecutorError `git_failed` */
  fetch(): Promise<SharedTips>
  /** What is there; of commits that were fetched, or pushed from here. */
  show(tips: SharedTips): Promise<Shared>
  /** All of them or none, each from where it was seen. */
  push(before: SharedTips, wanted: Pick<Wanted, 'files' | 'leases'>): Promise<Pushed>
}

export type Pushed =
  | { readonly status: 'published'; readonly commits: SharedCommits }
  | Exclude<PublishResult, { readonly status: 'published' }>

/** By way of the clone in `home`, which the workspace uses, too. `remote` must be a URL. */
export async function openSharedState(
  options: Pick<GitWorkspaceOptions, 'source' | 'remote' | 'token' | 'home' | 'identity' | 'clock'>,
  random: Pick<Random, 'fraction'>,
): Promise<SharedState> {
  return new SharedState(await openRefs(options), options.clock, random)
}

async function openRefs({
  token,
  identity,
  clock,
  ...options
}: Parameters<typeof openSharedState>[0]): Promise<SharedRefs> {
  const source = isUrl(options.source) ? null : await inspectSource(options.source)
  const clone = await openClone(options.home, source)
  const remote = { url: options.remote, token }
  const author = () => ({ ...identity, now: clock.now() })
  const treeOf = createTreeReader(clone)
  const noTree: Tree = new Map()
  return {
    fetch: () => fetchShared(clone, remote),
    show: async (tips) =>
      showShared(clone, tips, tips.state === null ? noTree : await treeOf(tips.state)),
    async push(now, { files, leases }) {
      const before =
        now.state === null ? null : { commit: now.state, tree: await treeOf(now.state) }
      const commits = await commitShared(clone, before, files, leases, author())
      const pushed = await pushShared(clone, remote, now, commits, clock)
      return pushed.status === 'published' ? { ...pushed, commits } : pushed
    },
  }
}

/** What is in the clone of it; `tree` is that of the state. */
export const showShared = (clone: Clone, tips: SharedTips, tree: Tree): Shared => ({
  tips,
  paths: [...tree.keys()],
  read: (paths) => readTexts(clone, tree, paths),
  async lease(name) {
    const sha = tips.leases.get(name)
    return sha === undefined ? null : readLeaseRef(clone, sha)
  },
})

/** One look or update after the other, each from what was seen last. */
export class SharedState {
  readonly #refs: SharedRefs
  readonly #clock: Pick<Clock, 'sleep'>
  readonly #random: Pick<Random, 'fraction'>
  readonly #inTurn = takingTurns()
  #tips: SharedTips | null = null

  constructor(refs: SharedRefs, clock: Pick<Clock, 'sleep'>, random: Pick<Random, 'fraction'>) {
    this.#refs = refs
    this.#clock = clock
    this.#random = random
  }

  /** Reads it anew. @throws ExecutorError `git_failed` */
  look(): Promise<Shared> {
    return this.#inTurn(async () => this.#refs.show(await this.#fetch()))
  }

  /**
   * Pushes what `build` makes of what is there, all or nothing. When somebody else was quicker, it is
   * built again from what they left. What git has against it is no reason to stop a run.
   */
  update(build: (shared: Shared) => Promise<Wanted | null>): Promise<Updated> {
    return this.#inTurn(async () => {
      try {
        return await this.#update(build)
      } catch (error) {
        if (!(error instanceof ExecutorError)) throw error
        return { status: 'refused', code: 'forge_unreachable', detail: error.message }
      }
    })
  }

  async #fetch(): Promise<SharedTips> {
    this.#tips = await this.#refs.fetch()
    return this.#tips
  }

  async #update(build: (shared: Shared) => Promise<Wanted | null>): Promise<Updated> {
    for (let tries = 1; tries <= mostTries; tries++) {
      const now = this.#tips ?? (await this.#fetch())
      const wanted = await build(await this.#refs.show(now))
      if (wanted === null || wanted.files.size + wanted.leases.size === 0) {
        return { status: 'unchanged' }
      }
      const pushed = await this.#refs.push(now, wanted)
      if (pushed.status === 'refused') return pushed
      if (pushed.status === 'published') {
        this.#tips = after(now, pushed.commits)
        wanted.published(pushed.commits.leases)
        return { status: 'published' }
      }
      // Several that were turned away together should not come back together.
      if (tries > 1) await this.#clock.sleep(this.#random.fraction() * tries)
      await this.#fetch()
    }
    const detail = `other runs were quicker ${mostTries} times`
    return { status: 'refused', code: 'forge_unreachable', detail }
  }
}

function after(before: SharedTips, commits: SharedCommits): SharedTips {
  const leases = new Map(before.leases)
  for (const [name, sha] of commits.leases) {
    if (sha === null) leases.delete(name)
    else leases.set(name, sha)
  }
  return { state: commits.state ?? before.state, leases }
}
