import { describe, expect, test } from 'vitest'
import { readSnippets } from '../../scores/read-snippets.ts'
import { missed } from '../../scores/score.ts'
import { loadSnippets, scoreValidation, snippetLanguages } from '../../scores/validation.ts'

describe('validation of hand-written texts', () => {
  test('refuses no good text, and misses no more mistakes than the parsers are known to', async () => {
    const score = await scoreValidation()
    expect(missed(score)).toEqual([])
    expect(score.rows).toHaveLength(2 * snippetLanguages.length)
  })

  test.each(snippetLanguages)('has 20 good texts and 24 mistakes of %s', async (language) => {
    const { valid, mistakes } = await loadSnippets(language)
    expect(new Set(valid.map(({ name }) => name)).size).toBe(20)
    expect(new Set(mistakes.map(({ text }) => text)).size).toBe(24)
    for (const { before, text } of mistakes) expect(text).not.toBe(before)
  })
})

describe('readSnippets', () => {
  const head = 'path: a.js\n@@ one\nlet a = 1\nlet b = 1\n\n@@ two | b.ts\nlet c\n'

  test('reads texts, and edits that are made to them', () => {
    const source = `${head}@! renamed of one\n-let b\n+let c\n@! cut of one\n-a = 1\n+a\n~\n`
    expect(readSnippets(source)).toEqual({
      valid: [
        { name: 'one', path: 'a.js', text: 'let a = 1\nlet b = 1\n' },
        { name: 'two', path: 'b.ts', text: 'let c\n' },
      ],
      mistakes: [
        expect.objectContaining({ name: 'renamed of one', text: 'let a = 1\nlet c = 1\n' }),
        expect.objectContaining({ name: 'cut of one', text: 'let a' }),
      ],
    })
  })

  test.each([
    ['a part that is not there', `${head}@! x of one\n-let z\n+let y\n`],
    ['a part that is there twice', `${head}@! x of one\n-= 1\n+= 2\n`],
    ['no part at all', `${head}@! x of one\n+= 2\n`],
    ['a text that is not there', `${head}@! x of three\n-let\n+var\n`],
    ['no path', '@@ one\nlet a\n'],
  ])('throws at %s', (_name, source) => {
    expect(() => readSnippets(source)).toThrow()
  })
})
