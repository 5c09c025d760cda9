import { expect, it } from 'vitest'
import { notAllowed, type ProposalContent, proposalHash } from '../../src/core/proposal-hash.ts'
import { anOperation } from '../fakes/facts.ts'

const task = { id: 'T-1-a', title: 'Read it', details: ['Only once.'], files: ['src/a.ts'] }
const operation = {
  path: 'a.sh',
  line: 1,
  column: 1,
  category: 'filesystem' as const,
  operation: 'rm -rf build',
  why: 'It deletes.',
  fingerprint: 'f1',
}
const second = { ...operation, line: 2, fingerprint: 'f2' }
const change = { action: 'modify' as const, path: 'a.sh', before: 'x', content: 'rm -rf build' }
const recovery: ProposalContent = { kind: 'recovery', strategy: 'DECOMPOSE', tasks: [task] }
const destructive: ProposalContent = {
  kind: 'destructive',
  operations: [operation, second],
  changes: [change],
}
const merge: ProposalContent = {
  kind: 'merge',
  task: { id: 'T-1', fingerprint: 'a' },
  sha: 'b',
}

it('differs with whatever would be carried out', () => {
  const contents: readonly ProposalContent[] = [
    recovery,
    { ...recovery, strategy: 'REWRITE' },
    { ...recovery, tasks: [{ ...task, title: 'Read them' }] },
    { ...recovery, tasks: [{ ...task, details: ['Only', 'once.'] }] },
    { ...recovery, tasks: [{ ...task, files: [] }] },
    { ...recovery, tasks: [task, { ...task, id: 'T-1-b' }] },
    destructive,
    { ...destructive, operations: [operation] },
    { ...destructive, changes: [{ ...change, content: 'rm -rf /' }] },
    { ...destructive, changes: [{ ...change, before: 'y' }] },
    { ...destructive, changes: [{ ...change, path: 'b.sh' }] },
    { ...destructive, changes: [{ action: 'delete', path: 'a.sh', before: 'x' }] },
    merge,
    { ...merge, sha: 'c' },
    { ...merge, task: { id: 'T-1', fingerprint: 'c' } },
  ]
  expect(new Set(contents.map(proposalHash)).size).toBe(contents.length)
})

it('is the same for the same content in another order of keys or operations', () => {
  const { id, title, details, files } = task
  expect(proposalHash({ ...recovery, tasks: [{ files, details, title, id }] })).toBe(
    proposalHash(recovery),
  )
  expect(proposalHash({ ...destructive, operations: [second, operation] })).toBe(
    proposalHash(destructive),
  )
})

const named = (...fingerprints: readonly string[]) =>
  fingerprints.map((fingerprint) => anOperation({ fingerprint }))

it.each<[readonly string[], readonly string[], readonly string[]]>([
  [['a', 'b'], [], ['a', 'b']],
  [['a', 'b'], ['a'], ['b']],
  [['a', 'b'], ['b', 'a'], []],
  [['a', 'a'], ['a'], ['a']],
  [['a', 'a'], ['a', 'a'], []],
  [[], ['a'], []],
])('of %j, with %j approved, %j is left to ask', (found, allowed, left) => {
  expect(notAllowed(named(...found), allowed)).toEqual(named(...left))
})
