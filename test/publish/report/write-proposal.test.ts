import { describe, expect, it } from 'vitest'
import type { Proposal } from '../../../src/core/domain/attempt.ts'
import { type ProposalMark, readProposalMarker } from '../../../src/core/domain/hidden-lines.ts'
import { readTaskMarker } from '../../../src/core/domain/identity.ts'
import {
  writeDestructiveProposal,
  writeRecovery,
} from '../../../src/publish/report/write-proposal.ts'
import { anAttempt, anOperation, aTask, someSettings } from '../../fakes/facts.ts'
import { aDraft } from '../../graph/nodes/bench.ts'
import { actedOn, hostileTexts, htmlOf, wordsOf } from './hostile.ts'

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
  const skeleton = (body: string) => htmlOf(body).filter((html) => !html.startsWith('<!--'))

  it.each(hostileTexts)('does nothing by the words in it: %j', (text) => {
    const { title, commit, body, comment } = write(text)
    expect(title).not.toContain('\n')
    expect(`${title}\n${commit}`).not.toMatch(/\[skip ci\]/i)
    for (const part of [body, comment ?? body]) {
      const said = part(mark)
      expect(wordsOf(said)).not.toMatch(actedOn)
      expect(skeleton(said)).toEqual(
        skeleton((part === body ? write('calm').body : (write('calm').comment ?? body))(mark)),
      )
      expect(readProposalMarker(said)).toEqual(mark)
      expect(readTaskMarker(said)?.id).toBe('T-1')
      expect(said.length).toBeLessThan(65_000)
    }
  })
})
