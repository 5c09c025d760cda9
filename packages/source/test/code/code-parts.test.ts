import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compoundNames, indexWords, readCodeParts } from '../../code/code-parts.ts'

describe('the words of declarations', () => {
  it.each([
    [
      'a.ts',
      'import { b } from "./b"\nexport function runAll() {}\nrest()',
      'export function run all runall',
    ],
    [
      'a.ts',
      'export const limit = 1\nclass Cart {\n  total(item) {\n',
      'export const limit class cart total item',
    ],
    [
      'a.py',
      'import os\nclass Cart:\n    async def total(self):\nrest()',
      'class cart async def total self',
    ],
    [
      'a.go',
      'package cart\nfunc (c *Cart) Total() int {\n}\ntype Item struct {',
      'func cart total int type item struct',
    ],
    [
      'a.rs',
      'use crate::a;\npub(crate) fn total() {}\nimpl Cart {',
      'pub crate fn total impl cart',
    ],
    ['a.rb', "require 'set'\nmodule Shop\n  def self.total?(x)", 'module shop def self total'],
    [
      'A.java',
      'import a.B;\npublic class Cart {\n  private int total(int a) {',
      'public class cart private int total int',
    ],
    [
      'a.test.ts',
      "describe('total', () => {\n  it('sums', () => {\n    rest()",
      'describe total it sum',
    ],
  ])('%s: %s', (path, text, names) => {
    expect(readCodeParts(path, text).map((part) => part.names)).toEqual([names])
  })
})

describe('the parts of a text', () => {
  it('cover the lines with words once, in order, in parts of at most 60 lines', () => {
    const line = fc.constantFrom('', 'export function total() {', '  return price * 2', '}', '  //')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 300 }), (lines) => {
        const parts = readCodeParts('a.ts', lines.join('\n'))
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
    expect(readCodeParts('a.js', text)).toHaveLength(count)
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
