import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compoundNames, indexWords, readCodeParts } from '../../../src/text/source/code-parts.ts'

const namesIn = (path: string, text: string) =>
  readCodeParts(path, text).definitions.map(({ name, line }) => `${name}:${line}`)

describe('the names that a text declares', () => {
  it.each([
    ['a.ts', 'import { b } from "./b"\nexport async function run(b) {}', ['run:2']],
    [
      'a.ts',
      'export const limit = 1\nclass Cart {\n  total(item) {\n',
      ['limit:1', 'Cart:2', 'total:3'],
    ],
    ['a.py', 'import os\nclass Cart:\n    async def total(self):', ['Cart:2', 'total:3']],
    [
      'a.go',
      'package cart\nfunc (c *Cart) Total() int {\ntype Item struct {',
      ['Total:2', 'Item:3'],
    ],
    ['a.rs', 'use crate::a;\npub(crate) fn total() {}\nimpl Cart {', ['total:2', 'Cart:3']],
    ['a.rb', "require 'set'\nmodule Shop\n  def self.total?(x)", ['Shop:2', 'total?:3']],
    [
      'A.java',
      'import a.B;\npublic class Cart {\n  private int total(int a) {',
      ['Cart:2', 'total:3'],
    ],
    ['a.test.ts', "describe('total', () => {\n  it('sums', () => {", []],
  ])('%s: %s', (path, text, names) => {
    expect(namesIn(path, text)).toEqual(names)
  })
})

describe('the parts of a text', () => {
  it('cover the lines with words once, in order, in parts of at most 60 lines', () => {
    const line = fc.constantFrom('', 'export function total() {', '  return price * 2', '}', '  //')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 300 }), (lines) => {
        const { parts } = readCodeParts('a.ts', lines.join('\n'))
        const covered = parts.flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, offset) => first + offset),
        )
        expect(covered).toEqual([...new Set(covered)].toSorted((a, b) => a - b))
        for (const { first, last } of parts) expect(last - first).toBeLessThan(60)
        const worded = lines.flatMap((each, index) => (indexWords(each) === '' ? [] : [index + 1]))
        expect(covered).toEqual(expect.arrayContaining(worded))
      }),
    )
  })

  it.each([
    ['one endless line', 'total '.repeat(200_000), 1],
    ['100,000 lines', 'total()\n'.repeat(100_000), 334],
    ['only brackets', '(<{'.repeat(100_000), 0],
    ['spaces before nothing', `${' '.repeat(300_000)}(`, 0],
  ])('are bounded: %s', (_, text, count) => {
    expect(readCodeParts('a.js', text).parts).toHaveLength(count)
  })
})

describe('words', () => {
  it('has the words of a name and the name itself', () => {
    expect(indexWords('parseHTML(loose_equal, x)')).toBe(
      'parse html loose equal parsehtml looseequal',
    )
    expect(compoundNames('a plain `Title` and __init__ or MAX_SIZE')).toEqual(['maxsize'])
  })
})
