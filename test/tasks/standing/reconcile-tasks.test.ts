import { describe, expect, it } from 'vitest'
import { label, taskMarker, trailer } from '../../../src/core/domain/identity.ts'
import type { PullRequest } from '../../../src/core/ports/forge.ts'
import type { BranchTip } from '../../../src/core/ports/workspace.ts'
import { reconcileTasks } from '../../../src/tasks/standing/reconcile-tasks.ts'
import { aTask } from '../../fakes/facts.ts'

const task = aTask()
const otherText = { ...task, fingerprint: '2'.repeat(64) }

function aBranch(trailers: Partial<BranchTip['trailers']> = {}): BranchTip {
  const ours = {
    [trailer.task]: 'T-1',
    [trailer.outcome]: 'done',
    [trailer.fingerprint]: task.fingerprint,
  }
  const all = Object.entries({ ...ours, ...trailers }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]],
  )
  return { name: 'agent/T-1', sha: 'tip', parent: 'below', trailers: Object.fromEntries(all) }
}

function aPull(facts: Partial<PullRequest> = {}): PullRequest {
  return {
    number: 7,
    url: 'https://forge.test/7',
    author: 'executor[bot]',
    mergeSha: null,
    head: 'agent/T-1',
    headSha: 'head-of-7',
    base: 'main',
    state: 'open',
    draft: false,
    title: '',
    body: taskMarker(task),
    labels: [label.task],
    ...facts,
  }
}

interface Case {
  readonly branches?: readonly BranchTip[]
  readonly pullRequests?: readonly PullRequest[]
  readonly only?: readonly string[]
  readonly again?: readonly string[]
  readonly kept?: ReadonlyMap<string, BranchTip>
  readonly forge?: 'github' | 'local'
  readonly tasks?: readonly (typeof task)[]
}

const reconcile = ({ branches = [], pullRequests = [], ...given }: Case) =>
  reconcileTasks({
    tasks: given.tasks ?? [task],
    branches,
    pullRequests,
    forge: given.forge ?? 'github',
    only: given.only ?? null,
    base: 'main',
    ...(given.again && { again: given.again }),
    ...(given.kept && { kept: given.kept }),
  })

const ours = [aBranch()]
const strangers = [aBranch({ [trailer.task]: undefined })]
const keptRef = 'refs/executor/kept/T-1/abcdef0'
const keptOf = (changed: Readonly<Record<string, string | undefined>> = {}) => {
  const id = changed[trailer.task] ?? 'T-1'
  return new Map([
    [id, { ...aBranch(changed), name: keptRef.replace('T-1', id), sha: 'abcdef0123' }],
  ])
}
const beside = keptOf()
const closed = [aPull({ state: 'closed' })]
const needsHuman = [aPull({ labels: [label.needsHuman] })]
const asked = ['T-1']
const merged = aPull({ state: 'merged', base: 'agent/T-0' })
const below = { ...aBranch(), name: 'agent/T-0', sha: 'tip of T-0' }

describe('a task is still to do', () => {
  it.each<[string, Case]>([
    ['without branch or pull request', {}],
    [
      'when its pull request was merged for an earlier text',
      { pullRequests: [aPull({ state: 'merged', body: taskMarker(otherText) })] },
    ],
    [
      'when its pull request was closed for an earlier text',
      { pullRequests: [aPull({ state: 'closed', body: taskMarker(otherText) })] },
    ],
    [
      'when it is asked for by name after a refusal',
      { pullRequests: closed, branches: ours, only: asked },
    ],
    [
      'when it is asked for by name after a failure',
      { pullRequests: needsHuman, branches: ours, only: asked },
    ],
    [
      'when it is asked for by name after a failure without a forge',
      { branches: [aBranch({ [trailer.outcome]: 'needs-human' })], forge: 'local', only: asked },
    ],
    [
      'when it is asked for after its work got lost on a branch that is gone',
      { pullRequests: [merged], branches: ours, only: asked },
    ],
    [
      'when a person wants its open pull request worked on again',
      { pullRequests: [aPull()], branches: ours, again: asked },
    ],
    [
      'when a person asks for it, though their own commit is on the branch',
      { pullRequests: [aPull()], branches: strangers, again: asked },
    ],
    ["when it is named, though somebody's branch is there", { branches: strangers, only: asked }],
    [
      "when it is named, though somebody's commit is on a closed one",
      { pullRequests: closed, branches: strangers, only: asked },
    ],
    [
      'when it is named, though finished work lies beside the branch',
      { pullRequests: [aPull()], branches: strangers, again: asked, kept: beside },
    ],
    [
      'when what lies beside a branch was written for an earlier text',
      { kept: keptOf({ [trailer.fingerprint]: otherText.fingerprint }) },
    ],
  ])('%s', (_, given) => {
    expect(reconcile(given)).toMatchObject({ results: {}, orphans: [], answers: {} })
  })

  it('never when its box says otherwise, whatever branches there are', () => {
    const tasks = [aTask({ status: 'done' }), aTask({ status: 'cancelled' })]
    expect(reconcile({ tasks, branches: ours, pullRequests: [aPull()] }).results).toEqual({})
  })
})

describe('a task has a verdict', () => {
  it.each<[string, Case, object]>([
    [
      'in review while its pull request is open',
      { pullRequests: [aPull()], branches: ours },
      { verdict: 'in_review', reason: '', sha: 'tip', start: 'below', pullRequest: { number: 7 } },
    ],
    [
      'in review from a fork of ours that is not fetched',
      { pullRequests: [aPull()] },
      { verdict: 'in_review', sha: 'head-of-7' },
    ],
    [
      'in review though its text changed, and says so',
      { pullRequests: [aPull({ body: taskMarker(otherText) })] },
      { verdict: 'in_review', reason: expect.stringContaining('changed since #7') },
    ],
    [
      'done when its pull request was merged',
      { pullRequests: [aPull({ state: 'merged' })] },
      { verdict: 'done', sha: null, reason: 'merged as #7' },
    ],
    [
      'in review while it was merged into another branch, where its work is now',
      { pullRequests: [merged], branches: [...ours, below] },
      { verdict: 'in_review', branch: 'agent/T-0', sha: 'tip of T-0', pullRequest: { number: 7 } },
    ],
    [
      'in review where that branch was merged into one more',
      {
        pullRequests: [
          { ...merged, base: 'agent/T-9' },
          aPull({ number: 3, state: 'merged', head: 'agent/T-9', base: 'agent/T-0' }),
        ],
        branches: [below],
      },
      { verdict: 'in_review', branch: 'agent/T-0' },
    ],
    [
      'waiting when that branch came to main without it',
      { pullRequests: [merged, aPull({ number: 3, state: 'merged', head: 'agent/T-0' })] },
      {
        verdict: 'waiting',
        sha: null,
        reason: expect.stringContaining('its work never reached main'),
      },
    ],
    [
      'rejected when it was closed',
      { pullRequests: closed, branches: ours },
      { verdict: 'rejected', sha: null },
    ],
    [
      'rejected though another task is asked for',
      { pullRequests: closed, only: ['T-2'] },
      { verdict: 'rejected' },
    ],
    [
      'waiting while a person is needed',
      { pullRequests: needsHuman, branches: ours },
      { verdict: 'waiting', sha: null },
    ],
    [
      'in review again after a first pull request was closed',
      { pullRequests: [aPull({ number: 9 }), aPull({ state: 'closed' })] },
      { verdict: 'in_review', pullRequest: { number: 9 } },
    ],
    [
      "waiting while its finished work lies beside somebody else's",
      { pullRequests: [aPull()], branches: strangers, kept: beside },
      {
        verdict: 'waiting',
        sha: null,
        pullRequest: { number: 7 },
        reason: `someone else's commit tip is on agent/T-1; ours, abcdef0, is kept: git fetch origin ${keptRef} && git show FETCH_HEAD`,
      },
    ],
    [
      'waiting while its finished work lies beside a branch that is gone',
      { kept: beside, forge: 'local' },
      {
        verdict: 'waiting',
        branch: 'agent/T-1',
        reason: `someone deleted agent/T-1; ours, abcdef0, is kept: git show ${keptRef}`,
      },
    ],
    [
      "waiting while its group's finished work lies beside somebody else's",
      {
        branches: [{ ...aBranch({ [trailer.task]: undefined }), name: 'agent/T-0' }],
        kept: keptOf({
          [trailer.task]: 'T-0',
          [trailer.group]: `T-0 ${'0'.repeat(64)}, T-1 ${task.fingerprint}`,
        }),
      },
      { verdict: 'waiting', reason: expect.stringMatching(/^someone else's commit tip is on/) },
    ],
    [
      'rejected when it was closed, whatever lies beside it',
      { pullRequests: closed, kept: beside },
      { verdict: 'rejected' },
    ],
    [
      'done when it was merged, whatever lies beside it',
      { pullRequests: [aPull({ state: 'merged' })], kept: beside },
      { verdict: 'done' },
    ],
    [
      'done when it was merged, though it is asked for again',
      { pullRequests: [aPull({ state: 'merged' })], again: asked },
      { verdict: 'done' },
    ],
    [
      'in review even if a newer one was closed',
      { pullRequests: [aPull({ number: 9, state: 'closed' }), aPull()] },
      { verdict: 'in_review', pullRequest: { number: 7 } },
    ],
    [
      'done on a local branch',
      { branches: ours, forge: 'local' },
      { verdict: 'done', sha: 'tip', branch: 'agent/T-1' },
    ],
    [
      'unverified on a local branch',
      { branches: [aBranch({ [trailer.outcome]: 'unverified' })], forge: 'local' },
      { verdict: 'unverified' },
    ],
    [
      'waiting with a failed attempt on its branch',
      { branches: [aBranch({ [trailer.outcome]: 'needs-human' })], forge: 'local' },
      { verdict: 'waiting', sha: null },
    ],
    [
      'waiting with work for an earlier text on its branch',
      { branches: [aBranch({ [trailer.fingerprint]: otherText.fingerprint })] },
      { verdict: 'waiting', sha: null },
    ],
    [
      'waiting with a branch of somebody else',
      { branches: strangers },
      { verdict: 'waiting', sha: null },
    ],
    [
      'waiting with a commit of another task',
      { branches: [aBranch({ [trailer.task]: 'T-2' })] },
      { verdict: 'waiting', sha: null },
    ],
  ])('%s', (_, given, result) => {
    expect(reconcile(given).results['T-1']).toMatchObject({
      ...result,
      thisRun: false,
      attempts: 0,
    })
  })
})

describe('a finished branch without a pull request', () => {
  it('is an orphan on GitHub', () => {
    const { orphans, results } = reconcile({ branches: ours })
    expect(orphans).toEqual([{ tasks: [task], branch: ours[0] }])
    expect(results['T-1']?.verdict).toBe('in_review')
  })

  it.each<[string, Case]>([
    ['with a forge that has none', { branches: ours, forge: 'local' }],
    ['with one already', { branches: ours, pullRequests: [aPull()] }],
    ['that failed', { branches: [aBranch({ [trailer.outcome]: 'needs-human' })] }],
    ['of somebody else', { branches: strangers }],
  ])('is none %s', (_, given) => {
    expect(reconcile(given).orphans).toEqual([])
  })
})

describe('tasks that belong together', () => {
  const part = (n: number) => ({
    ...task,
    ...{ id: `T-${n}`, fingerprint: String(n).repeat(64), together: 'shop' },
  })
  const parts = [part(1), part(2), part(3)]
  const cause = (fingerprint: string) => ({
    [trailer.outcome]: 'rolled-back',
    [trailer.cause]: `T-3 ${fingerprint}`,
  })
  const back = aBranch(cause('3'.repeat(64)))
  const pullOf = (n: number, facts: Partial<PullRequest>) =>
    aPull({ number: n, head: `agent/T-${n}`, body: taskMarker(part(n)), ...facts })
  const verdictsOf = (given: Case) => {
    const { results } = reconcile({ tasks: parts, ...given })
    return parts.map(({ id }) => results[id]?.verdict)
  }
  const left = pullOf(3, { labels: [label.needsHuman] })
  const taken = pullOf(1, { state: 'closed', labels: [label.rolledBack] })

  it.each<[string, Case, readonly (string | undefined)[]]>([
    ['as a branch tells', { branches: [back] }, ['rolled_back', 'waiting', 'failed']],
    [
      'as a closed pull request tells, while the failed one waits for a person',
      { pullRequests: [left, taken] },
      ['rolled_back', 'waiting', 'waiting'],
    ],
    [
      'before any of them was started',
      { pullRequests: [pullOf(3, { state: 'closed' })] },
      ['waiting', 'waiting', 'rejected'],
    ],
    [
      'after a person left one out',
      { pullRequests: [pullOf(3, { state: 'closed', labels: [label.skipped] })] },
      ['waiting', 'waiting', 'skipped'],
    ],
    [
      'while what is merged would be reverted',
      {
        tasks: [{ ...part(1), status: 'done' }, part(2), part(3)],
        pullRequests: [left, pullOf(1, { body: 'Reverts', labels: [label.rolledBack] })],
      },
      ['waiting', 'waiting', 'waiting'],
    ],
  ])('are held %s', (_, given, expected) => {
    expect(verdictsOf(given)).toEqual(expected)
    expect(reconcile({ tasks: parts, ...given }).groups).toHaveLength(1)
  })

  it('are tried again while one has newer work than the failure', () => {
    const anew = pullOf(1, { number: 9 })
    const redone = { ...aBranch({ [trailer.task]: 'T-1' }), sha: 'redone' }
    const gone = { ...back, name: 'agent/T-2' }
    const given = { branches: [redone, gone], pullRequests: [anew, left] }
    expect(verdictsOf(given)).toEqual(['in_review', undefined, 'waiting'])
    expect(reconcile({ tasks: parts, ...given }).groups).toEqual([])
    const older = { ...given, pullRequests: [left, pullOf(1, {})] }
    expect(reconcile({ tasks: parts, ...older }).groups).toHaveLength(1)
  })

  it.each<[string, Case]>([
    ['after the failed one was reworded', { branches: [aBranch(cause('4'.repeat(64)))] }],
    [
      'after a rollback that a person asked for',
      { branches: [aBranch({ [trailer.outcome]: 'rolled-back' })] },
    ],
    [
      'when the failed one is deferred',
      { pullRequests: [pullOf(3, { state: 'closed', labels: [label.deferred] })] },
    ],
    ['when one of them is named', { branches: [back], pullRequests: [left, taken], only: ['T-2'] }],
    [
      'when the failed one is asked for',
      { branches: [back], pullRequests: [left], again: ['T-3'] },
    ],
    [
      'when the group is another',
      { branches: [back], tasks: [...parts.slice(0, 2), { ...part(3), together: 'x' }] },
    ],
  ])('are open %s', (_, given) => {
    expect(verdictsOf(given)).toEqual([undefined, undefined, undefined])
    expect(reconcile({ tasks: parts, ...given }).groups).toEqual([])
  })
})
