import type { Comment, Label, Pull, Repository, Store } from '../store.ts'
import { ensureLabel } from '../store.ts'
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

export const presentLabels = (store: Store, repository: Repository, pull: Pull): unknown[] =>
  pull.labels.map((name) => presentLabel(store, repository, ensureLabel(store, repository, name)))

export function presentComment(
  store: Store,
  repository: Repository,
  comment: Comment,
): Record<string, unknown> {
  const url = repositoryUrl(store, repository)
  return {
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    url: `${url}/issues/comments/${comment.id}`,
    html_url: `${repositoryPage(store, repository)}/pull/${comment.issue}#issuecomment-${comment.id}`,
    issue_url: `${url}/issues/${comment.issue}`,
    user: presentUser(store, comment.author),
    author_association: authorAssociation(repository, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
  }
}

/** A pull request seen as the issue it also is. */
export function presentIssue(
  store: Store,
  repository: Repository,
  pull: Pull,
): Record<string, unknown> {
  const url = `${repositoryUrl(store, repository)}/issues/${pull.number}`
  const assignees = pull.assignees.map((person) => presentUser(store, person))
  const comments = [...repository.comments.values()].filter(({ issue }) => issue === pull.number)
  return {
    id: pull.id,
    node_id: nodeId('Issue', pull.id),
    url,
    repository_url: repositoryUrl(store, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `${repositoryPage(store, repository)}/pull/${pull.number}`,
    number: pull.number,
    state: pull.state,
    title: pull.title,
    body: pull.body,
    user: presentUser(store, pull.author),
    author_association: authorAssociation(repository, pull.author),
    labels: presentLabels(store, repository, pull),
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    locked: false,
    comments: comments.length,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
  }
}
