import { expect, it } from 'vitest'
import { type Start, startOnOthers } from '../../../src/tasks/start/find-start.ts'
import { createMemoryWorkspace, type MemoryWorkspace } from '../../fakes/memory-workspace.ts'

const ours = 'done\n\nExecutor-Task: T-1\nExecutor-Outcome: done\n'

/** A commit that adds a file, on top of these. */
const grow = (workspace: MemoryWorkspace, path: string, message: string, ...parents: string[]) =>
  workspace.commit({ parents, message, changes: [{ action: 'create', path, content: '' }] })

type Make = (workspace: MemoryWorkspace, base: string) => Promise<string | null>

it.each<[string, Make, 'the base' | 'the branch' | RegExp]>([
  ['no branch', async () => null, 'the base'],
  ['only our work', async (on, base) => grow(on, 'a', ours, base), 'the base'],
  ['a commit of theirs alone', async (on, base) => grow(on, 'a', 'by hand', base), 'the branch'],
  [
    'theirs on top of ours',
    async (on, base) => grow(on, 'b', 'by hand', await grow(on, 'a', ours, base)),
    'the branch',
  ],
  [
    'ours on top of theirs',
    async (on, base) => grow(on, 'b', ours, await grow(on, 'a', 'by hand', base)),
    'the branch',
  ],
  [
    'theirs that we merged with our earlier work',
    async (on, base) => {
      const theirs = await grow(on, 'b', 'by hand', await grow(on, 'a', ours, base))
      return grow(on, 'c', ours, theirs, base)
    },
    'the branch',
  ],
  [
    'a merge of the base by hand',
    async (on, base) => {
      const below = await on.ancestor(base, 1)
      return grow(on, 'b', 'Merge main', await grow(on, 'a', ours, below ?? ''), base)
    },
    'the base',
  ],
  ['a commit that is in the base', async (_, base) => base, 'the base'],
  [
    'a commit of another repository',
    async () => {
      const other = createMemoryWorkspace({ files: { 'other.js': '' } })
      return (await other.refresh()).base.sha
    },
    'the base',
  ],
])('a task starts right with %s on its branch', async (_, make, expected) => {
  const workspace = createMemoryWorkspace({ files: { 'x.js': '' } })
  workspace.land('main', workspace.push('work', { 'y.js': '' }))
  const { base } = await workspace.refresh()
  const start: Start = { status: 'start', branch: 'main', sha: base.sha }
  const head = await make(workspace, base.sha)
  const found = await startOnOthers('T-1', start, head, workspace)
  expect(found).toEqual({ ...start, sha: expected === 'the base' ? base.sha : head })
})

it('a task waits when its branch has a history of its own', async () => {
  const start: Start = { status: 'start', branch: 'main', sha: 'base' }
  const unrelated = {
    contains: async () => false,
    mergeBase: async () => null,
    ancestor: async () => 'head',
    history: async () => [],
  }
  expect(await startOnOthers('T-1', start, 'head', unrelated)).toEqual({
    status: 'waits',
    reason: 'agent/T-1 has no history in common with main: rename or delete it',
  })
})
