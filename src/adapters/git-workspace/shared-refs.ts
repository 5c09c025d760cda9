/**
 * State that runs share in the repository: `refs/executor/state` and `refs/executor/claim/*`, each
 * a commit without a parent. They are outside `refs/heads` and `refs/tags`, so no clone fetches
 * them and no workflow starts; each commit replaces the previous one, so no history grows.
 */
import { performEffect } from '../../core/perform-effect.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { unrecorded } from '../../core/ports/effect-log.ts'
import type { PublishResult } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { type CommitAuthor, importPassing, type NewCommit } from './commits.ts'
import { checkSha, gitText, runGit } from './git.ts'
import { fetchTips, type NetworkRemote, push, pushMoves, readTrouble } from './network-upstream.ts'
import { type TreeFiles, treeOf } from './trees.ts'

const stateRef = 'refs/executor/state'
const leasePrefix = 'refs/executor/claim/'
const leaseFile = 'claim.json'

/** The commits at the last read. */
export interface SharedTips {
  /** `null`: nothing is stored. */
  readonly state: string | null
  /** By name. */
  readonly leases: ReadonlyMap<string, string>
}

/** Paths with their new texts; `null` deletes a file. */
export type FileChanges = ReadonlyMap<string, string | null>

/** Fetches the refs and their commits into the clone. @throws ExecutorError `git_failed` */
export async function fetchShared(clone: Clone, remote: NetworkRemote): Promise<SharedTips> {
  const refs = await fetchTips(clone, remote, [stateRef, leasePrefix])
  const leases = [...refs].flatMap(([ref, sha]) => {
    const name = ref.slice(leasePrefix.length)
    return ref.startsWith(leasePrefix) && isLeaseName(name) ? [[name, sha] as const] : []
  })
  return { state: refs.get(stateRef) ?? null, leases: new Map(leases) }
}

/** The committer's time of the state, ISO 8601. */
export const timeOfState = async ({ gitDir }: Clone, sha: string): Promise<string> =>
  (await gitText(['log', '-1', '--format=%cI', checkSha(sha)], { gitDir })).trim()

/** Simulates a push of this commit; returns the reason why it would fail, or `null`. */
export async function tryPush(
  clone: Clone,
  remote: NetworkRemote,
  sha: string,
): Promise<string | null> {
  const run = await push(clone, remote, ['--force'], [`${checkSha(sha)}:${stateRef}`], true)
  return run.code === 0 ? null : readTrouble(run).detail
}

/** The record in a lease's commit; empty for anything else. */
export async function readLeaseRef({ gitDir }: Clone, sha: string): Promise<string> {
  const run = await runGit(['cat-file', 'blob', `${checkSha(sha)}:${leaseFile}`], { gitDir })
  return run.code === 0 && run.stdout.length < 10_000 ? run.text : ''
}

/** The new tips; `null` for a removed lease. */
export interface SharedCommits {
  /** `undefined`: unchanged. */
  readonly state: string | undefined
  readonly leases: ReadonlyMap<string, string | null>
}

/**
 * Creates the commits in one `git fast-import`: the state in `before` with these files changed, and
 * a record per lease. Unchanged files are neither sent nor read.
 */
export async function commitShared(
  clone: Clone,
  before: { readonly commit: string; readonly tree: TreeFiles } | null,
  files: FileChanges,
  leases: ReadonlyMap<string, string | null>,
  author: CommitAuthor,
): Promise<SharedCommits> {
  const made = [...leases].flatMap(([name, text]) => (text === null ? [] : [{ name, text }]))
  const commits: NewCommit[] = made.map(({ text }) => ({
    files: [{ path: leaseFile, text }],
    message: 'Claim\n',
  }))
  if (files.size > 0) {
    const changed = [...files].map(([path, text]) => ({ path, text }))
    commits.push({
      tree: before === null ? null : await treeOf(clone, before.commit),
      files: changed.filter(({ path, text }) => text !== null || before?.tree.has(path)),
      message: 'State\n',
    })
  }
  const shas = await importPassing(clone, commits, author)
  const byName = new Map(made.map(({ name }, index) => [name, shas[index] ?? '']))
  return {
    state: files.size > 0 ? shas.at(-1) : undefined,
    leases: new Map([...leases.keys()].map((name) => [name, byName.get(name) ?? null])),
  }
}

/** Checks a push with an unknown result. Writes no journal: the journal is part of the push. */
export function pushShared(
  clone: Clone,
  remote: NetworkRemote,
  before: SharedTips,
  commits: SharedCommits,
  clock: Pick<Clock, 'sleep'>,
): Promise<PublishResult> {
  const moves = [...commits.leases].map(([name, sha]) => {
    if (!isLeaseName(name)) throw new Error(`not a claim's name: ${name}`)
    return { ref: `${leasePrefix}${name}`, sha, expected: before.leases.get(name) ?? null }
  })
  const { state: sha } = commits
  const state = sha === undefined ? [] : [{ ref: stateRef, sha, expected: before.state }]
  return performEffect(
    {
      ...{ kind: 'state', key: stateRef, detail: '', snapshot: null, readDelays: [0] },
      read: async () => null,
      alreadyApplied: () => null,
      apply: () => pushMoves(clone, remote, [...moves, ...state]),
    },
    { log: unrecorded, clock, judge: () => null },
  )
}

const isLeaseName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) && !/\.\.|\.$|\.lock$/i.test(name)
