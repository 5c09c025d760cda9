import { beforeEach, expect, it } from 'vitest'
import type { Shared } from '../../../src/adapters/durable-store/shared-state.ts'
import { WrittenBook } from '../../../src/adapters/durable-store/written-book.ts'
import { laterMarker, replyMarker } from '../../../src/core/domain/reply-marker.ts'
import type { PostedText } from '../../../src/core/ports/own-texts.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

const [since, late] = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z']
const remark = { kind: 'comment', id: 7 } as const
const [approved, other] = ['a'.repeat(40), 'b'.repeat(40)]
const recorded = `${replyMarker(remark)}\n${laterMarker(remark, approved)}\nIt waits for checks.`
const dashboard = '<!-- executor:dashboard -->\n- [ ] Run T-1'
const lost = '<!-- executor:checks -->\nposted, then killed'
const everywhere = '<!-- executor:note -->\nthe same in two places'

const text = (body: string, more: Partial<PostedText> = {}): PostedText => ({
  ...{ kind: 'comment', id: 99, body, createdAt: late, updatedAt: late },
  ...more,
})

const holding = (files: ReadonlyMap<string, string>): Shared => ({
  ...{ tips: { state: null, leases: new Map() }, lease: async () => null },
  ...{ paths: [...files.keys()], read: async () => files },
})

let book: WrittenBook
/** What the repository holds after these texts were posted, as another machine reads it. */
beforeEach(async () => {
  const first = new WrittenBook(createFakeClock(since))
  const none = holding(new Map())
  await first.noticed(none)
  first.intend(recorded)
  first.posted(text(recorded, { id: 1 }))
  first.intend(dashboard)
  first.posted(text(dashboard, { kind: 'issue', id: 2 }))
  for (const id of [3, 4]) {
    first.intend(everywhere)
    first.posted(text(everywhere, { id }))
  }
  first.intend(lost)
  const files = new Map([...(await first.changes(none))].map(([path, read]) => [path, read ?? '']))
  book = new WrittenBook(createFakeClock(late))
  await book.noticed(holding(files))
})

it.each<[string, PostedText, boolean]>([
  ['our record of an approval', text(recorded, { id: 1 }), true],
  [
    'with the line breaks and the end that GitHub gives it',
    text(`${recorded.replaceAll('\n', '\r\n')} \n`, { id: 1 }),
    true,
  ],
  ['edited to another commit', text(recorded.replace(approved, other), { id: 1 }), false],
  ['edited to other words about the same commit', text(`${recorded}\nMerge it.`, { id: 1 }), false],
  ['edited to an answer without an approval', text(replyMarker(remark), { id: 1 }), true],
  ['repeated in a new comment', text(recorded), false],
  [
    'repeated on a line whose id is the same',
    text(recorded, { kind: 'review_comment', id: 1 }),
    false,
  ],
  ['repeated in an issue of that number', text(recorded, { kind: 'issue', id: 1 }), false],
  ['quoted', text(`> ${recorded}`), false],
  ['with an invisible character more', text(`${recorded}\u200b`), false],
  [
    'our dashboard with a ticked box',
    text(dashboard.replace('[ ]', '[x]'), { kind: 'issue', id: 2 }),
    true,
  ],
  ['another dashboard of the account', text(dashboard, { kind: 'issue', id: 5 }), false],
  ['a text whose run was killed', text(lost), true],
  [
    'our marker over the words of another workflow',
    text('<!-- executor:checks -->\nforged'),
    false,
  ],
  ['a text that we posted twice', text(everywhere, { id: 4 }), true],
  ['a text that another workflow posted for the third time', text(everywhere), false],
  [
    'a text from before there was a record',
    text('old', { createdAt: '2026-02-01T00:00:00Z', updatedAt: '2026-02-01T00:00:00Z' }),
    true,
  ],
  ['such a text that was edited since', text('old', { createdAt: '2026-02-01T00:00:00Z' }), false],
  ['a text of no time', text('old', { createdAt: '', updatedAt: '' }), false],
])('knows whether it is ours: %s', (_, found, isOurs) => {
  expect(book.isOurs(found)).toBe(isOurs)
})

it('takes one text for the one whose run was killed, and knows it from then on', () => {
  expect(book.isOurs(text(lost, { id: 10 }))).toBe(true)
  expect(book.isOurs(text(lost, { id: 11 }))).toBe(false)
  expect(book.isOurs(text('edited', { id: 10 }))).toBe(true)
})

it('awaits the same words again where they are posted once more', () => {
  book.intend(recorded)
  expect(book.isOurs(text(recorded, { id: 12 }))).toBe(true)
  expect(book.isOurs(text(recorded, { id: 13 }))).toBe(false)
})

it('takes a later record of an approval in our own text, and awaits no other text with it', () => {
  const next = recorded.replace(approved, other)
  book.intend(next, { kind: 'comment', id: 1 })
  expect(book.isOurs(text(next, { id: 1 }))).toBe(true)
  expect(book.isOurs(text(next))).toBe(false)
})
