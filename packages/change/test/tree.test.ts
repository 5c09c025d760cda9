import { describe, expect, it } from 'vitest'
import { memoryTree } from '../../../test/fakes/memory-tree.ts'
import type { ChangeSet } from '../change-set.ts'
import { openTree } from '../tree.ts'

const changes: ChangeSet = [
  { action: 'create', path: 'new.js', content: 'new' },
  { action: 'modify', path: 'b.js', before: 'b', content: 'B' },
  { action: 'delete', path: 'c.js', before: 'c' },
]
const all = ['a.js', 'b.js', 'c.js', 'new.js', 'none.js']

describe('the tree of a commit', () => {
  it('has its files, and with changes theirs', async () => {
    const start = await memoryTree({ 'a.js': 'a', 'b.js': 'b', 'c.js': 'c' })
    expect(start.paths).toEqual(['a.js', 'b.js', 'c.js'])
    expect(Object.fromEntries(await start.read(all))).toEqual({
      'a.js': 'a',
      'b.js': 'b',
      'c.js': 'c',
    })
    const changed = start.with(changes)
    expect(changed.paths).toEqual(['a.js', 'b.js', 'new.js'])
    expect(changed.files).toBe(start.files)
    expect(Object.fromEntries(await changed.read(all))).toEqual({
      'a.js': 'a',
      'b.js': 'B',
      'new.js': 'new',
    })
    expect(changed.with([]).paths).toEqual(start.paths)
  })

  it('is listed once for each of the last commits, and again after an error', async () => {
    const listed: string[] = []
    const workspace = {
      async listFiles(sha: string) {
        listed.push(sha)
        if (listed.length === 1) throw new Error('no such commit')
        return []
      },
      readFiles: async () => new Map(),
    }
    await expect(openTree('1', workspace)).rejects.toThrow('no such commit')
    await Promise.all(['1', '1', '2'].map((sha) => openTree(sha, workspace)))
    expect(listed).toEqual(['1', '1', '2'])
    for (const sha of '345') await openTree(sha, workspace)
    await openTree('5', workspace)
    await openTree('1', workspace)
    expect(listed.slice(3)).toEqual([...'345', '1'])
  })
})
