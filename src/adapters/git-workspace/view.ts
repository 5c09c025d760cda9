/** Reads commits: the base, our branches, and their history. */
import { ExecutorError } from '../../core/domain/errors.ts'
import type {
  BranchTip,
  CommitRecord,
  HistoryRequest,
  RepositoryView,
} from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { checkSha, gitText, readRefs, recordsIn } from './git.ts'

const ourRefs = [
  ...['refs/heads/agent/', 'refs/heads/executor/recovery/', 'refs/heads/executor/routing'],
  'refs/executor/kept/',
] as const

/** Our refs, and the branches that git cannot keep beside them. */
export const askedRefs = ['refs/heads/agent', 'refs/heads/executor', 'refs/executor/kept'] as const

const ofBranch = ['%(refname)', '%(objectname)', '%(parent)', '%(contents:trailers:only,unfold)']

/** Reads our branches, and others by the names of their refs. */
export async function readBranches(
  gitDir: string,
  others: readonly string[],
): Promise<readonly BranchTip[]> {
  const found = await readRefs(gitDir, ofBranch, [...askedRefs, ...others])
  return found.map(([name = '', sha = '', parents = '', trailers = '']) => ({
    ...{ name, sha, parent: parents.split(' ')[0] || null, trailers: readTrailers(trailers) },
  }))
}

const readTrailers = (text: string): BranchTip['trailers'] =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const colon = line.indexOf(':')
      return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]] : []
    }),
  )

export function viewOf(tips: readonly BranchTip[], base: string): RepositoryView {
  const named = (name: string) => tips.find((tip) => tip.name === name)
  const tip = named(`refs/heads/${base}`) ?? named(originRef(base))
  if (tip === undefined) throw noBranch(base)
  return { base: { branch: base, sha: tip.sha }, branches: ours(tips) }
}

/**
 * Our branches, under their short names.
 *
 * @throws ExecutorError `branch_refused` for a branch that git cannot keep beside them
 */
export function ours(tips: readonly BranchTip[]): readonly BranchTip[] {
  const inTheWay = tips.find(({ name }) => ourRefs.some((prefix) => prefix.startsWith(`${name}/`)))
  if (inTheWay !== undefined) {
    const name = shortOf(inTheWay)
    throw new ExecutorError('branch_refused', `the branch ${name} leaves no room for ${name}/….`)
  }
  return tips
    .filter((tip) => ourRefs.some((prefix) => tip.name.startsWith(prefix)))
    .map((tip) => ({ ...tip, name: shortOf(tip) }))
}

const shortOf = ({ name }: BranchTip): string => name.replace(/^refs\/heads\//, '')

export const originRef = (branch: string): string => `refs/remotes/origin/${branch}`

export const noBranch = (branch: string): ExecutorError =>
  new ExecutorError('bad_usage', `The repository has no branch ${branch} with a commit.`)

/** Our branches have few commits; a base is followed no further than this. */
const longest = 2000

const ofCommit = ['%H', '%P', '%s', '%ce', '%cI', '%(trailers:only,unfold)']

/** The commits of a branch, newest first. */
export async function readCommits(
  { gitDir }: Clone,
  from: string,
  { without, having }: HistoryRequest,
): Promise<readonly CommitRecord[]> {
  const wanted = [checkSha(from), ...(without === undefined ? [] : [`^${checkSha(without)}`])]
  const args = ['log', '--no-show-signature', '--no-decorate', `--max-count=${longest}`]
  const format = `--format=${ofCommit.join('%x00')}%x00`
  const along = having === undefined ? ['--first-parent'] : []
  const output = await gitText([...args, ...along, format, ...wanted, '--'], { gitDir })
  const records = recordsIn(output, ofCommit.length).map(
    ([sha = '', parents = '', title = '', committer = '', time = '', trailers = '']) => ({
      ...{ sha, title, committer, trailers: readTrailers(trailers) },
      parents: parents.split(' ').filter((parent) => parent !== ''),
      at: new Date(time).toISOString(),
    }),
  )
  return having === undefined
    ? records
    : records.filter(({ trailers }) => trailers[having.name] === having.value)
}
