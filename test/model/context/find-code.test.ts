import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../packages/change/change-set.ts'
import type { TreeEntry } from '../../../packages/change/trees.ts'
import type { Workspace } from '../../../src/core/ports/workspace.ts'
import { countTouched } from '../../../src/model/context/find-code.ts'
import { fakePorts } from '../../fakes/facts.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { aDraft } from '../../graph/nodes/bench.ts'

const importers: Readonly<Record<string, readonly string[]>> = {
  'src/a.ts': ['src/b.ts', 'src/c.ts', 'src/changed.ts', 'test/a.test.ts'],
  'src/gone.ts': ['src/b.ts', 'src/d.ts'],
  'src/d.ts': ['test/other.test.ts'],
}

function workspaceOf(count: number, isThere = true): Pick<Workspace, 'listFiles' | 'lookUp'> {
  const names = Array.from({ length: count }, (_, index) => `lib/${index}.ts`)
  const paths = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'test/c.test.ts', ...names]
  return {
    listFiles: async () => paths.map((path): TreeEntry => ({ path, mode: '100644', size: 9 })),
    lookUp: async (_sha, _paths, ask) =>
      isThere
        ? ask({
            partsWith: () => [],
            importers: (path) => importers[path] ?? [],
            commits: [],
          })
        : null,
  }
}

const changes: ChangeSet = [
  { action: 'modify', path: 'src/a.ts', before: '', content: 'a' },
  { action: 'modify', path: 'src/changed.ts', before: '', content: 'a' },
  { action: 'delete', path: 'src/gone.ts', before: '' },
  { action: 'create', path: 'src/d.ts', content: '' },
]

describe('the importers that a change touches', () => {
  it.each([
    ['those with a test are counted apart', changes, workspaceOf(100), { importers: 3, tested: 2 }],
    ['a new file has none', changes.slice(3), workspaceOf(100), undefined],
    ['a small project has no index', changes, workspaceOf(10), undefined],
    ['the index cannot be used', changes, workspaceOf(100, false), undefined],
  ])('%s', async (_, made, workspace, touches) => {
    const start = { sha: 'a'.repeat(40), branch: 'main' }
    const attempt = { start, draft: aDraft({ changes: made }) }
    const ports = fakePorts({
      workspace: { ...createMemoryWorkspace({ files: {} }), ...workspace },
    })
    expect(await countTouched(attempt, ports)).toEqual(touches ? { touches } : {})
  })
})
