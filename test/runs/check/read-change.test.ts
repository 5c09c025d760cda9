import { describe, expect, it } from 'vitest'
import type { DiffEntry } from '../../../packages/change/trees.ts'
import { readChange } from '../../../src/runs/check/read-change.ts'

const entry = (path: string, more: Partial<DiffEntry> = {}): DiffEntry => ({
  ...{ status: 'modified', path, oldPath: path, oldMode: '100644', newMode: '100644' },
  ...more,
})
const added = { status: 'added', oldMode: '000000' } as const

/** Reads a difference; texts that are not given are no text. */
const read = (
  entries: readonly DiffEntry[],
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
) =>
  readChange('base', 'head', {
    changedBetween: async () => [...entries],
    readFiles: async (sha, paths) => {
      const texts = sha === 'base' ? before : after
      return new Map(paths.flatMap((path) => (path in texts ? [[path, texts[path] ?? '']] : [])))
    },
  })

describe('readChange', () => {
  it.each<[string, DiffEntry, string | null, string | null, readonly string[], readonly string[]]>([
    ['a new file', entry('a', added), null, 'x', ['create a'], []],
    ['a program', entry('a', { ...added, newMode: '100755' }), null, 'x', ['create a'], ['mode']],
    ['a script', entry('a', { ...added, newMode: '100755' }), null, '#!x', ['create a'], []],
    ['a script for others', entry('a', added), null, '#!x', ['create a'], []],
    ['an edit', entry('a'), 'x', 'y', ['modify a'], []],
    ['a mode alone', entry('a', { newMode: '100755' }), 'x', 'x', [], ['mode']],
    [
      'a file that goes',
      entry('a', { status: 'deleted', newMode: '000000' }),
      'x',
      null,
      ['delete a'],
      [],
    ],
    [
      'a link that goes',
      entry('a', { status: 'deleted', oldMode: '120000', newMode: '000000' }),
      null,
      null,
      [],
      [],
    ],
    ['a picture', entry('a', added), null, null, [], ['binary']],
    ['a text that becomes a picture', entry('a'), 'x', null, [], ['binary']],
    ['a link', entry('a', { ...added, newMode: '120000' }), null, null, [], ['tree']],
    [
      'a file that becomes a link',
      entry('a', { status: 'type_changed', newMode: '120000' }),
      'x',
      null,
      [],
      ['tree'],
    ],
    [
      'a link that becomes a file',
      entry('a', { status: 'type_changed', oldMode: '120000' }),
      null,
      'x',
      [],
      ['tree'],
    ],
    ['a submodule', entry('a', { ...added, newMode: '160000' }), null, null, [], ['tree']],
  ])('reads %s', async (_, one, before, after, changes, rules) => {
    const texts = (text: string | null) => (text === null ? {} : { a: text })
    const found = await read([one], texts(before), texts(after))
    expect(found.changes.map(({ action, path }) => `${action} ${path}`)).toEqual(changes)
    expect(found.findings.map(({ rule }) => rule)).toEqual(rules)
    expect(found.isEmpty).toBe(false)
  })

  it('reads a renamed file as one that goes and one that comes', async () => {
    const renamed = entry('b', { status: 'renamed', oldPath: 'a' })
    expect((await read([renamed], { a: 'x' }, { b: 'y' })).changes).toEqual([
      { action: 'delete', path: 'a', before: 'x' },
      { action: 'create', path: 'b', content: 'y' },
    ])
  })

  it('reads none of too many files', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => entry(`f${index}`, added))
    const { changes, findings } = await read(many, {}, {})
    expect(changes).toEqual([])
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['size', 'error']])
  })

  it('knows a change without a difference', async () => {
    expect((await read([], {}, {})).isEmpty).toBe(true)
  })
})
