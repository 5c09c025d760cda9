import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type ChangeSet,
  changeBetween,
  type FileChange,
  mergeChangeSets,
  overlay,
} from '../change-set.ts'

const path = 'a.js'
const create = (content: string): FileChange => ({ action: 'create', path, content })
const modify = (before: string, content: string): FileChange => ({
  action: 'modify',
  path,
  before,
  content,
})
const remove = (before: string): FileChange => ({ action: 'delete', path, before })

describe('mergeChangeSets', () => {
  test.each([
    ['create, modify', create('a'), modify('a', 'b'), [create('b')]],
    ['create, delete', create('a'), remove('a'), []],
    ['modify, modify', modify('a', 'b'), modify('b', 'c'), [modify('a', 'c')]],
    ['modify, back', modify('a', 'b'), modify('b', 'a'), []],
    ['modify, delete', modify('a', 'b'), remove('b'), [remove('a')]],
    ['delete, create', remove('a'), create('b'), [modify('a', 'b')]],
    ['delete, create the same', remove('a'), create('a'), []],
  ])('%s', (_, first, second, merged) => {
    expect(mergeChangeSets([first], [second])).toEqual(merged)
  })

  const states = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('', 'x', 'y'))
  const changesFrom = (
    before: Readonly<Record<string, string>>,
    after: Readonly<Record<string, string>>,
  ): ChangeSet =>
    ['a', 'b', 'c', 'd'].flatMap((name) => changeBetween(name, before[name], after[name]) ?? [])

  it('does in one step what two do, and nothing else', () => {
    fc.assert(
      fc.property(states, states, states, (first, second, third) => {
        const merged = mergeChangeSets(changesFrom(first, second), changesFrom(second, third))
        const byPath = (a: FileChange, b: FileChange) => a.path.localeCompare(b.path)
        expect([...merged].sort(byPath)).toEqual(changesFrom(first, third))
        const read = overlay((name) => first[name], merged)
        for (const name of ['a', 'b', 'c', 'd']) expect(read(name)).toBe(third[name])
      }),
    )
  })
})
