import type { Scene } from '../exchange.ts'
import { type Commit, readCommits } from '../history.ts'
import { repositoryPage } from '../present/repository.ts'
import { tell } from '../webhooks.ts'

export const noCommit = '0'.repeat(40)

/** Moves, creates or deletes a reference as a push does; returns false if another was faster. */
export async function pushRef(
  scene: Scene,
  ref: string,
  sha: string | null,
  expected?: string,
): Promise<boolean> {
  const { git } = scene.repository
  const before = (await git.refs()).get(ref) ?? noCommit
  if (!(await git.setRef(ref, sha, expected))) return false
  await tellOfPush(scene, ref, before, sha ?? noCommit)
  return true
}

/** Sends a webhook for each branch or tag that changed. */
export async function tellOfPushes(
  scene: Scene,
  before: ReadonlyMap<string, string>,
): Promise<void> {
  const after = await scene.repository.git.refs()
  for (const ref of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(ref) ?? noCommit, after.get(ref) ?? noCommit]
    if (old !== now) await tellOfPush(scene, ref, old, now)
  }
}

async function tellOfPush(scene: Scene, ref: string, before: string, after: string): Promise<void> {
  // Other references have no webhooks.
  if (!/^refs\/(?:heads|tags)\//.test(ref)) return
  const { store, repository, viewer } = scene
  const { git } = repository
  const page = repositoryPage(store, repository)
  const isNew = before === noCommit
  const range = isNew ? after : `${before}..${after}`
  const commits =
    after === noCommit
      ? []
      : (await readCommits(git, range, { limit: isNew ? 1 : 20 })).toReversed()
  const presented = commits.map((commit) => presentPushed(page, commit))
  tell(
    scene,
    'push',
    {
      ref,
      before,
      after,
      created: isNew,
      deleted: after === noCommit,
      forced: !isNew && after !== noCommit && (await git.mergeBase(before, after)) !== before,
      base_ref: null,
      compare: `${page}/compare/${before}...${after}`,
      commits: presented,
      head_commit: presented.at(-1) ?? null,
      pusher: { name: viewer.login, email: `${viewer.login}@example.org` },
    },
    { ofRepository: { stargazers: 0, master_branch: repository.defaultBranch } },
  )
}

function presentPushed(page: string, commit: Commit): object {
  const { sha, tree, message, author, committer } = commit
  return {
    id: sha,
    tree_id: tree,
    distinct: true,
    message,
    timestamp: committer.date,
    url: `${page}/commit/${sha}`,
    author: { name: author.name, email: author.email },
    committer: { name: committer.name, email: committer.email },
    ...{ added: [], removed: [], modified: [] },
  }
}
