import { describe, expect, it } from 'vitest'
import {
  grantMarker,
  latestProposal,
  type ProposalMark,
  proposalMarker,
  readGrants,
  readProposalMarker,
} from '../../../src/core/domain/hidden-lines.ts'
import { taskMarker } from '../../../src/core/domain/identity.ts'

const mark: ProposalMark = {
  task: 'T-1.2',
  sha: 'a'.repeat(40),
  hash: 'b'.repeat(64),
  at: '2026-02-01T03:00:00Z',
}
const line = proposalMarker(mark)
const task = taskMarker({ id: 'T-1.2', fingerprint: 'c'.repeat(64) })

describe('readProposalMarker', () => {
  it.each([
    ['alone', line],
    ['last', `Words\n\n${line}\n`],
    ['with Windows line ends', `Words\r\n\r\n${line}\r\n`],
    ['before another hidden line', `Words\n${line}\n${task}\n`],
    ['after another hidden line', `Words\n${task}\n${line}\n`],
    ['with milliseconds', `Words\n${proposalMarker({ ...mark, at: '2026-02-01T03:00:00.000Z' })}`],
    ['the last of two', `${proposalMarker({ ...mark, task: 'T-9' })}\n${line}`],
  ])('reads one that stands %s', (_, text) => {
    expect(readProposalMarker(text)).toMatchObject({
      task: 'T-1.2',
      sha: mark.sha,
      hash: mark.hash,
    })
  })

  it.each([
    ['no marker', 'Words'],
    ['nothing', ''],
    ['one that words follow', `${line}\nWords`],
    ['one in a fence', `\`\`\`\n${line}\n\`\`\``],
    ['one in a fence before our hidden line', `\`\`\`\n${line}\n\`\`\`\n${task}`],
    ['one in a quote', `> ${line}`],
    ['one that is indented', `Words\n\n    ${line}`],
    ['an id that is none', line.replace('T-1.2', 'T-../x')],
    ['a short sha', line.replace(mark.sha, 'a'.repeat(39))],
    ['a time that is none', line.replace(mark.at, '2026-99-01T03:00:00Z')],
    ['a neutralised one', line.replace('<', '&lt;')],
  ])('reads nothing of %s', (_, text) => {
    expect(readProposalMarker(text)).toBeNull()
  })

  it('takes linear time', () => {
    expect(readProposalMarker(`<!-- executor:${' '.repeat(200_000)}\n`.repeat(20))).toBeNull()
  })
})

describe('latestProposal', () => {
  it('is the youngest about the task, whatever the order', () => {
    const older = proposalMarker({ ...mark, at: '2026-01-31T23:00:00Z', sha: 'd'.repeat(40) })
    const other = proposalMarker({ ...mark, at: '2026-03-01T00:00:00Z', task: 'T-9' })
    for (const texts of [
      [older, line, other, 'Words'],
      [other, line, older],
    ]) {
      expect(latestProposal(texts, 'T-1.2')?.sha).toBe(mark.sha)
    }
    expect(latestProposal([other], 'T-1.2')).toBeNull()
  })
})

const grant = { path: 'docs/a by b.md', by: 'ann-1' }

it.each([
  ['alone', grantMarker(grant), [grant]],
  ['before another hidden line', `Words\n\n${grantMarker(grant)}\n${task}\n`, [grant]],
  [
    'two',
    `${grantMarker(grant)}\r\n${grantMarker({ ...grant, path: 'x' })}`,
    [grant, { ...grant, path: 'x' }],
  ],
  ['in a fence', `\`\`\`\n${grantMarker(grant)}\n\`\`\`\n${task}`, []],
  ['above words', `${grantMarker(grant)}\nWords\n${task}`, []],
  ['above a blank line', `${grantMarker(grant)}\n\n${task}`, []],
  ['by nobody', grantMarker({ ...grant, by: 'a b' }), []],
  ['neutralised', `&lt;${grantMarker(grant).slice(1)}`, []],
])('reads grants that stand %s', (_, body, expected) => {
  expect(readGrants(body)).toEqual(expected)
})
