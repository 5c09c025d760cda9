/** Reads and changes `refs/executor/state` and the leases as one unit, one caller at a time. */

import { takingTurns } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Clock, Random } from '../../core/ports/clock.ts'
import type { PublishResult } from '../../core/ports/workspace.ts'
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
import { createTreeReader, readTexts, type TreeFiles } from '../git-workspace/trees.ts'
import type { GitWorkspaceOptions } from '../git-workspace.ts'

/** The content at the last read. */
export interface Shared {
  readonly tips: SharedTips
  readonly paths: readonly string[]
  /** Reads the files that exist and are text. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The text of a lease; `null` without one. */
  lease(name: string): Promise<string | null>
}

export interface Wanted {
  readonly files: FileChanges
  /** `null` releases a lease. */
  readonly leases: ReadonlyMap<string, string | null>
  /** Receives the leases' commits after the push. */
  readonly published: (leases: ReadonlyMap<string, string | null>) => void
}

export type Updated =
  | { readonly status: 'published' }
  /** There was nothing to change. */
  | { readonly status: 'unchanged' }
  | Extract<PublishResult, { readonly status: 'refused' }>

/** After this many lost races, the change waits for the next push. */
const mostTries = 8

/** The refs in git. */
export interface SharedRefs {
  /** Reads the current tips. @throws ExecutorError `git_failed` */
  fetch(): Promise<SharedTips>
  /** Shows the content at tips that were fetched or pushed from here. */
  show(tips: SharedTips): Promise<Shared>
  /** Pushes all changes or none, each from its expected commit. */
  push(before: SharedTips, wanted: Pick<Wanted, 'files' | 'leases'>): Promise<Pushed>
}

export type Pushed =
  | { readonly status: 'published'; readonly commits: SharedCommits }
  | Exclude<PublishResult, { readonly status: 'published' }>

/** Opens the shared state through the workspace's clone in `home`. `remote` must be a URL. */
export const openSharedState = async (
  options: Pick<GitWorkspaceOptions, 'source' | 'remote' | 'token' | 'home' | 'identity' | 'clock'>,
  random: Pick<Random, 'fraction'>,
): Promise<SharedState> => new SharedState(await openRefs(options), options.clock, random)

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
  const noTree: TreeFiles = new Map()
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

/** Shows the state from the clone; `tree` is the tree of the state. */
export const showShared = (clone: Clone, tips: SharedTips, tree: TreeFiles): Shared => ({
  tips,
  paths: [...tree.keys()],
  read: (paths) => readTexts(clone, tree, paths),
  async lease(name) {
    const sha = tips.leases.get(name)
    return sha === undefined ? null : readLeaseRef(clone, sha)
  },
})

/** Runs one read or update at a time, each based on the last state seen. */
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

  /** Reads the state again. @throws ExecutorError `git_failed` */
  look(): Promise<Shared> {
    return this.#inTurn(async () => this.#refs.show(await this.#fetch()))
  }

  /**
   * Pushes what `build` makes of the current state, all or nothing. If another run pushed first, it
   * builds again from that state. An error from git does not stop a run.
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
      // Runs that lost the same race should not retry at the same time.
      if (tries > 1) await this.#clock.sleep(this.#random.fraction() * tries)
      await this.#fetch()
    }
    const detail = `other runs pushed first ${mostTries} times`
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
