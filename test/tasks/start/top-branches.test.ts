import { expect, it } from 'vitest'
import type { TaskResult } from '../../../src/core/domain/verdict.ts'
import { topBranches } from '../../../src/tasks/start/top-branches.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { aState } from '../../fakes/facts.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'

const work = (id: string, sha: string, facts: Partial<TaskResult> = {}) =>
  [id, sampleResult(id, { branch: `agent/${id}`, sha, thisRun: true, ...facts })] as const

it.each<[string, (shas: Shas) => readonly (readonly [string, TaskResult])[], readonly string[]]>([
  ['the last of a chain', ({ a, b }) => [work('T-1', a), work('T-2', b)], ['agent/T-2']],
  ['each of two lines', ({ b, c }) => [work('T-1', b), work('T-2', c)], ['agent/T-1', 'agent/T-2']],
  [
    'the later of two names of one commit',
    ({ a }) => [work('T-1', a), work('T-2', a)],
    ['agent/T-2'],
  ],
  [
    'none of earlier runs, and none without work',
    ({ a, b, c }) => [
      work('T-1', b, { thisRun: false }),
      work('T-2', c, { branch: null }),
      work('T-3', a),
    ],
    ['agent/T-3'],
  ],
  ['none without work', () => [], []],
])('the branches on top are %s', async (_, results, expected) => {
  const workspace = createMemoryWorkspace({ files: { 'a.txt': '' } })
  const a = workspace.push('a', { 'a.txt': 'a' })
  const b = await workspace.commit({ parents: [a], changes: [], message: 'b' })
  const c = workspace.push('c', { 'a.txt': 'c' })
  const state = aState({ tasks: { results: Object.fromEntries(results({ a, b, c })) } })
  expect(await topBranches(state, { workspace })).toEqual(expected)
})

/** `b` is on top of `a`, and `c` beside them. */
type Shas = Readonly<Record<'a' | 'b' | 'c', string>>
