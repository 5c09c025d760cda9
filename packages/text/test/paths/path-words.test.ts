import { describe, expect, it } from 'vitest'
import { isPathWord, looksLikePath } from '../../paths/check-path.ts'

describe('a word', () => {
  it.each([
    ['socket.js', true],
    ['nest.js', true],
    ['src/node.js', true],
    ['node.js', false],
    ['ASP.NET', false],
    ['application/json', false],
  ])('%s names a file: %s', (word, expected) => {
    expect(looksLikePath(word, 'marked')).toBe(expected)
    expect(isPathWord(word)).toBe(expected)
  })
})
