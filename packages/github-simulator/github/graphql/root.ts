import { followGit } from '../follow-git.ts'
import { maySee } from '../permissions.ts'
import type { Identity } from '../records.ts'
import { findRepository, type Store } from '../store.ts'
import { failed } from './connection.ts'
import { mutationsOf } from './mutations.ts'
import { missingNode, readNodeId } from './node.ts'
import { actorObject, issueObject } from './objects.ts'
import { pullObject, reviewCommentObject, threadObject } from './pull-objects.ts'
import { repositoryObject } from './repository-object.ts'

interface RepositoryName {
  readonly owner: string
  readonly name: string
}

/** What queries and mutations of one viewer start from. */
export const rootOf = (store: Store, viewer: Identity): object => ({
  // Here alone a bot has its whole name.
  viewer: { ...actorObject({ store }, viewer), login: viewer.login },
  node: ({ id }: { readonly id: string }) => findNode(store, viewer, id),
  nodes: ({ ids }: { readonly ids: readonly string[] }) =>
    ids.map((id) => findNode(store, viewer, id)),
  async repository({ owner, name }: RepositoryName) {
    const repository = findRepository(store, owner, name)
    if (repository === undefined || !maySee(repository, viewer)) {
      const full = `${owner}/${name}`
      throw failed('NOT_FOUND', `Could not resolve to a Repository with the name '${full}'.`)
    }
    await followGit({ store, repository, viewer: repository.owner })
    return repositoryObject({ store, repository })
  },
  ...mutationsOf(store, viewer),
})

function findNode(store: Store, viewer: Identity, id: string): object {
  for (const repository of store.repositories.filter((one) => maySee(one, viewer))) {
    const place = { store, repository }
    const thread = repository.threads.get(readNodeId('PullRequestReviewThread', id) ?? 0)
    if (thread !== undefined) return threadObject(place, thread)
    const comment = repository.reviewComments.get(readNodeId('PullRequestReviewComment', id) ?? 0)
    const its = comment && repository.threads.get(comment.thread)
    if (comment && its) return reviewCommentObject(place, its, comment)
    const pullId = readNodeId('PullRequest', id)
    const pull = [...repository.pulls.values()].find((one) => one.id === pullId)
    if (pull !== undefined) return pullObject(place, pull)
    const issueId = readNodeId('Issue', id)
    const issue = [...repository.issues.values()].find((one) => one.id === issueId)
    if (issue !== undefined) return issueObject(place, issue)
  }
  throw missingNode(id)
}
