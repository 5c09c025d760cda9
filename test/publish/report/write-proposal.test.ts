import { describe, expect, it } from 'vitest'
import type { Proposal } from '../../../src/core/domain/attempt.ts'
import { type ProposalMark, readProposalMarker } from '../../../src/core/domain/hidden-lines.ts'
import { readTaskMarker } from '../../../src/core/domain/identity.ts'
import {
  writeDestructiveProposal,
  writeRecovery,
} from '../../../src/publish/report/write-proposal.ts'
import { anAttempt, anOperation, aRepair, aTask, someSettings } from '../../fakes/facts.ts'
import { aDraft } from '../../graph/nodes/bench.ts'
import { actedOn, codeOf, hostileTexts, htmlOf, turned, wordsOf } from './hostile.ts'

const settings = someSettings()
const run = { run: { id: 'run-1' } }
const hash = 'b'.repeat(64)
const mark: ProposalMark = { task: 'T-1', sha: 'a'.repeat(40), hash, at: '2026-01-02T03:04:05Z' }

/** Everything that a stranger or a model can write says this. */
function saying(text: string) {
  const operation = anOperation({ path: text, operation: text, why: text })
  const failed = { test: text, file: text, line: 1, message: text, expected: text, actual: text }
  const failure = { ...failed, errorType: text, trace: [text] }
  return anAttempt({
    task: aTask({ title: text, details: text }),
    draft: aDraft({ changes: [{ action: 'create', path: 'a.js', content: text }] }),
    destructive: [operation],
    broken: [failure],
    remedies: Array.from({ length: 9 }, () => aRepair({ message: text, fix: text })),
    failure: { at: 'failed', message: text, problems: [], failures: [failure], output: text },
  })
}
const proposal = (text: string): Proposal => ({
  strategy: 'DECOMPOSE',
  reason: 'unknown',
  explanation: text,
  tasks: [{ id: 'T-1-a', title: text, details: [text], files: [text] }],
  wish: { by: text, text },
})

describe.each([
  [
    'other tasks',
    (text: string) =>
      writeRecovery(saying(text), proposal(text), { hash, asked: true }, run, settings),
  ],
  [
    'destructive operations',
    (text: string) => writeDestructiveProposal(saying(text), hash, run, settings),
  ],
])('a question about %s', (_, write) => {
  const skeleton = (body: string) =>
    htmlOf(body)
      .filter((html) => !html.startsWith('<!--'))
      .map((html) => html.replace(/\+\d+ −\d+/, ''))

  it.each(hostileTexts)('does nothing by the words in it: %j', (text) => {
    const { title, commit, body, short } = write(text)
    expect(title).not.toContain('\n')
    expect(`${title}\n${commit}`).not.toMatch(/\[skip ci\]/i)
    const said = body(mark)
    expect(wordsOf(said)).not.toMatch(actedOn)
    expect(`${wordsOf(said)}${codeOf(said)}`).not.toMatch(turned)
    expect(skeleton(said)).toEqual(skeleton(write('calm').body(mark)))
    expect(readProposalMarker(said)).toEqual(mark)
    expect(readTaskMarker(said)?.id).toBe('T-1')
    expect(said.length).toBeLessThan(65_000)
    const asked = short(mark)
    expect(wordsOf(asked)).not.toMatch(actedOn)
    expect(skeleton(asked)).toEqual(skeleton(write('calm').short(mark)))
    expect(readProposalMarker(asked)).toEqual(mark)
    expect(asked).toContain('`/approve`')
    expect(asked).toContain('`/reject`')
  })
})

it('shows what is decided on within fifteen lines, however much there is to say', () => {
  const many = Array.from({ length: 30 }, (_, at) => `words ${at}`)
  const [operation, failed] = [anOperation(), saying('calm').broken[0]]
  const attempt = {
    ...saying('calm'),
    destructive: many.map((why) => ({ ...operation, why })),
    broken: failed === undefined ? [] : many.map((test) => ({ ...failed, test })),
  }
  const tasks = many.slice(0, 5).map((title, at) => ({
    ...{ id: `T-1-${at}`, title, details: many, files: many },
  }))
  const bodies = [
    writeRecovery(attempt, { ...proposal('calm'), tasks }, { hash, asked: true }, run, settings),
    writeDestructiveProposal(attempt, hash, run, settings),
  ].map(({ body }) => body(mark))
  for (const body of bodies) {
    const shown = body.slice(0, body.indexOf('<details>'))
    expect(shown.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(15)
    expect(body).toContain('words 29')
    expect(body.length).toBeLessThan(65_000)
  }
})
