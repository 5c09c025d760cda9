import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/task-id.ts'
import type { Author, Remark } from '../../core/ports/discussion.ts'
import { commandOf } from './command-of.ts'
import { idOf, partOf, payloadText } from './payload.ts'
import { readAuthor } from './read-author.ts'
import type { Trigger } from './trigger.ts'

export const ignoredTrigger = (reason: string): Extract<Trigger, { kind: 'ignored' }> => ({
  kind: 'ignored',
  reason,
})

/** A comment on an issue or in a pull request's conversation. */
export function readComment(payload: object, self: string | null): Trigger {
  if (payloadText(payload, 'action') !== 'created') return ignoredTrigger('only new comments count')
  const comment = partOf(payload, 'comment')
  const [on, id] = [idOf(payload, 'issue', 'number'), idOf(comment, 'id')]
  if (on === null || id === null) return malformed
  return trigger({ ...said, ...wordsOf(comment), kind: 'comment', id, on }, payload, comment, self)
}

/** A comment on a line of a diff. */
export function readReviewComment(payload: object, self: string | null): Trigger {
  if (payloadText(payload, 'action') !== 'created') return ignoredTrigger('only new comments count')
  if (!isOursByHead(payload)) return ignoredTrigger('the pull request is none of ours')
  const comment = partOf(payload, 'comment')
  const [on, id] = [idOf(payload, 'pull_request', 'number'), idOf(comment, 'id')]
  if (on === null || id === null) return malformed
  const remark: Draft = {
    ...said,
    ...wordsOf(comment),
    kind: 'review_comment',
    id,
    on,
    // `commit_id` moves along with later pushes.
    commit: payloadText(comment, 'original_commit_id') ?? payloadText(comment, 'commit_id'),
    path: payloadText(comment, 'path'),
    line: idOf(comment, 'line'),
  }
  return trigger(remark, payload, comment, self)
}

/** A review as a whole. */
export function readReview(payload: object, self: string | null): Trigger {
  if (payloadText(payload, 'action') !== 'submitted')
    return ignoredTrigger('only new reviews count')
  if (!isOursByHead(payload)) return ignoredTrigger('the pull request is none of ours')
  const review = partOf(payload, 'review')
  const [on, id] = [idOf(payload, 'pull_request', 'number'), idOf(review, 'id')]
  const at = payloadText(review, 'submitted_at')
  if (on === null || id === null || at === null) return malformed
  const state = payloadText(review, 'state')?.toLowerCase()
  const verdict = verdicts.find((each) => each === state) ?? null
  const commit = payloadText(review, 'commit_id')
  const words = { body: payloadText(review, 'body') ?? '', createdAt: at, updatedAt: at }
  return trigger(
    { ...said, ...words, kind: 'review', id, on, commit, verdict },
    payload,
    review,
    self,
  )
}

/** Whether the pull request of the payload has a head of ours, in this very repository. */
export function isOursByHead(payload: object): boolean {
  const head = payloadText(payload, 'pull_request', 'head', 'ref') ?? ''
  const from = idOf(payload, 'pull_request', 'head', 'repo', 'id')
  const isBranch = taskIdOfBranch(head) !== null || taskIdOfRecoveryBranch(head) !== null
  return isBranch && from !== null && from === idOf(payload, 'repository', 'id')
}

type Draft = Omit<Remark, 'author'>

const verdicts = ['approved', 'changes_requested', 'commented'] as const
const said = { commit: null, verdict: null, path: null, line: null } as const
const malformed = ignoredTrigger('it is not as GitHub writes it')

const wordsOf = (source: unknown): Pick<Remark, 'body' | 'createdAt' | 'updatedAt'> => {
  const createdAt = payloadText(source, 'created_at') ?? ''
  const updatedAt = payloadText(source, 'updated_at') ?? createdAt
  return { body: payloadText(source, 'body') ?? '', createdAt, updatedAt }
}

function trigger(draft: Draft, payload: object, source: unknown, self: string | null): Trigger {
  if (commandOf(draft) === null) return ignoredTrigger('it says no command')
  const author = readAuthor(partOf(source, 'user'))
  if (author === null || draft.createdAt === '') return malformed
  const remark: Remark = { ...draft, author }
  const reason = unheard(author, idOf(payload, 'sender', 'id'), self)
  return reason === null ? { kind: 'remark', remark } : ignoredTrigger(reason)
}

/** Why this author's words do not count at all. */
function unheard(author: Author, sender: number | null, self: string | null): string | null {
  if (author.login === self) return 'we said it ourselves'
  if (author.isBot) return 'a bot said it'
  return sender !== null && sender !== author.id ? 'its sender is not its author' : null
}
