import type { Folder } from '../../packages/change/change.ts'
import { readFolder } from '../../packages/files/files.ts'
import { keptRefOf } from '../core/domain/branches.ts'
import { ExecutorError } from '../core/domain/errors.ts'
import type { Clock } from '../core/ports/clock.ts'
import { type EffectLog, unrecorded } from '../core/ports/effect-log.ts'
import type { RepositoryView, Workspace } from '../core/ports/workspace.ts'
import { explainDisk, explainingDisk } from './explain-disk.ts'
import {
  type Clone,
  copyShallow,
  fetchMissing,
  inspectSource,
  isUrl,
  openClone,
  type SourceRepository,
} from './git-workspace/clone.ts'
import { type CommitAuthor, commit, type Identity } from './git-workspace/commits.ts'
import { compare } from './git-workspace/compare.ts'
import { checkOut, diff, discard, write } from './git-workspace/folders.ts'
import { createGrep, lookUpIn } from './git-workspace/grep.ts'
import { localUpstream } from './git-workspace/local-upstream.ts'
import { merge, revert } from './git-workspace/merge.ts'
import { networkUpstream } from './git-workspace/network-upstream.ts'
import { keep, park, publish, readParked } from './git-workspace/publish.ts'
import {
  ancestor,
  changedBetween,
  contains,
  createTreeReader,
  mergeBase,
  patch,
  readTexts,
} from './git-workspace/trees.ts'
import type { Upstream } from './git-workspace/upstream.ts'
import { readCommits } from './git-workspace/view.ts'
import type { IndexPlace } from './sqlite-index.ts'

export interface GitWorkspaceOptions {
  /** The user's repository, whose objects are shared: a path, or a URL without a local one. */
  readonly source: string
  /** Its inspection, if already known. */
  readonly inspected?: SourceRepository | undefined
  /** The repository to read refs from and push to: the same path, or an `https` URL. */
  readonly remote: string
  readonly token: (() => Promise<string> | string) | null
  /** A branch name; `null` is the remote's default branch, or the local checked-out branch. */
  readonly base: string | null
  /** A private directory: `repo.git`, `folders`, `indexes`. For one run at a time. */
  readonly home: string
  /** Another private directory, for `folders`. */
  readonly work?: string | undefined
  readonly identity: Identity
  readonly clock: Clock
  /** Where an index of the code is kept; without it there is none. */
  readonly index?: IndexPlace | undefined
  /** Records the moves of refs; optional. */
  readonly effects?: EffectLog
}

/** @throws ExecutorError `not_a_repository`, `git_missing`, `git_failed` */
export const createGitWorkspace = async (options: GitWorkspaceOptions): Promise<Workspace> =>
  explainingDisk(await explainDisk(() => workOn(options)), ['folder'])

async function workOn(options: GitWorkspaceOptions): Promise<Workspace> {
  const { clone, upstream, source } = await open(options)
  const means = { log: options.effects ?? unrecorded, clock: options.clock }
  const tree = createTreeReader(clone, async (sha) => {
    if (source !== null) await fetchMissing(clone, source, sha)
  })
  const grep = createGrep(clone)
  const folders = new Map<string, Folder>()
  const author = (): CommitAuthor => ({ ...options.identity, now: options.clock.now() })
  let view: RepositoryView | null = null
  const refresh = async (): Promise<RepositoryView> => {
    view = await upstream.view()
    return view
  }
  return {
    ...(options.index && { lookUp: lookUpIn(options.index, clone, tree) }),
    refresh,
    view: async () => view ?? refresh(),
    async listFiles(sha) {
      const files = [...(await tree(sha)).values()]
      return files.map(({ path, mode, size }) => ({ path, mode, size }))
    },
    readFiles: async (sha, paths) => readTexts(clone, await tree(sha), paths),
    contains: (sha, ancestor) => contains(clone, sha, ancestor),
    async checkOut(name, sha) {
      folders.delete(name)
      const folder = await checkOut(clone, name, sha)
      folders.set(name, folder)
      return folder
    },
    folder: (name) => folders.get(name) ?? null,
    readFolder: (folder, paths) => readFolder(folder.path, paths),
    write: async (folder, changes) => write(clone, await tree(folder.sha), folder, changes),
    diff: (folder) => diff(clone, folder),
    patch: (from, to) => patch(clone, from, to),
    changedBetween: (from, to) => changedBetween(clone, from, to),
    grep: async (sha, changes, query) => grep({ sha, tree: await tree(sha), changes }, query),
    async commit(request) {
      const files = await tree(request.parents[0] ?? '')
      return commit(clone, files, request, author())
    },
    async publish(branch, sha, expected) {
      const known = view ? [view.base.sha] : []
      return publish(clone, upstream, { branch, sha, expected }, known, means)
    },
    async discard(name) {
      const path = folders.get(name)?.path
      folders.delete(name)
      await discard(clone, name, path)
    },
    fetch: ({ pullRequests }) => upstream.heads(pullRequests),
    ancestor: (sha, steps) => ancestor(clone, sha, steps),
    mergeBase: (a, b) => mergeBase(clone, a, b),
    merge: (request) => merge(clone, request, author()),
    history: (sha, request) => readCommits(clone, sha, request),
    revert: (request) => revert(clone, request, author()),
    park: (name, text) => park(clone, upstream, name, text, author(), means),
    parked: () => readParked(clone, upstream),
    keep: (task, sha, how) => keep(upstream, keptRefOf(task, sha), sha, how !== 'forget', means),
    compare: (sides) => compare(clone, sides),
  }
}

async function open(options: GitWorkspaceOptions): Promise<{
  readonly clone: Clone
  readonly upstream: Upstream
  readonly source: SourceRepository | null
}> {
  const { remote: url, token, base } = options
  const source = isUrl(options.source)
    ? null
    : (options.inspected ?? (await inspectSource(options.source)))
  const clone = await openClone(options.home, source, options.work)
  if (source) await copyShallow(clone, source)
  if (isUrl(url)) return { clone, source, upstream: networkUpstream(clone, { url, token }, base) }
  const target = url === options.source && source ? source : await inspectSource(url)
  if (source?.commonDir !== target.commonDir) {
    throw new ExecutorError('bad_usage', 'A local remote must be the source repository itself.')
  }
  return { clone, source, upstream: localUpstream(clone, target, base) }
}
