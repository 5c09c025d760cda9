/** Base and our branches, read anew: from the user's repository itself, or over the network. */
import { ExecutorError } from '../../core/domain/errors.ts'
import type { BranchTip, RepositoryView } from '../../core/ports/workspace.ts'
import { type Clone, readShallow, rememberWhole, type SourceRepository } from './clone.ts'
import { gitFailed, gitText, runGit } from './git.ts'
import { type NetworkRemote, withToken } from './network.ts'

const ourRefs = ['refs/heads/agent/', 'refs/heads/executor/recovery/']
const fields = ['%(refname)', '%(objectname)', '%(parent)', '%(contents:trailers:only,unfold)', '']

/** `base` is a branch name; `null` is what the user has checked out, `HEAD` when that is no branch. */
export async function readLocalView(
  source: SourceRepository,
  base: string | null,
): Promise<RepositoryView> {
  const [head, tips] = await Promise.all([
    base === null ? readHead(source) : null,
    readTips(source.commonDir, base === null ? [] : [`refs/heads/${base}`, originRef(base)]),
  ])
  if (head !== null) return { base: head, branches: ours(tips) }
  return viewOf(tips, base ?? '')
}

/** The same over the network, by way of refs of our own. */
export async function readRemoteView(
  clone: Clone,
  remote: NetworkRemote,
  base: string,
): Promise<RepositoryView> {
  const baseRef = `refs/heads/${checkBranch(base)}`
  const refs = [baseRef, ...ourRefs.map((prefix) => `${prefix}*`)]
  const ends = await readShallow(clone)
  const args = ['fetch', '--quiet', '--no-tags', '--prune', '--no-write-fetch-head']
  const run = await runGit(
    // What is merged can only be told from the whole history.
    [...args, ...(ends ? ['--unshallow'] : []), '--', remote.url].concat(
      refs.map((ref) => `+${ref}:${ref}`),
    ),
    { gitDir: clone.gitDir, env: await withToken(remote) },
  )
  if (/couldn't find remote ref/i.test(run.stderr)) throw noBranch(base)
  if (run.code !== 0) throw gitFailed(args, run)
  if (ends) await rememberWhole(clone, ends)
  return viewOf(await readTips(clone.gitDir, [baseRef]), base)
}

/** The name of the remote's default branch. @throws ExecutorError `no_commits` */
export async function defaultBranch(clone: Clone, remote: NetworkRemote): Promise<string> {
  const output = await gitText(['ls-remote', '--symref', '--', remote.url, 'HEAD'], {
    gitDir: clone.gitDir,
    env: await withToken(remote),
  })
  const name = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(output)?.[1]
  if (name === undefined || !/^[0-9a-f]+\tHEAD$/m.test(output)) {
    throw new ExecutorError('no_commits', remote.url)
  }
  return name
}

async function readHead(source: SourceRepository): Promise<RepositoryView['base']> {
  const args = ['rev-parse', 'HEAD^{commit}', '--symbolic-full-name', 'HEAD']
  const run = await runGit(args, { gitDir: source.gitDir })
  if (run.code !== 0) throw new ExecutorError('no_commits', source.commonDir)
  const [sha = '', name = ''] = run.stdout.toString('utf8').split('\n')
  return { branch: name.replace(/^refs\/heads\//, ''), sha }
}

async function readTips(gitDir: string, others: readonly string[]): Promise<BranchTip[]> {
  const args = ['for-each-ref', `--format=${fields.join('%00')}`, ...ourRefs, ...others]
  const records = (await gitText(args, { gitDir })).split('\0')
  const tips: BranchTip[] = []
  for (let at = 0; at + 3 < records.length; at += 4) {
    const [name = '', sha = '', parents = '', trailers = ''] = records.slice(at, at + 4)
    const parent = parents.split(' ')[0] || null
    tips.push({ name: name.trim(), sha, parent, trailers: readTrailers(trailers) })
  }
  return tips
}

export function readTrailers(text: string): BranchTip['trailers'] {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const colon = line.indexOf(':')
      return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]] : []
    }),
  )
}

function viewOf(tips: readonly BranchTip[], base: string): RepositoryView {
  const named = (name: string) => tips.find((tip) => tip.name === name)
  const tip = named(`refs/heads/${base}`) ?? named(originRef(base))
  if (tip === undefined) throw noBranch(base)
  return { base: { branch: base, sha: tip.sha }, branches: ours(tips) }
}

/** Our branches, under their short names. */
function ours(tips: readonly BranchTip[]): BranchTip[] {
  return tips
    .filter((tip) => ourRefs.some((prefix) => tip.name.startsWith(prefix)))
    .map((tip) => ({ ...tip, name: tip.name.replace(/^refs\/heads\//, '') }))
}

const originRef = (branch: string): string => `refs/remotes/origin/${branch}`

const noBranch = (branch: string): ExecutorError =>
  new ExecutorError('bad_usage', `The repository has no branch ${branch} with a commit.`)

/** Nothing that a refspec would read as more than a name. */
function checkBranch(name: string): string {
  if (/[\x00-\x20\x7f~^:?*[\\+]|\.\.|@\{|^[-/]|\/$/.test(name)) throw noBranch(name)
  return name
}
