import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/task-id.ts'
import type { Author, Remark } from '../../core/ports/discussion.ts'
import { commandOf } from './command-of.ts'
import { authorOf, idOf, partOf, payloadText } from './payload.ts'
import type { Trigger } from './trigger.ts'

export const ignoredTrigger = (reason: string): Extract<Trigger, { kind: 'ignored' }> => ({
  kind: 'ignored',
  reason,
})

/** The payload is of the right event, but a part is missing. */
export const malformed = ignoredTrigger('it is not as GitHub writes it')

/** Where an event keeps the words, and what they stand on. */
const kinds = {
  /** In the conversation of an issue or a pull request. */
  comment: { action: 'created', source: 'comment', on: 'issue', time: 'created_at' },
  /** On a line of a diff. */
  review_comment: { action: 'created', source: 'comment', on: 'pull_request', time: 'created_at' },
  /** A review as a whole. */
  review: { action: 'submitted', source: 'review', on: 'pull_request', time: 'submitted_at' },
} as const

/** The reader of an event that brings a remark of this kind. */
export const remarkReader =
  (kind: Remark['kind']) =>
  (payload: object, self: string | null): Trigger => {
    const { action, source, on: place, time } = kinds[kind]
    if (payloadText(payload, 'action') !== action) {
      return ignoredTrigger(`only new ${source}s count`)
    }
    if (place === 'pull_request' && !isOursByHead(payload)) {
      return ignoredTrigger('the pull request is none of ours')
    }
    const said = partOf(payload, source)
    const [on, id] = [idOf(payload, place, 'number'), idOf(said, 'id')]
    const createdAt = payloadText(said, time)
    if (on === null || id === null || createdAt === null) return malformed
    const edited = kind === 'review' ? null : payloadText(said, 'updated_at')
    const body = payloadText(said, 'body') ?? ''
    const draft = { kind, id, on, body, createdAt, updatedAt: edited ?? createdAt }
    const remark = { ...draft, ...placeOf(kind, said), verdict: verdictOf(kind, said) }
    if (commandOf(remark) === null) return ignoredTrigger('it says no command')
    const author = authorOf(said, 'user')
    if (author === null) return malformed
    const reason = unheard(author, idOf(payload, 'sender', 'id'), self)
    return reason === null
      ? { kind: 'remark', remark: { ...remark, author } }
      : ignoredTrigger(reason)
  }

function placeOf(kind: Remark['kind'], said: unknown): Pick<Remark, 'commit' | 'path' | 'line'> {
  const commit = kind === 'comment' ? null : payloadText(said, 'commit_id')
  if (kind !== 'review_comment') return { commit, path: null, line: null }
  // `commit_id` moves along with later pushes.
  const original = payloadText(said, 'original_commit_id')
  return { commit: original ?? commit, path: payloadText(said, 'path'), line: idOf(said, 'line') }
}

const verdicts = ['approved', 'changes_requested', 'commented'] as const

function verdictOf(kind: Remark['kind'], said: unknown): Remark['verdict'] {
  const state = payloadText(said, 'state')?.toLowerCase()
  return kind === 'review' ? (verdicts.find((each) => each === state) ?? null) : null
}

/** Whether the pull request of the payload has a head of ours, in this very repository. */
export function isOursByHead(payload: object): boolean {
  const head = payloadText(payload, 'pull_request', 'head', 'ref') ?? ''
  const from = idOf(payload, 'pull_request', 'head', 'repo', 'id')
  const isBranch = taskIdOfBranch(head) !== null || taskIdOfRecoveryBranch(head) !== null
  return isBranch && from !== null && from === idOf(payload, 'repository', 'id')
}

/** Why this author's words do not count at all. */
function unheard(author: Author, sender: number | null, self: string | null): string | null {
  if (author.login === self) return 'we said it ourselves'
  if (author.isBot) return 'a bot said it'
  return sender !== null && sender !== author.id ? 'its sender is not its author' : null
}
