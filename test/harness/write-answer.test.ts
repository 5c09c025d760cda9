import { applyPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { changedLines, lineChanges, linesOf } from '../../harness/line-changes.ts'
import { cannotSay, writeAnswer } from '../../harness/replay/write-answer.ts'

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '  d', 'é'), { minLength: 1, maxLength: 30 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''))

test('the changes of lines lead from one text to the other', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      expect(changedLines(linesOf(before), lineChanges(before, after))).toBe(after)
    }),
  )
})

test('each SEARCH is there once, and made one after the other they lead to the text', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const answer = writeAnswer('edits', [{ path: 'a.txt', before, after }])
      const blocks = [
        ...answer.matchAll(/<<<<<<< SEARCH\n([\s\S]*?)=======\n([\s\S]*?)>>>>>>> REPLACE\n/g),
      ]
      let at = 0
      let made = ''
      for (const [, search = '', replace = ''] of blocks) {
        const found = before.indexOf(search, at)
        expect(`\n${before}`.split(`\n${search}`).length).toBeGreaterThan(1)
        expect(`\n${before}`.indexOf(`\n${search}`, found + 1)).toBe(-1)
        made += before.slice(at, found) + replace
        at = found + search.length
      }
      expect(made + before.slice(at)).toBe(after)
    }),
  )
})

test('the diff leads from one text to the other', () => {
  fc.assert(
    fc.property(texts, texts, fc.boolean(), (before, text, isOpen) => {
      const after = isOpen ? text.slice(0, -1) : text
      if (after === before || after === '') return
      const answer = writeAnswer('diff', [{ path: 'a.txt', before, after }])
      const diff = answer.split('\n').slice(2, -3).join('\n')
      expect(applyPatch(before, `${diff}\n`)).toBe(after)
    }),
  )
})

describe('what an answer looks like', () => {
  const before = 'one\ntwo\nthree\n'
  it.each([
    [
      'an edit',
      'edits',
      { path: 'a.txt', before, after: 'one\n2\nthree\n' },
      'a.txt\n```\n<<<<<<< SEARCH\none\ntwo\nthree\n=======\none\n2\nthree\n>>>>>>> REPLACE\n```\n\n',
    ],
    [
      'a new file',
      'edits',
      { path: 'a.txt', before: null, after: before },
      `a.txt\n\`\`\`\n${before}\`\`\`\n\n`,
    ],
    ['a file that goes', 'diff', { path: 'a.txt', before, after: null }, 'DELETE: a.txt\n\n'],
    [
      'a new file as a diff',
      'diff',
      { path: 'a.txt', before: null, after: 'one\n' },
      'a.txt\n```diff\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+one\n```\n\n',
    ],
    [
      'a fence in a file',
      'files',
      { path: 'a.md', before: null, after: '````js\n````\n' },
      'a.md\n`````\n````js\n````\n`````\n\n',
    ],
  ] as const)('%s', (_, shape, change, answer) => {
    expect(writeAnswer(shape, [change])).toBe(answer)
  })

  it.each([
    ['edits', 'a\n', 'b\n', true],
    ['edits', 'a', 'b', true],
    ['edits', 'a', 'b\n', false],
    ['files', null, 'b', false],
    ['files', 'a\n', '', true],
    ['diff', 'a', 'b\n', true],
  ] as const)('%s can say how %j becomes %j: %s', (shape, from, after, isSaid) => {
    expect(cannotSay(shape, [{ path: 'a.txt', before: from, after }]) === null).toBe(isSaid)
  })

  it('an answer ends where a model must stop', () => {
    const [before, after] = ['word '.repeat(16_000), `${'word '.repeat(16_000)}more`]
    const change = {
      path: 'a.txt',
      before: `${before}\nx\ny\nz\nend\n`,
      after: `${before}\nx\ny\nz\nEND\n`,
    }
    expect(cannotSay('edits', [change])).toBeNull()
    expect(cannotSay('files', [{ ...change, after }])).toMatch(/line break/)
    expect(cannotSay('files', [change])).toBe('an answer of more than 16000 tokens')
  })
})
