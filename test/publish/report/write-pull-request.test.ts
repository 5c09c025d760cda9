import { describe, expect, it } from 'vitest'
import { boundMarkdown } from '../../../packages/text/markdown/write-markdown.ts'
import type { Proposal } from '../../../src/core/domain/attempt.ts'
import {
  proposalMarker,
  readGrants,
  readProposalMarker,
} from '../../../src/core/domain/hidden-lines.ts'
import { readTaskMarker, taskMarker } from '../../../src/core/domain/identity.ts'
import { writeCommitMessage } from '../../../src/publish/report/write-commit-message.ts'
import {
  withGrant,
  writeAdoptedPullRequest,
  writeEscalation,
  writePullRequest,
} from '../../../src/publish/report/write-pull-request.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { anAttempt, aTask, someSettings, usageOf } from '../../fakes/facts.ts'
import { aDraft } from '../../graph/nodes/bench.ts'
import {
  aCommand,
  actedOn,
  codeOf,
  hostileTexts,
  htmlOf,
  nodesOf,
  sourceOfWords,
  turned,
  wordsOf,
} from './hostile.ts'

const settings = someSettings()
const run = { run: { id: 'run-1' }, record: { hidden: [] } }
const { receipt } = sampleResult('T-1')
const proposal = (explanation: string): Proposal => ({
  strategy: 'ESCALATE',
  reason: 'unknown',
  explanation,
  tasks: [],
})

/** An attempt in which everything a stranger or a model can write says this. */
function saying(text: string) {
  const failure = {
    test: text,
    file: null,
    line: null,
    message: text,
    expected: text,
    actual: text,
    errorType: text,
    trace: [text],
  }
  const before = ['failed', 'not_run', 'guards'] as const
  const newTests = before.map((each) => ({ test: text, file: text, before: each }))
  return anAttempt({
    task: aTask({ title: text, details: text, model: text, owner: text }),
    draft: aDraft({
      summary: `${text}\n\nSays ${text}`,
      notes: [text],
      changes: [
        { action: 'create', path: text, content: text },
        { action: 'delete', path: `a${text}`, before: text },
      ],
    }),
    receipt: receipt && {
      ...receipt,
      commands: [{ command: text, exitCode: 1, seconds: 1 }],
      notes: [text],
      warnings: [text],
      newTests,
    },
    broken: [failure],
    failure: { ...hostileFailure(text), failures: [failure] },
  })
}

const hostileFailure = (text: string) => ({
  at: 'failed' as const,
  message: text,
  problems: [{ path: text, type: 'syntax' as const, message: `${text}!`, line: 1, column: 1 }],
  output: text,
})

describe('the body of a pull request', () => {
  it('counts what was hidden from the reader and kept from the model, of this task alone', () => {
    const one = { taskId: 'T-1', path: null, channel: 'HTML comment', line: 3, excerpt: '@team' }
    const hidden = [one, { ...one, line: 4 }, { ...one, path: 'a.md' }, { ...one, taskId: 'T-2' }]
    const { body } = writePullRequest(anAttempt(), { ...run, record: { hidden } }, settings)
    expect(body).toContain(
      "- Hidden text was kept from the model: 2 in the roadmap, 1 in a.md. The run's report quotes it.",
    )
    expect(body).not.toContain('@team')
  })

  it('warns first, and shows each command before and after', () => {
    const counts = { passed: 9, failed: 0, skipped: 1 }
    const commands = [
      { command: 'npm test', exitCode: 1, seconds: 1.25, counts, before: { exitCode: 0, counts } },
      {
        ...{ command: 'npm run lint', exitCode: null, seconds: 2, counts: null, before: null },
        output: 'a <b>\n```\nthe end',
      },
    ]
    const warnings = ['tests weakened: adds is skipped now (a.test.js:3)', 'b']
    const warned = receipt && { ...receipt, commands, warnings }
    const { body } = writePullRequest(
      anAttempt({ draft: aDraft(), receipt: warned }),
      run,
      settings,
    )
    expect(body).toMatch(
      /^> \[!WARNING\]\n> \*\*Look at this first\*\*\n> - tests weakened: adds is skipped now \(a\.test\.js:3\)\n> - b\n\nCompletes /,
    )
    expect(body).toContain(
      '| `npm test` | 9 passed, 0 failed, 1 skipped | 9 passed, 0 failed, 1 skipped | 1.3 s |\n| `npm run lint` | – | killed | 2.0 s |',
    )
    expect(body).toContain('The last lines of command 2')
    expect(body).toContain('````\na <b>\n```\nthe end\n````')
  })

  it.each([
    [{ importers: 3, tested: 1 }, ' It touches 3 importers, 1 tested.\n'],
    [{ importers: 1, tested: 0 }, ' It touches 1 importer, 0 tested.\n'],
    [{ importers: 0, tested: 0 }, null],
  ])('says how many files import what changed: %j', (touches, sentence) => {
    const touching = receipt && { ...receipt, touches }
    const { body } = writePullRequest(
      anAttempt({ draft: aDraft(), receipt: touching }),
      run,
      settings,
    )
    if (sentence === null) expect(body).not.toContain('importer')
    else expect(body).toContain(sentence)
  })

  it('says what was done, why it can be trusted, how to answer, and what it cost', () => {
    const attempt = anAttempt({
      draft: aDraft({
        summary: "Sure!\n\nAdds a greeting. It's short.",
        notes: ['src/x.js was left out: out of scope'],
      }),
      receipt: receipt && {
        ...receipt,
        newTests: (['failed', 'failed', 'not_run', 'guards', 'passed', 'unknown'] as const).map(
          (before, at) => ({ test: `test ${at}`, file: 'a.test.js', before }),
        ),
      },
      usage: usageOf(1812),
      testRepairs: 1,
      seconds: 4.25,
    })
    const { title, body } = writePullRequest(attempt, run, settings)
    expect(title).toBe('[Agent] Complete T-1: Add a greeting')
    const owned = { ...attempt, task: { ...attempt.task, owner: '@ada' } }
    expect(writePullRequest(owned, run, settings).body).toMatch(
      /^Completes \*\*T-1\*\*: Add a greeting \(owner: @\u200Bada\)\n/,
    )
    expect(body).toBe(`Completes **T-1**: Add a greeting

The model's summary: Adds a greeting.

\`+1 −0\` in 1 file: \`src/greet.js\` (new), and the tick in the roadmap.

**Verified** by \`npm test\`: 3 passed, 1 failed. The change adds no tests.

- 2 new tests fail without this change and pass with it: \`test 0\`, \`test 1\`
- 1 new test cannot load without the new code, and passes with it: \`test 2\`
- 1 new test passes before and after, and fails when the code it covers throws: \`test 3\`
- src/x.js was left out: out of scope
- one flaky test

**Change it**: \`/revise <what to change>\` · **Reject it**: \`/reject\` · **Undo it**, also once merged: \`/rollback\`

<sub>Run \`run-1\` · \`scripted\` · 1 request · 1 repair · 1,812 tokens (1,812 in, 0 out) · cost unknown · 4.3 s</sub>

<details><summary>What was run, before and after the change</summary>

| command | before | after | time |
|---|---|---|--:|
| \`npm test\` | – | exit code 0 | 1.5 s |

Sandbox: bubblewrap.

</details>

<!-- executor:task T-1 ${'1'.repeat(64)} -->
`)
  })

  it.each([
    ['unknown', 0, {}, 'cost unknown'],
    ['free', 0, { scripted: { prompt: 0, completion: 0 } }, '$0.0000'],
    ['paid', 0.0123, {}, '$0.0123'],
  ])('says of a price that is %s what is known', (_, dollars, prices, said) => {
    const usage = { ...usageOf(10), dollars }
    const priced = { ...settings, model: { ...settings.model, prices } }
    const { body } = writePullRequest(anAttempt({ draft: aDraft(), usage }), run, priced)
    expect(body).toContain(` · ${said} · `)
  })

  it('links to the log of the run, where it has one', () => {
    const runLog = 'https://github.example/ada/engine/actions/runs/7'
    const { body } = writePullRequest(anAttempt(), run, { ...settings, runLog })
    expect(body).toContain(`<sub>Run [\`run-1\`](${runLog}) · `)
  })

  it('offers to merge where an approval merges', () => {
    const { body } = writePullRequest(anAttempt({ draft: aDraft() }), run, {
      ...settings,
      merge: { onApprove: true, withoutChecks: false },
    })
    expect(body).toContain('**Merge it** when its checks are green: `/approve` · **Change it**')
  })

  it('shows what is decided on within fifteen lines, however much there is to say', () => {
    const many = (what: string) => Array.from({ length: 30 }, (_, at) => `${what} ${at}`)
    const newTests = many('test').flatMap((test) =>
      (['failed', 'not_run', 'guards'] as const).map((before) => ({ test, file: 'a', before })),
    )
    const changes = many('file').map((path) => ({ action: 'create', path, content: '' }) as const)
    const facts = { notes: many('note'), warnings: many('warning') }
    const full = receipt && { ...receipt, ...facts, newTests }
    const attempt = anAttempt({ draft: aDraft({ summary: 'One thing.', changes }), receipt: full })
    const failed = { ...attempt, failure: { ...hostileFailure('no'), failures: [] } }
    const bodies = [
      writePullRequest(attempt, run, settings).body,
      writeEscalation(failed, proposal('no'), run, settings).body,
    ]
    for (const body of bodies) {
      const shown = body.slice(0, body.indexOf('<details>'))
      expect(shown.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(15)
    }
    expect(bodies[0]).toContain('and 27 more, below')
    expect(bodies[0]).toContain('`file 3` (new) and 26 more')
    expect(bodies[0]).toContain('`file 29`')
  })

  it('claims nothing where nothing was run', () => {
    const empty = receipt && {
      ...receipt,
      result: 'unverified' as const,
      commands: [],
      notes: ['switched off'],
    }
    const { body } = writePullRequest(anAttempt({ draft: aDraft(), receipt: empty }), run, settings)
    const first = '**No test has checked this change.** switched off Try it before you merge it.'
    expect(body.indexOf(first)).toBe('> [!WARNING]\n> '.length)
    expect(body).toContain('**Not verified**: nothing was run.')
    expect(body.match(/switched off/g)).toHaveLength(1)
  })

  it('shows what a failed command printed once', () => {
    const command = { command: 'npm test', exitCode: 1, seconds: 1, output: 'one is not two' }
    const failed = receipt && { ...receipt, result: 'failed' as const, commands: [command] }
    const failure = {
      ...{ at: 'repairs_spent' as const, message: 'no' },
      problems: [],
      failures: [],
    }
    const shown = (output: string) =>
      writeEscalation(
        anAttempt({ receipt: failed, failure: { ...failure, output } }),
        proposal('no'),
        run,
        settings,
      ).body.match(/one is not two/g)
    expect(shown('one is not two')).toHaveLength(1)
    expect(shown('')).toHaveLength(1)
  })

  it('of a failed task says that it is not complete', () => {
    const { title } = writeEscalation(anAttempt(), proposal('no'), run, settings)
    expect(title).toMatch(/^\[Agent\] Did not complete T-1: /)
    const failed = writeCommitMessage(anAttempt(), run, 'needs-human', settings)
    expect(failed.split('\n')[0]).toBe(title)
  })

  it('says that the code was there already', () => {
    const draft = aDraft({ changes: [], claimsDone: true })
    const { body } = writePullRequest(anAttempt({ draft, receipt }), run, settings)
    expect(body).toContain('The code already does this, so no file changes but the roadmap')
  })

  it('names the files of a hostile change in code', () => {
    const draft = aDraft({ changes: [{ action: 'create', path: 'a`@team`.js', content: '' }] })
    const { body } = writePullRequest(anAttempt({ draft }), run, settings)
    expect(wordsOf(body)).not.toMatch(actedOn)
  })
})

describe.each([
  ['a finished task', (text: string) => writePullRequest(saying(text), run, settings)],
  ['a failed task', (text: string) => writeEscalation(saying(text), proposal(text), run, settings)],
  [
    'an adopted branch',
    (text: string) =>
      writeAdoptedPullRequest(
        saying(text).task,
        { name: 'agent/T-1', sha: '', parent: null, trailers: { 'Executor-Receipt': text } },
        settings,
      ),
  ],
])('hostile words in the pull request of %s', (_, write) => {
  const skeleton = (body: string) => htmlOf(body).filter((html) => !html.startsWith('<!--'))

  it.each(hostileTexts)('do nothing: %j', (text) => {
    const { title, body } = write(text)
    expect(wordsOf(body)).not.toMatch(actedOn)
    expect(`${wordsOf(body)}${codeOf(body)}`).not.toMatch(turned)
    expect(sourceOfWords(body)).not.toMatch(aCommand)
    expect(title).not.toMatch(actedOn)
    expect(title).not.toContain('\n')
    expect(skeleton(body)).toEqual(skeleton(write('calm').body))
    expect(htmlOf(body).filter((html) => html.startsWith('<!--'))).toEqual([taskMarker(aTask())])
    expect(nodesOf(body).filter(({ type }) => type === 'image')).toEqual([])
    expect(readTaskMarker(body)).toEqual({ id: 'T-1', fingerprint: '1'.repeat(64) })
  })
})

describe('60,000 characters from a stranger', () => {
  const marker = `<!-- executor:proposal T-1 ${'a'.repeat(40)} ${'b'.repeat(64)} 2026-01-02T03:04:05Z -->`
  const long = ['@everyone fixes #3 ', '`', '<details>', 'a\n', '> [!NOTE]\n'].map((piece) =>
    piece.repeat(Math.ceil(60_000 / piece.length)),
  )

  it.each(long)('leave a body that GitHub takes, with its hidden lines: %#', (text) => {
    const bodies = [
      writePullRequest(saying(text), run, settings).body,
      writeEscalation(saying(text), proposal(text), run, settings).body,
    ]
    for (const body of bodies) {
      const bound = boundMarkdown(`${body.trimEnd()}\n${marker}\n`, 65_536)
      expect(bound.length).toBeLessThanOrEqual(65_536)
      expect(readTaskMarker(bound)).toEqual({ id: 'T-1', fingerprint: '1'.repeat(64) })
      expect(readProposalMarker(bound)?.sha).toBe('a'.repeat(40))
      expect(wordsOf(bound)).not.toMatch(actedOn)
    }
  })
})

it('keeps what an approval is bound to when a path is allowed', () => {
  const mark = {
    task: 'T-1',
    sha: 'a'.repeat(40),
    hash: 'b'.repeat(64),
    at: '2026-01-02T03:04:05Z',
  }
  const { body } = writePullRequest(anAttempt({ draft: aDraft() }), run, settings)
  const allowed = withGrant(`${body}${proposalMarker(mark)}\n`, { path: 'a.js', by: 'ada' })
  expect(readProposalMarker(allowed)).toEqual(mark)
  expect(readTaskMarker(allowed)?.id).toBe('T-1')
  expect(readGrants(allowed)).toEqual([{ path: 'a.js', by: 'ada' }])
})
