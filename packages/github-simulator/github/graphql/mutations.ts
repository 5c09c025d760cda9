import { convertToDraft, disableAutoMerge, enableAutoMerge, markReady } from '../changes/pull.ts'
import { addReply } from '../changes/review.ts'
import type { Scene } from '../exchange.ts'
import { followGit } from '../follow-git.ts'
import { mayAt, maySee } from '../permissions.ts'
import type { Identity, MergeMethod, Pull, ReviewThread } from '../records.ts'
import type { Store } from '../store.ts'
import { failed } from './connection.ts'
import { forbidden, missingNode, readNodeId } from './node.ts'
import { actorObject } from './objects.ts'
import { pullObject, reviewCommentObject, threadObject } from './pull-objects.ts'
import { reviewMutationsOf } from './review-mutations.ts'

interface PullInput {
  readonly pullRequestId: string
  readonly clientMutationId?: string | null
}

interface AutoMergeInput extends PullInput {
  readonly commitBody?: string | null
  readonly commitHeadline?: string | null
  readonly expectedHeadOid?: string | null
  readonly mergeMethod?: string | null
}

interface ThreadInput {
  readonly threadId: string
  readonly clientMutationId?: string | null
}

interface ReplyInput {
  readonly pullRequestReviewThreadId: string
  readonly body: string
}

/** The mutations for one viewer, as fields of the root. */
export function mutationsOf(store: Store, viewer: Identity): object {
  const onPull =
    <T extends PullInput>(name: string, change: (scene: Scene, pull: Pull, input: T) => Change) =>
    async ({ input }: { readonly input: T }): Promise<object> => {
      const { scene, pull } = await findPull(store, viewer, input.pullRequestId)
      if (!mayAt('write', scene.repository, viewer)) throw forbidden(viewer, name)
      const refused = await change(scene, pull, input)
      if (refused !== null) throw failed('UNPROCESSABLE', refused)
      const { clientMutationId } = input
      return {
        clientMutationId,
        actor: actorObject(scene, viewer),
        pullRequest: pullObject(scene, pull),
      }
    }
  const onThread =
    (name: string, isResolved: boolean) =>
    async ({ input }: { readonly input: ThreadInput }): Promise<object> => {
      const { scene, pull, thread } = await findThread(store, viewer, input.threadId)
      const may = pull.author.id === viewer.id || mayAt('write', scene.repository, viewer)
      if (!may) throw forbidden(viewer, name)
      thread.resolvedBy = isResolved ? viewer : null
      return { clientMutationId: input.clientMutationId, thread: threadObject(scene, thread) }
    }
  return {
    enablePullRequestAutoMerge: onPull<AutoMergeInput>('EnablePullRequestAutoMerge', enable),
    disablePullRequestAutoMerge: onPull('DisablePullRequestAutoMerge', disableAutoMerge),
    markPullRequestReadyForReview: onPull('MarkPullRequestReadyForReview', markReady),
    convertPullRequestToDraft: onPull('ConvertPullRequestToDraft', convertToDraft),
    resolveReviewThread: onThread('ResolveReviewThread', true),
    unresolveReviewThread: onThread('UnresolveReviewThread', false),
    ...reviewMutationsOf(store, viewer),
    async addPullRequestReviewThreadReply({ input }: { readonly input: ReplyInput }) {
      const id = input.pullRequestReviewThreadId
      const { scene, pull, thread } = await findThread(store, viewer, id)
      const comment = addReply(scene, pull, thread, input.body)
      return { ...input, comment: reviewCommentObject(scene, thread, comment) }
    },
  }
}

/** GitHub's reason against it, or `null` when it is done. */
type Change = Promise<string | null>

async function enable(scene: Scene, pull: Pull, input: AutoMergeInput): Change {
  const { expectedHeadOid } = input
  if (expectedHeadOid != null && expectedHeadOid !== pull.headSha) {
    return `Head sha didn't match expected ${expectedHeadOid}`
  }
  return enableAutoMerge(scene, pull, {
    method: (input.mergeMethod ?? 'MERGE').toLowerCase() as MergeMethod,
    title: input.commitHeadline ?? null,
    message: input.commitBody ?? null,
  })
}

async function findPull(
  store: Store,
  viewer: Identity,
  nodeId: string,
): Promise<{ readonly scene: Scene; readonly pull: Pull }> {
  const id = readNodeId('PullRequest', nodeId)
  for (const repository of store.repositories) {
    const pull = [...repository.pulls.values()].find((one) => one.id === id)
    if (pull === undefined || !maySee(repository, viewer)) continue
    await followGit({ store, repository, viewer: repository.owner })
    return { scene: { store, repository, viewer }, pull }
  }
  throw missingNode(nodeId)
}

async function findThread(
  store: Store,
  viewer: Identity,
  nodeId: string,
): Promise<{ readonly scene: Scene; readonly pull: Pull; readonly thread: ReviewThread }> {
  const id = readNodeId('PullRequestReviewThread', nodeId)
  for (const repository of store.repositories) {
    const thread = id === null ? undefined : repository.threads.get(id)
    const pull = thread === undefined ? undefined : repository.pulls.get(thread.pull)
    if (thread === undefined || pull === undefined || !maySee(repository, viewer)) continue
    return { scene: { store, repository, viewer }, pull, thread }
  }
  throw missingNode(nodeId)
}
