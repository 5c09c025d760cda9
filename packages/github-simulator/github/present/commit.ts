import type { ChangedFile, Commit } from '../history.ts'
import type { Repository, Store } from '../store.ts'
import { repositoryPage, repositoryUrl } from './repository.ts'

export function presentCommit(
  store: Store,
  repository: Repository,
  commit: Commit,
): Record<string, unknown> {
  const url = `${repositoryUrl(store, repository)}/commits/${commit.sha}`
  const page = (sha: string): string => `${repositoryPage(store, repository)}/commit/${sha}`
  return {
    sha: commit.sha,
    node_id: `C_${commit.sha}`,
    url,
    html_url: page(commit.sha),
    comments_url: `${url}/comments`,
    commit: {
      url: `${repositoryUrl(store, repository)}/git/commits/${commit.sha}`,
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: {
        sha: commit.tree,
        url: `${repositoryUrl(store, repository)}/git/trees/${commit.tree}`,
      },
      comment_count: 0,
    },
    author: null,
    committer: null,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${repositoryUrl(store, repository)}/commits/${sha}`,
      html_url: page(sha),
    })),
  }
}

/** A file of a comparison or a pull request; `at` is the commit it is read from. */
export function presentChange(
  store: Store,
  repository: Repository,
  at: string,
  change: ChangedFile,
): Record<string, unknown> {
  const path = encodeURI(change.path)
  const page = repositoryPage(store, repository)
  return {
    sha: change.sha,
    filename: change.path,
    ...(change.previousPath === null ? {} : { previous_filename: change.previousPath }),
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${page}/blob/${at}/${path}`,
    raw_url: `${page}/raw/${at}/${path}`,
    contents_url: `${repositoryUrl(store, repository)}/contents/${path}?ref=${at}`,
    ...(change.patch === '' ? {} : { patch: change.patch }),
  }
}
