import { label } from '../../core/domain/identity.ts'
import { authorOf, idOf, labelsOf, partOf, payloadText } from './payload.ts'
import { ignoredTrigger, malformed } from './read-remark.ts'
import type { Trigger } from './trigger.ts'

/** An issue was labelled, let go, closed, or is the dashboard and had its boxes ticked. */
export function readIssueEvent(payload: object, self: string | null): Trigger {
  const number = idOf(payload, 'issue', 'number')
  if (number === null || partOf(payload, 'issue', 'pull_request') !== undefined) {
    return ignoredTrigger('it is about no issue')
  }
  switch (payloadText(payload, 'action')) {
    case 'labeled':
      return isOurLabel(payload) ? readLabelled(payload, number) : otherLabel
    case 'unlabeled':
      return isOurLabel(payload) ? { kind: 'issue_dropped', number } : otherLabel
    case 'closed':
      return labelsOf(payload, 'issue', 'labels').includes(label.issue)
        ? { kind: 'issue_dropped', number }
        : ignoredTrigger('the issue is none of ours')
    case 'edited':
      return readTicks(payload, number, self)
    default:
      return ignoredTrigger('nothing in the issue changed that counts')
  }
}

const otherLabel = ignoredTrigger('the label is none of ours')

/** Byte for byte: what only looks like our label is another one. */
const isOurLabel = (payload: object): boolean =>
  payloadText(payload, 'label', 'name') === label.issue

function readLabelled(payload: object, number: number): Trigger {
  const labelledBy = authorOf(payload, 'sender')
  const title = payloadText(payload, 'issue', 'title')
  const at = payloadText(payload, 'issue', 'updated_at')
  if (labelledBy === null || title === null || at === null) return malformed
  if (labelledBy.isBot) return ignoredTrigger('a bot put the label on')
  if (payloadText(payload, 'issue', 'state') === 'closed')
    return ignoredTrigger('the issue is closed')
  const body = payloadText(payload, 'issue', 'body') ?? ''
  return { kind: 'issue_labelled', issue: { number, title, body, labelledBy, at } }
}

function readTicks(payload: object, number: number, self: string | null): Trigger {
  if (!labelsOf(payload, 'issue', 'labels').includes(label.dashboard)) {
    return ignoredTrigger('what was edited is not the dashboard')
  }
  const by = authorOf(payload, 'sender')
  const body = payloadText(payload, 'issue', 'body')
  if (by === null || body === null) return malformed
  if (by.isBot || by.login === self) return ignoredTrigger('no person edited the dashboard')
  return { kind: 'dashboard', number, body, by }
}
