import { expect, it } from 'vitest'
import { proposalMarker } from '../../../src/core/domain/hidden-lines.ts'
import { label, taskMarker } from '../../../src/core/domain/identity.ts'
import type { PullRequest } from '../../../src/core/ports/forge.ts'
import { reconcileTasks } from '../../../src/tasks/standing/reconcile-tasks.ts'
import { aTask } from '../../fakes/facts.ts'

const task = aTask()
const headSha = 'a'.repeat(40)
const mark = proposalMarker({
  task: 'T-1',
  sha: headSha,
  hash: 'b'.repeat(64),
  at: '2026-01-01T00:00:00Z',
})
const other = { ...task, fingerprint: '2'.repeat(64) }

const aProposal = (facts: Partial<PullRequest> = {}): PullRequest => ({
  number: 7,
  url: 'https://forge.test/7',
  author: 'executor[bot]',
  mergeSha: null,
  head: 'executor/recovery/T-1',
  headSha,
  base: 'main',
  state: 'open',
  draft: false,
  title: '',
  body: `${taskMarker(task)}\n${mark}`,
  labels: [label.recovery],
  ...facts,
})
const own = (facts: Partial<PullRequest>) => aProposal({ head: 'agent/T-1', number: 9, ...facts })

const reconcile = (pullRequests: readonly PullRequest[], only: readonly string[] | null = null) =>
  reconcileTasks({ tasks: [task], branches: [], pullRequests, forge: 'github', only, base: 'main' })

it.each<[string, readonly PullRequest[], string, RegExp]>([
  ['open', [aProposal()], 'waiting', /^#7 waits for an answer$/],
  ['closed', [aProposal({ state: 'closed' })], 'rejected', /#7 was closed without merging/],
  [
    'closed as skipped',
    [aProposal({ state: 'closed', labels: [label.skipped] })],
    'skipped',
    /skipped in #7/,
  ],
  [
    'open again after one that was closed',
    [aProposal({ state: 'closed', number: 8 }), aProposal()],
    'waiting',
    /#7/,
  ],
  [
    'merged into work that is not merged itself',
    [aProposal({ state: 'merged', base: 'agent/T-0' })],
    'waiting',
    /replaced it on agent\/T-0/,
  ],
  [
    "closed with the task's own pull request skipped",
    [aProposal({ state: 'closed' }), own({ state: 'closed', labels: [label.skipped] })],
    'skipped',
    /#9/,
  ],
])('a proposal that is %s is a verdict', (_, pulls, verdict, reason) => {
  const { results, answers } = reconcile(pulls)
  expect(results['T-1']).toMatchObject({ verdict, reason: expect.stringMatching(reason) })
  expect(answers).toEqual({})
})

it.each<[string, readonly PullRequest[], (readonly string[])?]>([
  ['closed for a night', [aProposal({ state: 'closed', labels: [label.deferred] })]],
  ['about other words', [aProposal({ body: taskMarker(other) })]],
  ['turned down for other words', [aProposal({ state: 'closed', body: taskMarker(other) })]],
  ['open while the task is asked for by name', [aProposal()], ['T-1']],
  ['turned down while the task is asked for by name', [aProposal({ state: 'closed' })], ['T-1']],
  [
    'closed by us for an attempt that was deferred later',
    [
      aProposal({ state: 'closed' }),
      own({ state: 'closed', labels: [label.needsHuman, label.deferred] }),
    ],
  ],
])('a task is to do when its proposal is %s', (_, pulls, only) => {
  expect(reconcile(pulls, only).results).toEqual({})
})

it('a merge by hand is an approval of that very commit, and of nothing older', () => {
  const merged = aProposal({ state: 'merged' })
  expect(reconcile([merged]).answers).toMatchObject({
    'T-1': { choice: 'approve', by: 'the person who merged #7', sha: headSha },
  })
  const moved = reconcile([aProposal({ state: 'merged', headSha: 'c'.repeat(40) })])
  expect(moved).toMatchObject({ answers: {}, results: {} })
  const elsewhere = reconcile([aProposal({ state: 'merged', body: taskMarker(other) })])
  expect(elsewhere.answers).toEqual({})
})

it('what asks people is known, and what was decided is not', () => {
  const numbers = (pulls: readonly PullRequest[]) =>
    (reconcile(pulls).questions['T-1'] ?? []).map(({ number }) => number)
  expect(numbers([aProposal(), own({ labels: [label.needsHuman] })])).toEqual([9, 7])
  expect(numbers([aProposal({ state: 'closed' }), own({ labels: [label.task] })])).toEqual([])
})
