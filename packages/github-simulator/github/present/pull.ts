import type { MergeState } from '../merge-state.ts'
import type { Pull, PullFigures } from '../records.ts'
import type { Repository, Store } from '../store.ts'
import { presentLabels } from './issue.ts'
import { presentRepository, repositoryPage, repositoryUrl } from './repository.ts'
import { authorAssociation, nodeId, presentUser } from './user.ts'

/** A pull request as lists contain it. */
export function presentPull(
  store: Store,
  repository: Repository,
  pull: Pull,
): Record<string, unknown> {
  const assignees = pull.assignees.map((person) => presentUser(store, person))
  const side = (ref: string, sha: string): Record<string, unknown> => ({
    label: `${repository.options.owner}:${ref}`,
    ref,
    sha,
    user: presentUser(store, repository.owner),
    repo: presentRepository(store, repository),
  })
  return {
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    ...addresses(store, repository, pull),
    number: pull.number,
    state: pull.state,
    locked: false,
    active_lock_reason: null,
    draft: pull.draft,
    title: pull.title,
    body: pull.body,
    user: presentUser(store, pull.author),
    author_association: authorAssociation(repository, pull.author),
    labels: presentLabels(store, repository, pull),
    milestone: null,
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: pull.reviewers.map((person) => presentUser(store, person)),
    requested_teams: [],
    head: side(pull.head, pull.headSha),
    base: side(pull.base, pull.baseSha),
    auto_merge: presentAutoMerge(store, pull),
    merge_commit_sha: pull.merged?.sha ?? null,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
    merged_at: pull.merged?.at ?? null,
  }
}

/** A single pull request, with fields that GitHub computes only for one at a time. */
export function presentFullPull(
  store: Store,
  repository: Repository,
  pull: Pull,
  figures: PullFigures,
  state: MergeState | null,
): Record<string, unknown> {
  const comments = [...repository.comments.values()].filter(({ issue }) => issue === pull.number)
  const reviewComments = [...repository.reviewComments.values()].filter(
    (comment) => comment.pull === pull.number,
  )
  const mergeable = state === null ? null : !state.conflicts
  return {
    ...presentPull(store, repository, pull),
    merged: pull.merged !== null,
    merged_by: pull.merged === null ? null : presentUser(store, pull.merged.by),
    mergeable,
    mergeable_state: state?.status.toLowerCase() ?? 'unknown',
    rebaseable: mergeable,
    maintainer_can_modify: false,
    comments: comments.length,
    review_comments: reviewComments.length,
    commits: figures.commits,
    changed_files: figures.changedFiles,
    additions: figures.additions,
    deletions: figures.deletions,
  }
}

function presentAutoMerge(store: Store, { autoMerge, title }: Pull): object | null {
  if (autoMerge === null) return null
  return {
    enabled_by: presentUser(store, autoMerge.by),
    merge_method: autoMerge.method,
    commit_title: autoMerge.title ?? title,
    commit_message: autoMerge.message ?? '',
  }
}

function addresses(store: Store, repository: Repository, pull: Pull): Record<string, unknown> {
  const api = repositoryUrl(store, repository)
  const url = `${api}/pulls/${pull.number}`
  const issueUrl = `${api}/issues/${pull.number}`
  const page = `${repositoryPage(store, repository)}/pull/${pull.number}`
  const addresses = {
    issue: issueUrl,
    commits: `${url}/commits`,
    review_comments: `${url}/comments`,
    review_comment: `${api}/pulls/comments{/number}`,
    comments: `${issueUrl}/comments`,
    statuses: `${api}/statuses/${pull.headSha}`,
  }
  const link = (href: string): { href: string } => ({ href })
  const entries = Object.entries(addresses)
  return {
    url,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    ...Object.fromEntries(entries.map(([name, href]) => [`${name}_url`, href])),
    _links: {
      self: link(url),
      html: link(page),
      ...Object.fromEntries(entries.map(([name, href]) => [name, link(href)])),
    },
  }
}
