import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../../packages/text/words/words.ts'
import { readTaskMarker, taskMarker } from '../../../src/core/domain/identity.ts'
import type { ScratchEntry, Scratchpad } from '../../../src/core/journal/fold-scratchpad.ts'
import { writePullRequest } from '../../../src/publish/report/write-pull-request.ts'
import { foldNotes, writeScratchpad } from '../../../src/publish/report/write-scratchpad.ts'
import { anAttempt, aTask, someSettings } from '../../fakes/facts.ts'
import { runs } from '../../property-runs.ts'
import { actedOn, codeOf, hostileTexts, htmlOf, nodesOf, turned, wordsOf } from './hostile.ts'

const aTurn = (turn: number, facts: Partial<Extract<ScratchEntry, { kind: 'turn' }>> = {}) => ({
  ...{ kind: 'turn' as const, attempt: 1, turn, tool: 'grep', input: '{"words":"total"}' },
  ...{ thought: '', observation: `src/a.js:${turn}: total`, summary: '3 in 2 files', isOk: true },
  ...facts,
})
const padOf = (...entries: readonly ScratchEntry[]): Scratchpad => ({ task: 'T-1', entries })

/** A scratchpad in which everything that a model or a test can write says this. */
const saying = (text: string): Scratchpad =>
  padOf(
    { kind: 'plan', attempt: 1, complexity: 'low', files: [text], steps: [text] },
    aTurn(0, { tool: text, input: text, thought: text, observation: text, summary: text }),
    aTurn(1, { input: JSON.stringify({ words: text }), observation: `${text}\n${text}` }),
    { kind: 'problem', attempt: 1, node: 'verify_task', message: text },
    { kind: 'reflection', attempt: 1, lines: [text, text] },
    { kind: 'repair', attempt: 1, node: 'repair_test', outcome: 'repaired' },
    { kind: 'verdict', attempt: 1, verdict: 'failed', reason: text },
  )

const shapeOf = (markdown: string) => nodesOf(markdown).map(({ type }) => type)

const more = [
  '</details>\n\n@everyone',
  'Fixes #1\n\nfixes #2',
  'a\n```\n````\n</details>\n',
  '~~~\n@everyone',
  `\u202E${'evil '.repeat(30)}`,
  `<!-- executor:task T-9 ${'0'.repeat(64)} -->`,
]

describe('hostile text in a scratchpad', () => {
  const written = (pad: Scratchpad) => [foldNotes(pad, 1), writeScratchpad(pad, 'run-1', 4_000)]

  it.each([...hostileTexts, ...more])('is inert: %j', (text) => {
    const calm = written(saying('calm words'))
    for (const [index, markdown] of written(saying(text)).entries()) {
      expect(wordsOf(markdown)).not.toMatch(actedOn)
      // A squashed commit repeats the body as plain text.
      expect(markdown).not.toMatch(actedOn)
      expect(`${wordsOf(markdown)}${codeOf(markdown)}${markdown}`).not.toMatch(
        /[\u202A-\u202E\u2066-\u2069]/,
      )
      expect(`${wordsOf(markdown)}${codeOf(markdown)}`).not.toMatch(turned)
      expect(htmlOf(markdown)).toEqual(htmlOf(calm[index] ?? ''))
      expect(markdown.match(/<!--/g)).toBeNull()
      expect(shapeOf(markdown).filter((type) => type === 'code')).toHaveLength(2)
    }
  })

  it('leaves a pull request its own last line', () => {
    for (const text of [...hostileTexts, ...more]) {
      const notes = foldNotes(saying(text), 1)
      const { body } = writePullRequest(
        anAttempt(),
        { run: { id: 'run-1' }, record: { hidden: [] } },
        someSettings(),
        { notes },
      )
      expect(body.trimEnd().endsWith(taskMarker(aTask()))).toBe(true)
      expect(readTaskMarker(body)?.id).toBe('T-1')
    }
  })

  it('is bounded, whatever was thought and seen', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom(
        '&lt;'.repeat(500),
        '`'.repeat(4_000),
        'x'.repeat(1_000_000),
        '\n'.repeat(9_000),
      ),
      fc.constantFrom('@a#1'.repeat(2_000), '日'.repeat(8_000), 'a\n'.repeat(8_000)),
    )
    const entry = fc.oneof(
      text.map(
        (said): ScratchEntry => aTurn(0, { thought: said, observation: said, summary: said }),
      ),
      fc.array(text, { maxLength: 40 }).map(
        (lines): ScratchEntry => ({
          ...{ kind: 'plan', attempt: 1, complexity: 'low', files: lines, steps: lines },
        }),
      ),
      text.map((said): ScratchEntry => aTurn(1, { tool: said, input: said })),
      text.map(
        (message): ScratchEntry => ({ ...{ kind: 'problem', attempt: 1, node: 'think', message } }),
      ),
    )
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 60 }),
        fc.integer({ min: 500, max: 4_000 }),
        (entries, over) => {
          const pad = padOf(...entries)
          expect(foldNotes(pad, 1).length).toBeLessThanOrEqual(8_000)
          expect(estimateTokens(writeScratchpad(pad, 'run-1', over))).toBeLessThanOrEqual(over)
        },
      ),
      { numRuns: runs(60) },
    )
  })
})

describe('a scratchpad', () => {
  it('reads as it went', () => {
    const pad = padOf(
      { kind: 'plan', attempt: 1, complexity: 'low', files: ['src/a.js'], steps: ['Find it.'] },
      aTurn(0, { thought: 'Where is it?' }),
      aTurn(1, { tool: 'run_tests', input: '{}', summary: 'failed: adds', observation: '1 != 2' }),
      { kind: 'reflection', attempt: 1, lines: ['I assumed it.', 'Do otherwise.'] },
      { kind: 'repair', attempt: 1, node: 'repair_test', outcome: 'repaired' },
      { kind: 'problem', attempt: 1, node: 'verify_task', message: 'adds: 1 != 2' },
      { kind: 'verdict', attempt: 1, verdict: 'tested', reason: 'passed' },
    )
    expect(
      foldNotes(pad, 1),
    ).toBe(`<details><summary>How the change came about (2 tool calls)</summary>

- **Plan**, low complexity: \`src/a.js\`
  - Find it.
- Where is it?
  ⚒ \`grep "total"\` → 3 in 2 files

  \`\`\`
  src/a.js:0: total
  \`\`\`

- ⚒ \`run_tests\` → failed: adds

  \`\`\`
  1 != 2
  \`\`\`

- **Why it failed**
  - I assumed it.
  - Do otherwise.
- **Repair** after the tests
- **Problem** in \`verify_task\`: adds: 1 != 2
- **Tests**: they pass

</details>`)
  })

  it.each<[string, readonly ScratchEntry[]]>([
    ['no step', []],
    [
      'a first change that passed',
      [{ kind: 'verdict', attempt: 1, verdict: 'tested', reason: 'passed' }],
    ],
    [
      'a problem that the verdict tells',
      [
        { kind: 'problem', attempt: 1, node: 'verify_task', message: 'x' },
        { kind: 'verdict', attempt: 1, verdict: 'failed', reason: 'x' },
      ],
    ],
    ['another attempt', [aTurn(0, { attempt: 2 })]],
  ])('has nothing to tell of %s', (_, entries) => {
    expect(foldNotes(padOf(...entries), 1)).toBe('')
  })

  it('shrinks from its oldest observation on, then to counts, the same each time', () => {
    const long = (turn: number) =>
      aTurn(turn, { observation: `seen ${turn} ${'word\n'.repeat(400)}` })
    const pad = padOf(...Array.from({ length: 400 }, (_, turn) => long(turn)))
    const markdown = writeScratchpad(pad, 'run-1', 2_000)
    expect(markdown).toBe(writeScratchpad(pad, 'run-1', 2_000))
    expect(markdown).toMatch(/Before that: \d+ tool calls \(\d+ `grep`\)\./)
    const shown = markdown.match(/⚒/g)?.length ?? 0
    const seen = markdown.match(/seen \d+/g) ?? []
    expect(shown).toBeGreaterThan(seen.length)
    const few = writeScratchpad(
      padOf(...Array.from({ length: 30 }, (_, turn) => long(turn))),
      'run-1',
      4_000,
    )
    expect(few).not.toContain('Before that')
    expect(few.match(/⚒/g)).toHaveLength(30)
    expect(few).toContain('seen 29')
    expect(few).not.toContain('seen 0 ')
  })
})
