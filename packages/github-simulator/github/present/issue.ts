import type { Comment, Issue, Label } from '../records.ts'
import { ensureLabel, type Repository, type Store } from '../store.ts'
import { presentVia } from './installation.ts'
import { presentRollup } from './reaction.ts'
import { repositoryPage, repositoryUrl } from './repository.ts'
import { authorAssociation, nodeId, presentUser } from './user.ts'

export function presentLabel(
  store: Store,
  repository: Repository,
  label: Label,
): Record<string, unknown> {
  return {
    id: label.id,
    node_id: nodeId('Label', label.id),
    url: `${repositoryUrl(store, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  }
}

export const presentLabels = (store: Store, repository: Repository, issue: Issue): unknown[] =>
  issue.labels.map((name) => presentLabel(store, repository, ensureLabel(store, repository, name)))

export function presentComment(
  store: Store,
  repository: Repository,
  comment: Comment,
): Record<string, unknown> {
  const api = repositoryUrl(store, repository)
  const url = `${api}/issues/comments/${comment.id}`
  return {
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    url,
    html_url: `${issuePage(store, repository, comment.issue)}#issuecomment-${comment.id}`,
    issue_url: `${api}/issues/${comment.issue}`,
    user: presentUser(store, comment.author),
    author_association: authorAssociation(repository, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    reactions: presentRollup(repository, 'comment', comment.id, url),
    performed_via_github_app: presentVia(store, comment.author),
  }
}

/** An issue, or a pull request seen as the issue it also is. */
export function presentIssue(
  store: Store,
  repository: Repository,
  issue: Issue,
): Record<string, unknown> {
  const url = `${repositoryUrl(store, repository)}/issues/${issue.number}`
  const assignees = issue.assignees.map((person) => presentUser(store, person))
  const comments = [...repository.comments.values()].filter((one) => one.issue === issue.number)
  const pull = repository.pulls.get(issue.number)
  return {
    id: issue.id,
    node_id: nodeId(pull === undefined ? 'Issue' : 'PullRequest', issue.id),
    url,
    repository_url: repositoryUrl(store, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: issuePage(store, repository, issue.number),
    number: issue.number,
    state: issue.state,
    state_reason: issue.stateReason,
    title: issue.title,
    body: issue.body,
    user: presentUser(store, issue.author),
    author_association: authorAssociation(repository, issue.author),
    labels: presentLabels(store, repository, issue),
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    locked: false,
    active_lock_reason: null,
    comments: comments.length,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    closed_by: issue.closedBy === null ? null : presentUser(store, issue.closedBy),
    reactions: presentRollup(repository, 'issue', issue.id, url),
    performed_via_github_app: presentVia(store, issue.author),
    draft: pull?.draft ?? false,
    ...(pull === undefined
      ? {}
      : { pull_request: asPull(store, repository, issue.number, pull.merged?.at ?? null) }),
  }
}

/** What tells a pull request among issues. */
function asPull(
  store: Store,
  repository: Repository,
  number: number,
  mergedAt: string | null,
): Record<string, unknown> {
  const page = issuePage(store, repository, number)
  return {
    url: `${repositoryUrl(store, repository)}/pulls/${number}`,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    merged_at: mergedAt,
  }
}

export const issuePage = (store: Store, repository: Repository, number: number): string =>
  `${repositoryPage(store, repository)}/${repository.pulls.has(number) ? 'pull' : 'issues'}/${number}`
