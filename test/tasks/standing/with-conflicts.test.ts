import { expect, it } from 'vitest'
import type { TaskResult } from '../../../src/core/domain/verdict.ts'
import type { ComparedWork } from '../../../src/core/ports/workspace.ts'
import { withConflicts } from '../../../src/tasks/standing/find-own-work.ts'
import { sampleResult } from '../../contracts/run-state.ts'

const base = { branch: 'main', sha: 'b'.repeat(40) }
const done = { verdict: 'done', branch: 'agent/T-1', sha: 'a'.repeat(40), reason: '' } as const
type Merge = ComparedWork['merge']
const conflict = (...paths: readonly string[]): Merge => ({ status: 'conflict', paths, hunk: null })
const side = { commits: [], count: 1, files: [] }

it.each<[string, Partial<TaskResult>, Merge, string | null]>([
  ['one file', done, conflict('a.js'), 'in a.js: git rebase main agent/T-1'],
  ['tests that verified nothing', { ...done, verdict: 'unverified' }, conflict('a.js'), 'in a.js'],
  ['many files', done, conflict('a', 'b', 'c', 'd', 'ROADMAP.md'), 'in a and 3 more: git'],
  ['the roadmap alone', done, conflict('ROADMAP.md'), null],
  ['no conflict', done, { status: 'clean' }, null],
  ['no branch', { ...done, branch: null, sha: null }, conflict('a.js'), null],
  ['a task that waits', { ...done, verdict: 'waiting' }, conflict('a.js'), null],
])('finished work and the base: %s', async (_, facts, merged, told) => {
  const before = { 'T-1': sampleResult('T-1', facts) }
  const after = await withConflicts(before, base, 'ROADMAP.md', {
    contains: async () => false,
    compare: async () => ({ ours: side, theirs: side, merge: merged }),
  })
  if (told === null) return expect(after).toEqual(before)
  expect(after['T-1']).toMatchObject({ verdict: 'waiting', branch: 'agent/T-1' })
  expect(after['T-1']?.reason).toContain(`agent/T-1 conflicts with main ${told}`)
})

it('asks nothing about a branch that has the base', async () => {
  const before = { 'T-1': sampleResult('T-1', done) }
  const compare = () => Promise.reject(new Error('compared'))
  const workspace = { contains: async () => true, compare }
  expect(await withConflicts(before, base, 'ROADMAP.md', workspace)).toEqual(before)
})
