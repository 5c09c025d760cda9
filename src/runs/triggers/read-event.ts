import { isTaskId } from '../../../packages/task/task.ts'
import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/branches.ts'
import { label } from '../../core/domain/identity.ts'
import type { Author, Remark } from '../../core/ports/discussion.ts'
import { commandOf } from './parse-command.ts'
import { authorOf, idOf, labelsOf, partOf, payloadText } from './payload.ts'
import type { Trigger } from './trigger.ts'

const ignoredTrigger = (reason: string): Extract<Trigger, { kind: 'ignored' }> => ({
  kind: 'ignored',
  reason,
})

/** The event is right, but a part of its payload is missing. */
const malformed = ignoredTrigger('its payload is malformed')

/** Where each event keeps the words and their target. */
const kinds = {
  /** In the conversation of an issue or a pull request. */
  comment: { action: 'created', source: 'comment', on: 'issue', time: 'created_at' },
  /** On a line of a diff. */
  review_comment: { action: 'created', source: 'comment', on: 'pull_request', time: 'created_at' },
  /** A whole review. */
  review: { action: 'submitted', source: 'review', on: 'pull_request', time: 'submitted_at' },
} as const

/** The reader of an event with a remark of this kind. */
const remarkReader =
  (kind: Remark['kind']) =>
  (payload: object, self: string | null): Trigger => {
    const { action, source, on: place, time } = kinds[kind]
    if (payloadText(payload, 'action') !== action) {
      return ignoredTrigger(`only new ${source}s count`)
    }
    if (place === 'pull_request' && !isOursByHead(payload)) {
      return ignoredTrigger('the executor did not open the pull request')
    }
    const said = partOf(payload, source)
    const [on, id] = [idOf(payload, place, 'number'), idOf(said, 'id')]
    const createdAt = payloadText(said, time)
    if (on === null || id === null || createdAt === null) return malformed
    const edited = kind === 'review' ? null : payloadText(said, 'updated_at')
    const body = payloadText(said, 'body') ?? ''
    const draft = { kind, id, on, body, createdAt, updatedAt: edited ?? createdAt }
    const remark = { ...draft, ...placeOf(kind, said), verdict: verdictOf(kind, said) }
    if (commandOf(remark) === null) return ignoredTrigger('it contains no command')
    const author = authorOf(said, 'user')
    if (author === null) return malformed
    const reason = unheard(author, idOf(payload, 'sender', 'id'), self)
    return reason === null
      ? { kind: 'remark', remark: { ...remark, author, isOurs: false } }
      : ignoredTrigger(reason)
  }

function placeOf(kind: Remark['kind'], said: unknown): Pick<Remark, 'commit' | 'path' | 'line'> {
  const commit = kind === 'comment' ? null : payloadText(said, 'commit_id')
  if (kind !== 'review_comment') return { commit, path: null, line: null }
  // `commit_id` moves with later pushes.
  const original = payloadText(said, 'original_commit_id')
  return { commit: original ?? commit, path: payloadText(said, 'path'), line: idOf(said, 'line') }
}

const verdicts = ['approved', 'changes_requested', 'commented'] as const

function verdictOf(kind: Remark['kind'], said: unknown): Remark['verdict'] {
  const state = payloadText(said, 'state')?.toLowerCase()
  return kind === 'review' ? (verdicts.find((each) => each === state) ?? null) : null
}

/** Whether the pull request in the payload has one of our heads, in this very repository. */
function isOursByHead(payload: object): boolean {
  const head = payloadText(payload, 'pull_request', 'head', 'ref') ?? ''
  const from = idOf(payload, 'pull_request', 'head', 'repo', 'id')
  const isBranch = taskIdOfBranch(head) !== null || taskIdOfRecoveryBranch(head) !== null
  return isBranch && from !== null && from === idOf(payload, 'repository', 'id')
}

/** Why this author's words do not count. */
function unheard(author: Author, sender: number | null, self: string | null): string | null {
  if (author.login === self) return 'the executor wrote it'
  if (author.isBot) return 'a bot wrote it'
  return sender !== null && sender !== author.id ? 'its sender is not its author' : null
}

/**
 * Reads the request in a webhook or a workflow's event. The payload is untrusted: facts in it are looked up again
 * before anything happens. Never throws.
 *
 * @param name of the event, as in GitHub's header and GITHUB_EVENT_NAME
 * @param self our login, if known: our own words are ignored here
 */
export function readEvent(name: string, payload: unknown, self: string | null = null): Trigger {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    return ignoredTrigger('its payload is not an object')
  }
  return (Object.hasOwn(readers, name) ? readers[name] : undefined)?.(payload, self) ?? unwanted
}

const unwanted = ignoredTrigger('the executor does not use this event')

type Reader = (payload: object, self: string | null) => Trigger

const readers: Readonly<Record<string, Reader>> = {
  schedule: readSchedule,
  workflow_dispatch: (payload) => runOf(partOf(payload, 'inputs', 'task')),
  repository_dispatch: readDispatch,
  issues: readIssueEvent,
  issue_comment: remarkReader('comment'),
  pull_request: readPullRequest,
  pull_request_review: remarkReader('review'),
  pull_request_review_comment: remarkReader('review_comment'),
  push: readPush,
  check_suite: readChecks('check_suite'),
  status: readStatus,
  // For a workflow: the checks of Actions send it no `check_suite`.
  workflow_run: readChecks('workflow_run'),
}

function readSchedule(payload: object): Trigger {
  const cron = payloadText(payload, 'schedule')
  return { kind: 'run', only: null, ...(cron !== null && { cron }) }
}

/** All ready tasks, or the named one; an invalid name starts nothing. */
function runOf(task: unknown): Trigger {
  const id = typeof task === 'string' ? task.trim() : (task ?? '')
  if (id === '') return { kind: 'run', only: null }
  return typeof id === 'string' && isTaskId(id)
    ? { kind: 'run', only: [id] }
    : ignoredTrigger('it names no valid task id')
}

/** Types that begin with our name, and any that names a task: other tools send dispatches, too. */
function readDispatch(payload: object): Trigger {
  const [type, task] = [payloadText(payload, 'action'), partOf(payload, 'client_payload', 'task')]
  if (type === 'executor-reconcile') return { kind: 'reconcile' }
  const isForUs = type === 'executor' || type === 'executor-run' || typeof task === 'string'
  return isForUs ? runOf(task) : ignoredTrigger('the dispatch is for something else')
}

function readPullRequest(payload: object): Trigger {
  const action = payloadText(payload, 'action') ?? ''
  if (['opened', 'synchronize', 'reopened', 'edited'].includes(action)) return { kind: 'lint' }
  if (action !== 'closed') return ignoredTrigger('nothing relevant changed in the pull request')
  return isOursByHead(payload)
    ? { kind: 'reconcile' }
    : ignoredTrigger('the executor did not open the pull request')
}

function readPush(payload: object): Trigger {
  const branch = payloadText(payload, 'repository', 'default_branch')
  if (branch === null || payloadText(payload, 'ref') !== `refs/heads/${branch}`) {
    return ignoredTrigger('the push is not to the default branch')
  }
  return partOf(payload, 'deleted') === true
    ? ignoredTrigger('the default branch was deleted')
    : { kind: 'reconcile' }
}

function readChecks(name: 'check_suite' | 'workflow_run'): Reader {
  return (payload) => {
    const branch = payloadText(payload, name, 'head_branch')
    return checked(payloadText(payload, 'action') === 'completed', [branch])
  }
}

function readStatus(payload: object): Trigger {
  const branches = partOf(payload, 'branches')
  const names = Array.isArray(branches) ? branches.map((each) => payloadText(each, 'name')) : []
  return checked(payloadText(payload, 'state') !== 'pending', names)
}

/** Only finished tasks wait for checks. */
function checked(ended: boolean, branches: readonly (string | null)[]): Trigger {
  if (!ended) return ignoredTrigger('the check is still running')
  return branches.some((name) => taskIdOfBranch(name ?? '') !== null)
    ? { kind: 'reconcile', after: 'checks' }
    : ignoredTrigger('the executor did not create the checked branch')
}

/** An issue was labelled, unlabelled or closed, or is the dashboard and had boxes ticked. */
function readIssueEvent(payload: object, self: string | null): Trigger {
  const number = idOf(payload, 'issue', 'number')
  if (number === null || partOf(payload, 'issue', 'pull_request') !== undefined) {
    return ignoredTrigger('it names no issue')
  }
  switch (payloadText(payload, 'action')) {
    case 'labeled':
      return isOurLabel(payload) ? readLabelled(payload, number) : otherLabel
    case 'unlabeled':
      return isOurLabel(payload) ? { kind: 'issue_dropped', number } : otherLabel
    case 'closed':
      return labelsOf(payload, 'issue', 'labels').includes(label.issue)
        ? { kind: 'issue_dropped', number }
        : ignoredTrigger('the executor does not work on the issue')
    case 'edited':
      return readTicks(payload, number, self)
    default:
      return ignoredTrigger('nothing relevant changed in the issue')
  }
}

const otherLabel = ignoredTrigger('the executor does not use the label')

/** Byte for byte: a label that only looks like ours is another one. */
const isOurLabel = (payload: object): boolean =>
  payloadText(payload, 'label', 'name') === label.issue

function readLabelled(payload: object, number: number): Trigger {
  const labelledBy = authorOf(payload, 'sender')
  const title = payloadText(payload, 'issue', 'title')
  const at = payloadText(payload, 'issue', 'updated_at')
  if (labelledBy === null || title === null || at === null) return malformed
  if (labelledBy.isBot) return ignoredTrigger('a bot added the label')
  if (payloadText(payload, 'issue', 'state') === 'closed')
    return ignoredTrigger('the issue is closed')
  const body = payloadText(payload, 'issue', 'body') ?? ''
  return { kind: 'issue_labelled', issue: { number, title, body, labelledBy, at } }
}

function readTicks(payload: object, number: number, self: string | null): Trigger {
  if (!labelsOf(payload, 'issue', 'labels').includes(label.dashboard)) {
    return ignoredTrigger('the edited issue is not the dashboard')
  }
  const by = authorOf(payload, 'sender')
  const body = payloadText(payload, 'issue', 'body')
  if (by === null || body === null) return malformed
  if (by.isBot || by.login === self) return ignoredTrigger('no person edited the dashboard')
  return { kind: 'dashboard', number, body, by }
}
