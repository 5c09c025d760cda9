import { contentAfter } from '../../../core/domain/change-set.ts'
import type { Draft } from '../../../core/domain/run-state.ts'
import type { Lesson } from './lesson.ts'

/**
 * A weak model may answer the worked example along with the task. What repeats it word for word
 * is dropped and said; what only has its path stays.
 */
export function withoutEcho(draft: Draft, { path, search, fresh }: Lesson): Draft {
  const changes = draft.changes.filter(
    (change) => change.path !== fresh?.path || contentAfter(change) !== fresh.text,
  )
  const firstLine = search.split('\n')[0] ?? search
  const refusals = draft.refusals.filter(
    (refusal) => refusal.path !== path || !refusal.excerpt.includes(firstLine.trim()),
  )
  const isSame =
    changes.length === draft.changes.length && refusals.length === draft.refusals.length
  if (isSame) return draft
  const notes = [...draft.notes, 'the answer repeated the worked example, which was dropped']
  if (changes.length + refusals.length > 0) return { ...draft, changes, refusals, notes }
  const reason = 'The answer only repeats the worked example. Answer the last message.'
  return { ...draft, changes, refusals: [{ path: '', reason, excerpt: '' }], notes }
}
