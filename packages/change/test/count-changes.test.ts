import { expect, it } from 'vitest'
import { type ChangeSet, countChanges } from '../change-set.ts'

const lines = (count: number, word = 'x') =>
  Array.from({ length: count }, (_, line) => `${word}${line}\n`).join('')

it.each<[string, ChangeSet, [files: number, added: number, removed: number]]>([
  ['nothing', [], [0, 0, 0]],
  ['a new file', [{ action: 'create', path: 'a', content: 'one\ntwo\n' }], [1, 2, 0]],
  ['an empty file', [{ action: 'create', path: 'a', content: '' }], [1, 0, 0]],
  ['a deleted file', [{ action: 'delete', path: 'a', before: 'one\ntwo' }], [1, 0, 2]],
  [
    'an edit, whatever ends its lines',
    [{ action: 'modify', path: 'a', before: 'a\r\nb\r\nc\r\n', content: 'a\nB\nc\nd' }],
    [1, 2, 1],
  ],
  [
    'several files',
    [
      { action: 'modify', path: 'a', before: 'a\n', content: 'b\n' },
      { action: 'create', path: 'b', content: 'b\n' },
    ],
    [2, 2, 1],
  ],
  [
    'more differences than are looked for',
    [{ action: 'modify', path: 'a', before: lines(9_000), content: lines(8_000, 'y') }],
    [1, 8_000, 9_000],
  ],
])('counts %s', (_, changes, [files, added, removed]) => {
  expect(countChanges(changes)).toEqual({ files, added, removed })
})
