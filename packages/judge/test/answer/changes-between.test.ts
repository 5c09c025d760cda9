import { expect, it } from 'vitest'
import { type ChangeSet, changesBetween } from '../../../change/change-set.ts'

const create = (content: string): ChangeSet => [{ action: 'create', path: 'a', content }]
const modify = (content: string): ChangeSet => [
  { action: 'modify', path: 'a', before: '0', content },
]
const remove: ChangeSet = [{ action: 'delete', path: 'a', before: '0' }]

it.each<[string, ChangeSet, ChangeSet, ChangeSet]>([
  ['the same', modify('1'), modify('1'), []],
  ['a new change', [], modify('1'), modify('1')],
  [
    'another text',
    modify('1'),
    modify('2'),
    [{ action: 'modify', path: 'a', before: '1', content: '2' }],
  ],
  [
    'a change taken back',
    modify('1'),
    [],
    [{ action: 'modify', path: 'a', before: '1', content: '0' }],
  ],
  ['a new file taken back', create('1'), [], [{ action: 'delete', path: 'a', before: '1' }]],
  ['a deleted file brought back', remove, [], create('0')],
  ['a changed file deleted', modify('1'), remove, [{ action: 'delete', path: 'a', before: '1' }]],
])('%s', (_, first, second, expected) => {
  expect(changesBetween(first, second)).toEqual(expected)
})
