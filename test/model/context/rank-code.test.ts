import { describe, expect, it } from 'vitest'
import type { CodeIndex, PastCommit } from '../../../src/core/ports/code-index.ts'
import { rankCode, soughtWords } from '../../../src/model/context/rank-code.ts'

/** Parts as `path:line` with a score, by word. */
function indexWith(
  parts: Readonly<Record<string, Readonly<Record<string, number>>>>,
  commits: readonly PastCommit[] = [],
): CodeIndex {
  return {
    partsWith: (word) =>
      Object.entries(parts[word] ?? {}).map(([place, score]) => {
        const [path = '', first = '1'] = place.split(':')
        return { path, first: Number(first), last: Number(first) + 9, score }
      }),
    importers: () => [],
    commits,
  }
}

const ranked = (index: CodeIndex, ...words: readonly string[]) =>
  rankCode(index, words).files.map(({ path }) => path)

describe('the order of files', () => {
  it('prefers the file with more of the words, wherever they are in it', () => {
    const index = indexWith({
      cart: { 'a.ts:1': 2, 'b.ts:1': 3 },
      total: { 'a.ts:90': 2 },
    })
    expect(ranked(index, 'cart', 'total')).toEqual(['a.ts', 'b.ts'])
  })

  it('prefers, of files with the same words, the one that has them in one part', () => {
    const index = indexWith({
      cart: { 'a.ts:1': 2, 'b.ts:1': 2 },
      total: { 'a.ts:90': 2, 'b.ts:1': 2 },
    })
    expect(ranked(index, 'cart', 'total')).toEqual(['b.ts', 'a.ts'])
  })

  it('finds files by commits with such subjects, and counts them', () => {
    const commits = [
      { title: '', words: ['unlike'], paths: ['c.ts', 'd.ts'] },
      { title: '', words: ['cart', 'rounding'], paths: ['b.ts'] },
    ]
    const { files } = rankCode(indexWith({ cart: { 'a.ts': 1 } }, commits), ['cart', 'rounding'])
    expect(files.map(({ path, commits: count }) => [path, count])).toEqual([
      ['a.ts', 0],
      ['b.ts', 1],
    ])
  })

  it('trusts a commit of one file more than one of many, and a new one more than an old one', () => {
    const other = { title: '', words: ['unlike'], paths: ['z.ts'] }
    const commits = [
      { words: ['cart'], paths: ['many1.ts', 'many2.ts', 'many3.ts'] },
      { words: ['cart'], paths: ['new.ts'] },
      ...Array(900).fill(other),
      { words: ['cart'], paths: ['old.ts'] },
    ]
    const [first, ...others] = ranked(indexWith({}, commits), 'cart')
    expect([first, others.at(-1)]).toEqual(['new.ts', 'old.ts'])
  })

  it('does not list a file for recent changes alone, and weighs rare words more', () => {
    const parts = { cart: { 'a.ts': 1 }, the: { 'a.ts:1': 1, 'b.ts:1': 1, 'c.ts:1': 1 } }
    const { files, weights } = rankCode(
      indexWith(parts, [{ title: '', words: [], paths: ['z.ts'] }]),
      ['cart', 'the'],
    )
    expect(files.map(({ path }) => path)).not.toContain('z.ts')
    expect(weights.get('cart')).toBeGreaterThan(weights.get('the') ?? 1)
  })

  it('has nothing for words that are nowhere', () => {
    expect(ranked(indexWith({}), 'cart')).toEqual([])
  })
})

describe('the words to look for', () => {
  it('are names as a whole, and the words that tell files apart, up to a bound', () => {
    expect(soughtWords('Fix the `looseEqual` function for symbols')).toEqual([
      ...['looseequal', 'loose', 'equal', 'symbol'],
    ])
    const long = Array.from({ length: 500 }, (_, index) => `word${index}x`).join(' ')
    expect(soughtWords(long).length).toBe(24)
  })
})
