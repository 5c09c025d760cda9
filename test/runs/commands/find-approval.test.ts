import { expect, test } from 'vitest'
import { laterMarker, replyMarker } from '../../../src/core/domain/reply-marker.ts'
import { findApproval } from '../../../src/runs/commands/find-approval.ts'
import { createMemoryRepository, type MemoryRepository } from '../../fakes/memory-repository.ts'

const sha = 'a'.repeat(40)
const other = 'b'.repeat(40)

function open() {
  const repository = createMemoryRepository()
  const ann = repository.person('ann', 'write')
  const pull = (head: string) =>
    repository.open(repository.us, {
      ...{ head, base: 'main', title: head, body: '', labels: [], draft: false },
      ...{ reviewers: [], assignees: [] },
    })
  return { repository, ann, number: pull('agent/T-1'), another: pull('agent/T-2') }
}

type Opened = ReturnType<typeof open>

/** Somebody approves, and we record it, or somebody else pretends to be us. */
function approve(
  { repository, ann, number }: Opened,
  { commit = sha, on = number, by = repository.us, isLater = true, words = '/approve' } = {},
) {
  const remark = repository.say(ann, on, words)
  const second = isLater ? laterMarker(remark, commit) : 'Merged.'
  repository.say(by, on, `${replyMarker(remark)}\n${second}\nApproved.`)
  return remark
}

const week = 7 * 24 * 3600 * 1000
const after = (repository: MemoryRepository, milliseconds: number) =>
  new Date(Date.parse(repository.now()) + milliseconds).toISOString()

test.each<[string, (opened: Opened) => unknown, string | null]>([
  ['one that waits', (opened) => approve(opened), sha],
  ['the newest of two', (opened) => [approve(opened), approve(opened, { commit: other })], other],
  [
    'none without a reply',
    ({ repository, ann, number }) => repository.say(ann, number, '/approve'),
    null,
  ],
  ['none that was answered', (opened) => approve(opened, { isLater: false }), null],
  ['none that another person recorded', (opened) => approve(opened, { by: opened.ann }), null],
  [
    'none whose remark asks for something else',
    (opened) => approve(opened, { words: '/status' }),
    null,
  ],
  ['none whose remark is prose', (opened) => approve(opened, { words: 'Looks good.' }), null],
  [
    'none whose remark names another commit',
    (opened) => approve(opened, { words: `/approve ${other}` }),
    null,
  ],
  ...[
    ['quotes one', '> /approve'],
    ['shows one in a fence', '```\n/approve\n```'],
    ['has one in a list', '- /approve'],
    ['has one below other words', 'Not yet.\n/approve'],
    ['has one in a hidden comment', '<!--\n/approve\n-->'],
    ['has a longer word', '/approved'],
    ['has a look-alike letter', '/\u0430pprove'],
    ['names the start of the commit', `/approve ${sha.slice(0, 12)}`],
    ['names a commit and more', `/approve ${sha} and merge`],
  ].map(([what = '', words = '']): [string, (opened: Opened) => unknown, null] => [
    `none whose remark ${what}`,
    (opened) => approve(opened, { words }),
    null,
  ]),
  [
    'none that our reply recorded without its second line',
    ({ repository, ann, number }) =>
      repository.say(repository.us, number, replyMarker(repository.say(ann, number, '/approve'))),
    null,
  ],
  ['none of another pull request', (opened) => approve(opened, { on: opened.another }), null],
  [
    'none that was edited',
    (opened) => opened.repository.edit(approve(opened), '/approve, please'),
    null,
  ],
  ['none that was deleted', (opened) => opened.repository.delete(approve(opened)), null],
])('findApproval finds %s', (_, happens, found) => {
  const opened = open()
  happens(opened)
  const { repository, number } = opened
  const said = { remarks: repository.remarks }
  const now = after(repository, week - 60_000)
  expect(findApproval(number, { ...said, now })?.sha ?? null).toBe(found)
  expect(findApproval(number, { ...said, now: after(repository, week) })).toBe(null)
})
