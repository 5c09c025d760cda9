import { describe, expect, it } from 'vitest'
import type { Proposal } from '../../../src/core/domain/attempt.ts'
import { readTaskMarker, taskMarker } from '../../../src/core/domain/identity.ts'
import {
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
  hostileTexts,
  htmlOf,
  nodesOf,
  sourceOfWords,
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
  return anAttempt({
    task: aTask({ title: text, details: text, model: text }),
    draft: aDraft({ summary: text, notes: [text] }),
    receipt: receipt && {
      ...receipt,
      commands: [{ command: text, exitCode: 1, seconds: 1 }],
      notes: [text],
      warnings: [text],
    },
    broken: [failure],
    failure: {
      at: 'failed',
      message: text,
      problems: [{ path: 'a.js', type: 'syntax', message: text, line: 1, column: 1 }],
      failures: [failure],
      output: text,
    },
  })
}

describe('the body of a pull request', () => {
  it('counts what was hidden from the reader and kept from the model, of this task alone', () => {
    const one = { taskId: 'T-1', path: null, channel: 'HTML comment', line: 3, excerpt: '@team' }
    const hidden = [one, { ...one, line: 4 }, { ...one, path: 'a.md' }, { ...one, taskId: 'T-2' }]
    const { body } = writePullRequest(anAttempt(), { ...run, record: { hidden } }, settings)
    expect(body).toContain(
      "- Text that a reader does not see was kept from the model: 2 in the roadmap, 1 in a.md. The run's report shows it.",
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
      /^> \[!WARNING\]\n> \*\*Look at this first\*\*\n> - tests weakened: adds is skipped now \(a\.test\.js:3\)\n> - b\n\nCompletes/,
    )
    expect(body).toContain(
      '| `npm test` | 9 passed, 0 failed, 1 skipped | 9 passed, 0 failed, 1 skipped | 1.3 s |\n| `npm run lint` | – | killed | 2.0 s |',
    )
    expect(body).toContain('The last lines of command 2')
    expect(body).toContain('````\na <b>\n```\nthe end\n````')
  })

  it('says what was done, why it can be trusted, and what it cost', () => {
    const attempt = anAttempt({
      draft: aDraft({ notes: ['src/x.js was left out: out of scope'] }),
      receipt,
      usage: usageOf(812),
      testRepairs: 1,
      seconds: 4.25,
    })
    const { title, body } = writePullRequest(attempt, run, settings)
    expect(title).toBe('[Agent] Complete T-1: Add a greeting')
    expect(body).toBe(`Completes **T-1**: Add a greeting

- create \`src/greet.js\`
- tick the task in the roadmap

### Verification
**passed**: 3 passed, 1 failed

| command | before | after | time |
|---|---|---|--:|
| \`npm test\` | – | exit code 0 | 1.5 s |

Sandbox: bubblewrap.

### Notes
- src/x.js was left out: out of scope
- one flaky test

<details><summary>The task, as the roadmap has it</summary>

\`\`\`markdown
Add a greeting
\`\`\`

</details>

<details><summary>How it was made</summary>

| | |
|---|---|
| run | \`run-1\` |
| attempt | 1 |
| repairs | 0 before writing, 1 after tests |
| model | \`scripted\`, 1 requests |
| tokens | 812 (812 in, 0 out) |
| cost | $0.0000 |
| time | 4.3 s |

</details>

<!-- executor:task T-1 ${'1'.repeat(64)} -->
`)
  })

  it('claims nothing where nothing was run', () => {
    const empty = receipt && {
      ...receipt,
      result: 'unverified' as const,
      commands: [],
      notes: ['switched off'],
    }
    const { body } = writePullRequest(anAttempt({ draft: aDraft(), receipt: empty }), run, settings)
    const first = 'No test has seen this work. switched off Try it yourself before you merge it.'
    expect(wordsOf(body).indexOf(first)).toBeGreaterThan(-1)
    expect(body.indexOf('No test has seen')).toBeLessThan(body.indexOf('Completes'))
    expect(body).toContain('**unverified**: nothing was run.')
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
  })

  it('says that the code was there already', () => {
    const draft = aDraft({ changes: [], claimsDone: true })
    const { body } = writePullRequest(anAttempt({ draft, receipt }), run, settings)
    expect(body).toContain('only the roadmap is ticked')
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
    expect(sourceOfWords(body)).not.toMatch(aCommand)
    expect(title).not.toMatch(actedOn)
    expect(title).not.toContain('\n')
    expect(skeleton(body)).toEqual(skeleton(write('calm').body))
    expect(htmlOf(body).filter((html) => html.startsWith('<!--'))).toEqual([taskMarker(aTask())])
    expect(nodesOf(body).filter(({ type }) => type === 'image')).toEqual([])
    expect(readTaskMarker(body)).toEqual({ id: 'T-1', fingerprint: '1'.repeat(64) })
  })
})
