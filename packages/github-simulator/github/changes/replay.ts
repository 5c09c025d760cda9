import type { Git } from '../git.ts'
import { type Commit, readCommits } from '../history.ts'
import { mergedTree } from '../pull-figures.ts'
import type { Identity } from '../records.ts'

/**
 * Applies the commits of a branch one by one to another; `null` on a conflict. Like GitHub, creates
 * new commits even if the branch is already based on the other, and leaves out merges.
 */
export async function replay(
  git: Git,
  base: string,
  head: string,
  by: Identity,
): Promise<string | null> {
  let onto = base
  for (const commit of (await readCommits(git, `${base}..${head}`)).toReversed()) {
    const [parent, other] = commit.parents
    if (parent === undefined || other !== undefined) continue
    const tree = await mergedOver(git, parent, onto, commit.sha)
    if (tree === null) return null
    onto = await commitAs(git, tree, onto, commit, by)
  }
  return onto
}

/** A three-way merge with any base, through stand-in commits that have it as their parent. */
async function mergedOver(
  git: Git,
  base: string,
  ours: string,
  theirs: string,
): Promise<string | null> {
  const standIn = async (of: string, ...parents: readonly string[]): Promise<string> => {
    const args = parents.flatMap((parent) => ['-p', parent])
    const { stdout } = await git.run(['commit-tree', `${of}^{tree}`, ...args], {
      input: 'stand-in',
      env: identity('nobody', 'nobody@example.org'),
    })
    return stdout.trim()
  }
  const root = await standIn(base)
  return mergedTree(git, await standIn(ours, root), await standIn(theirs, root))
}

async function commitAs(
  git: Git,
  tree: string,
  parent: string,
  { author, message }: Commit,
  by: Identity,
): Promise<string> {
  const { stdout } = await git.run(['commit-tree', tree, '-p', parent], {
    input: `${message}\n`,
    env: {
      ...identity(by.login, `${by.id}+${by.login}@users.noreply.github.com`),
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: author.date,
    },
  })
  return stdout.trim()
}

const identity = (name: string, email: string): Record<string, string> => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
})
