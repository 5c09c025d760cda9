import { notFound, type RepositoryCall, type Route } from '../exchange.ts'
import { paged } from '../paging.ts'
import { presentComment } from '../present/issue.ts'
import { repositoryUrl } from '../present/repository.ts'
import { nodeId, presentUser } from '../present/user.ts'
import type { Comment, IssueEvent } from '../records.ts'
import { ensureLabel, findIssue } from '../store.ts'

export const timelineRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/timeline',
    access: 'read',
    handle(call) {
      const { repository } = call
      const number = Number(call.parameters.issue_number)
      if (findIssue(repository, number) === undefined) return notFound
      const isHere = ({ issue }: { readonly issue: number }): boolean => issue === number
      const lines = [
        ...repository.events.filter(isHere),
        ...[...repository.comments.values()].filter(isHere),
      ].sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id - b.id)
      return paged(call, lines, (line) =>
        'event' in line ? presentEvent(call, line) : presentCommented(call, line),
      )
    },
  },
]

function presentEvent({ store, repository }: RepositoryCall, event: IssueEvent): object {
  const label = event.label === null ? null : ensureLabel(store, repository, event.label)
  return {
    id: event.id,
    node_id: nodeId('IssueEvent', event.id),
    url: `${repositoryUrl(store, repository)}/issues/events/${event.id}`,
    actor: presentUser(store, event.actor),
    event: event.event,
    commit_id: null,
    commit_url: null,
    created_at: event.createdAt,
    ...(label === null ? {} : { label: { name: label.name, color: label.color } }),
    ...(event.rename && { rename: event.rename }),
    performed_via_github_app: null,
  }
}

function presentCommented({ store, repository }: RepositoryCall, comment: Comment): object {
  const actor = presentUser(store, comment.author)
  return { event: 'commented', actor, ...presentComment(store, repository, comment) }
}
