/** A repository over the network; fetched refs keep their names in the clone. */
import { ExecutorError } from '../../core/domain/errors.ts'
import type { PublishResult, RepositoryView } from '../../core/ports/workspace.ts'
import { type Clone, readShallow, rememberWhole } from './clone.ts'
import { type GitRun, gitFailed, gitText, readTips, runGit } from './git.ts'
import { describeObjects } from './trees.ts'
import {
  headsIn,
  NotMoved,
  pullRef,
  type RefHost,
  type RefMove,
  type Upstream,
} from './upstream.ts'
import { askedRefs, noBranch, readBranches, viewOf } from './view.ts'

/** A repository over HTTP. Every process gets a fresh token. */
export interface NetworkRemote {
  readonly url: string
  readonly token: (() => Promise<string> | string) | null
}

/** @param base a branch name; `null` is the default branch */
export function networkUpstream(
  clone: Clone,
  remote: NetworkRemote,
  base: string | null,
): Upstream {
  let branch = base
  return {
    refs: remoteRefs(clone, remote),
    async view() {
      branch ??= await defaultBranch(clone, remote)
      return readView(clone, remote, branch)
    },
    /** Lists the refs first, because fetching a missing one fails the whole fetch. */
    async heads(wanted) {
      if (wanted.length === 0) return new Map()
      const refs = await listRemote(clone, remote, wanted.map(pullRef))
      const heads = [...headsIn(refs, wanted)]
      const known = await describeObjects(
        clone.gitDir,
        heads.map(([, sha]) => sha),
      )
      const missing = heads.filter((_, index) => known[index]?.type !== 'commit')
      const refspecs = missing.map(([number]) => `+${pullRef(number)}:refs/executor/pull/${number}`)
      if (refspecs.length > 0) await fetchRefs(clone, remote, refspecs)
      return new Map(heads)
    },
    tips: (prefix) => fetchTips(clone, remote, [prefix]),
    foresee: async () => null,
    send: async () => {},
  }
}

/** Fetches the refs with these prefixes into the clone. @throws ExecutorError `git_failed` */
export async function fetchTips(
  clone: Clone,
  remote: NetworkRemote,
  beginnings: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // A pattern, because a missing name is an error.
  const refspecs = beginnings.map((start) => `+${start}*:${start}*`)
  await fetchRefs(clone, remote, refspecs, ['--prune'])
  return readTips(clone.gitDir, beginnings)
}

/** @throws ExecutorError `git_failed` */
async function fetchRefs(
  { gitDir }: Clone,
  remote: NetworkRemote,
  refspecs: readonly string[],
  options: readonly string[] = [],
): Promise<void> {
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', ...options]
  const env = await withToken(remote)
  const run = await runGit([...args, '--', remote.url, ...refspecs], { gitDir, env })
  if (run.code !== 0) throw gitFailed(args, run)
}

/** Returns the commits of those refs that exist. @throws ExecutorError `git_failed` */
async function listRemote(
  clone: Clone,
  remote: NetworkRemote,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const run = await askRemote(clone, remote, refs)
  if (run.code !== 0) throw gitFailed(['ls-remote'], run)
  return refsIn(run)
}

const askRemote = async (
  { gitDir }: Clone,
  remote: NetworkRemote,
  refs: readonly string[],
): Promise<GitRun> =>
  runGit(['ls-remote', '--', remote.url, ...refs], { gitDir, env: await withToken(remote) })

const refsIn = ({ text }: GitRun): ReadonlyMap<string, string> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [sha = '', ref] = line.split('\t')
      return ref === undefined ? [] : [[ref, sha] as const]
    }),
  )

/** Pushes without running hooks, or only simulates the push. */
export async function push(
  { gitDir }: Clone,
  remote: NetworkRemote,
  options: readonly string[],
  refspecs: readonly string[],
  isTrial = false,
): Promise<GitRun> {
  const tried = isTrial ? ['push', '--dry-run'] : ['push']
  const args = [...tried, '--porcelain', '--no-verify', ...options, '--', remote.url]
  return runGit([...args, ...refspecs], { gitDir, env: await withToken(remote) })
}

/**
 * Moves all of these refs or none, each with a lease on its expected commit, so that no branch
 * moves backwards. After a failure it checks whether the push succeeded or another one was faster.
 */
export async function pushMoves(
  clone: Clone,
  remote: NetworkRemote,
  moves: readonly Omit<RefMove, 'kind'>[],
): Promise<PublishResult> {
  const leases = moves.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ''}`)
  const refspecs = moves.map(({ ref, sha }) => `${sha ?? ''}:${ref}`)
  const together = moves.length > 1 ? ['--atomic'] : []
  const run = await push(clone, remote, [...together, ...leases], refspecs)
  if (run.code === 0) return { status: 'published' }
  const names = moves.map(({ ref }) => ref)
  const look = await askRemote(clone, remote, names)
  if (look.code !== 0) return readTrouble(run)
  const now = refsIn(look)
  const is = (ref: string, sha: string | null) => (now.get(ref) ?? null) === sha
  if (moves.every(({ ref, sha }) => is(ref, sha))) return { status: 'published' }
  const moved = moves.find(({ ref, expected }) => !is(ref, expected))
  return moved === undefined ? readTrouble(run) : { status: 'moved', sha: now.get(moved.ref) ?? '' }
}

async function readView(
  clone: Clone,
  remote: NetworkRemote,
  base: string,
): Promise<RepositoryView> {
  const baseRef = `refs/heads/${checkBranch(base)}`
  const refspecs = [baseRef, ...askedRefs.map((start) => `${start}*`)].map(
    (ref) => `+${ref}:${ref}`,
  )
  const ends = await readShallow(clone)
  try {
    // Merged work is visible only in the full history.
    await fetchRefs(clone, remote, refspecs, ['--prune', ...(ends ? ['--unshallow'] : [])])
  } catch (error) {
    const isMissing =
      error instanceof ExecutorError && /couldn't find remote ref/i.test(error.message)
    throw isMissing ? noBranch(base) : error
  }
  if (ends) await rememberWhole(clone, ends)
  return viewOf(await readBranches(clone.gitDir, [baseRef]), base)
}

/** Returns the remote's default branch. @throws ExecutorError `no_commits` */
async function defaultBranch({ gitDir }: Clone, remote: NetworkRemote): Promise<string> {
  const args = ['ls-remote', '--symref', '--', remote.url, 'HEAD']
  const output = await gitText(args, { gitDir, env: await withToken(remote) })
  const name = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(output)?.[1]
  if (name === undefined || !/^[0-9a-f]+\tHEAD$/m.test(output)) {
    throw new ExecutorError('no_commits', remote.url)
  }
  return name
}

/** Rejects names that a refspec would read as more than a name. */
function checkBranch(name: string): string {
  if (/[\x00-\x20\x7f~^:?*[\\+]|\.\.|@\{|^[-/]|\/$/.test(name)) throw noBranch(name)
  return name
}

export function remoteRefs(clone: Clone, remote: NetworkRemote): RefHost {
  return {
    async tip(ref) {
      const run = await askRemote(clone, remote, [ref])
      if (run.code !== 0) throw new NotMoved(readTrouble(run), false)
      return refsIn(run).get(ref) ?? null
    },
    swap: (move) => pushMoves(clone, remote, [move]),
  }
}

/** Passes the token in one process's environment: never in its arguments or in a file. */
async function withToken({ token }: NetworkRemote): Promise<Readonly<Record<string, string>>> {
  if (token === null) return {}
  const basic = Buffer.from(`x-access-token:${await token()}`).toString('base64')
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  }
}

const denied =
  /\[remote rejected\]|Authentication failed|could not read (?:Username|Password)|error: (?:401|403|404)|Permission to .* denied|repository .* not found|does not exist/i

/** Classifies a failed push. GH006 and GH013 are GitHub's branch protection and rulesets. */
export function readTrouble(run: GitRun): Extract<PublishResult, { readonly status: 'refused' }> {
  const text = `${run.stderr}\n${run.text}`
  const detail = run.stderr.slice(0, 1000) || `git push ended with ${run.code}`
  const isProtected = /GH006|GH013|protected branch/i.test(text)
  const passing = denied.test(text) ? 'forge_denied' : 'forge_unreachable'
  return { status: 'refused', code: isProtected ? 'branch_protected' : passing, detail }
}
