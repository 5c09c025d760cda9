import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isOneEditApart } from '../../words/words.ts'

it.each([
  ['lodash', 'lodash', false],
  ['lodash', 'lodas', true],
  ['lodash', 'lodashs', true],
  ['lodash', 'l0dash', true],
  ['lodash', 'lodahs', true],
  ['lodash', 'oldash', true],
  ['lodash', 'ldoahs', false],
  ['lodash', 'loads', false],
  ['', 'a', true],
  ['', '', false],
  ['ab', 'ba', true],
  ['abc', 'cba', false],
])('%s and %s are one edit apart: %s', (one, other, expected) => {
  expect(isOneEditApart(one, other)).toBe(expected)
  expect(isOneEditApart(other, one)).toBe(expected)
})

it('finds every single edit', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(letters, fc.nat(), fc.constantFrom('a', 'b', 'x'), (word, seed, letter) => {
      const at = seed % word.length
      const edited = [
        word.slice(0, at) + word.slice(at + 1),
        word.slice(0, at) + letter + word.slice(at),
        word.slice(0, at) + letter + word.slice(at + 1),
      ]
      for (const each of edited) expect(isOneEditApart(word, each)).toBe(each !== word)
    }),
  )
})
