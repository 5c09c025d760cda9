import type { Pull, Repository, Store } from './store.ts'

/**
 * Brings open pull requests to where their branches are now, as GitHub does on a push: the head moves,
 * a deleted branch closes, a head that has become part of its base counts as merged.
 */
export async function followGit(store: Store, repository: Repository): Promise<void> {
  const refs = await repository.git.refs()
  for (const pull of repository.pulls.values()) {
    if (pull.state !== 'open') continue
    const headSha = refs.get(`refs/heads/${pull.head}`)
    const baseSha = refs.get(`refs/heads/${pull.base}`)
    if (headSha === undefined || baseSha === undefined) close(store, pull)
    else if (headSha !== pull.headSha || baseSha !== pull.baseSha) {
      await move(store, repository, pull, headSha, baseSha)
    }
  }
}

export function close(store: Store, pull: Pull): void {
  pull.state = 'closed'
  pull.closedAt = store.now()
  pull.updatedAt = pull.closedAt
}

export const pullRef = (pull: Pull): string => `refs/pull/${pull.number}/head`

async function move(
  store: Store,
  { git, owner }: Repository,
  pull: Pull,
  headSha: string,
  baseSha: string,
): Promise<void> {
  const headMoved = headSha !== pull.headSha
  pull.headSha = headSha
  pull.baseSha = baseSha
  pull.updatedAt = store.now()
  if (headMoved) await git.setRef(pullRef(pull), headSha)
  if ((await git.count(`${baseSha}..${headSha}`)) > 0) return
  close(store, pull)
  if (!headMoved) pull.merged = { at: store.now(), by: owner, sha: baseSha }
}
