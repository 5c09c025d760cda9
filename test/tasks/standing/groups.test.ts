import { describe, expect, it } from 'vitest'
import type { Task } from '../../../packages/task/task-schema.ts'
import {
  groupTrailer,
  label,
  leftMarker,
  memberMarker,
  taskMarker,
  trailer,
} from '../../../src/core/domain/identity.ts'
import type { PullRequest } from '../../../src/core/ports/forge.ts'
import type { BranchTip } from '../../../src/core/ports/workspace.ts'
import { reconcileTasks } from '../../../src/tasks/standing/reconcile-tasks.ts'
import { aTask } from '../../fakes/facts.ts'

const members = [1, 2, 3].map((each) =>
  aTask({ id: `T-${each}`, fingerprint: String(each).repeat(64) }),
)
const [first = aTask(), second = aTask()] = members
const reworded = { ...second, fingerprint: '9'.repeat(64) }

function bodyOf(tasks: readonly Task[] = members, ...more: readonly string[]): string {
  return [...more, ...tasks.map(memberMarker), taskMarker(tasks[0] ?? first)].join('\n')
}

const branchOf = (trailers: Partial<BranchTip['trailers']> = {}): BranchTip => ({
  ...{ name: 'agent/T-1', sha: 'tip', parent: 'commit of T-2' },
  trailers: Object.fromEntries(
    Object.entries({
      [trailer.task]: 'T-1',
      [trailer.fingerprint]: first.fingerprint,
      [trailer.outcome]: 'done',
      [trailer.group]: groupTrailer(members),
      [trailer.start]: 'base',
      [trailer.member]: 'T-3',
      ...trailers,
    }).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  ),
})

const pullOf = (facts: Partial<PullRequest> = {}): PullRequest => ({
  ...{ number: 7, url: 'https://forge.test/7', author: 'executor[bot]', mergeSha: null },
  ...{ head: 'agent/T-1', headSha: 'tip', base: 'main', state: 'open', draft: false, title: '' },
  ...{ body: bodyOf(), labels: [label.task] },
  ...facts,
})

type Given = Omit<Partial<Parameters<typeof reconcileTasks>[0]>, 'base'>

const reconcile = (given: Given) =>
  reconcileTasks({
    ...{ tasks: members, branches: [], pullRequests: [], forge: 'github', only: null },
    ...given,
    base: 'main',
  })

const verdicts = (given: Given) => {
  const { results } = reconcile(given)
  return members.map(({ id }) => results[id]?.verdict ?? 'open').join(' ')
}

const open = { branches: [branchOf()], pullRequests: [pullOf()] }
const own = pullOf({ number: 9, head: 'agent/T-2', body: taskMarker(second) })
const left = (why: 'retry' | 'skip', task = second) => ({
  ...open,
  pullRequests: [pullOf({ body: bodyOf(members, leftMarker(task, why)) })],
})

describe('the tasks of a group', () => {
  it.each<[string, Given, string]>([
    ['are in review together', open, 'in_review in_review in_review'],
    [
      'are in review when only the branch was pushed',
      { branches: [branchOf()] },
      'in_review in_review in_review',
    ],
    ['are done together on a laptop', { branches: [branchOf()], forge: 'local' }, 'done done done'],
    [
      'are unverified together',
      { branches: [branchOf({ [trailer.outcome]: 'unverified' })], forge: 'local' },
      'unverified unverified unverified',
    ],
    [
      'are done once merged, also when the branch is gone',
      { pullRequests: [pullOf({ state: 'merged' })] },
      'done done done',
    ],
    [
      'are turned down together',
      { pullRequests: [pullOf({ state: 'closed' })] },
      'rejected rejected rejected',
    ],
    [
      'are skipped together',
      { pullRequests: [pullOf({ state: 'closed', labels: [label.skipped] })] },
      'skipped skipped skipped',
    ],
    [
      'are open again once deferred',
      { pullRequests: [pullOf({ state: 'closed', labels: [label.deferred] })] },
      'open open open',
    ],
    [
      'are open again one by one',
      { pullRequests: [pullOf({ state: 'closed' })], only: ['T-2'] },
      'rejected open rejected',
    ],
    [
      'are open again where one was reworded after the merge',
      { tasks: [first, reworded], pullRequests: [pullOf({ state: 'merged' })] },
      'done open open',
    ],
    [
      'stay in review where one was reworded',
      { ...open, tasks: [first, reworded] },
      'in_review in_review open',
    ],
    [
      'are told from earlier words on a laptop',
      { tasks: [first, reworded], branches: [branchOf()], forge: 'local' },
      'done waiting open',
    ],
    [
      'are open again together when a person asks about the first',
      { ...open, again: ['T-1'] },
      'open open open',
    ],
    [
      'stay where one of the others is asked about',
      { ...open, again: ['T-3'] },
      'in_review in_review open',
    ],
    [
      'wait when a person pushed last',
      { branches: [branchOf({ [trailer.task]: undefined })] },
      'waiting open open',
    ],
    [
      'do not count once rolled back',
      {
        branches: [branchOf({ [trailer.outcome]: 'rolled-back' })],
        pullRequests: [pullOf({ state: 'closed' })],
      },
      'open open open',
    ],
    ['have their own once they left for a retry', left('retry'), 'in_review open in_review'],
    ['are left out once a person skipped one', left('skip'), 'in_review skipped in_review'],
    ['may leave out the first', left('skip', first), 'skipped in_review in_review'],
    ['are tried again by name', { ...left('skip'), only: ['T-2'] }, 'in_review open in_review'],
    [
      'are tried again when a skipped one was reworded',
      { ...left('skip'), tasks: [first, reworded] },
      'in_review open open',
    ],
    [
      'believe a newer pull request of their own',
      {
        ...open,
        pullRequests: [own, pullOf({ state: 'closed' })],
        branches: [
          {
            ...branchOf(),
            name: 'agent/T-2',
            trailers: {
              [trailer.task]: 'T-2',
              [trailer.outcome]: 'done',
              [trailer.fingerprint]: second.fingerprint,
            },
          },
        ],
      },
      'rejected in_review rejected',
    ],
    [
      'are not those that a person wrote into a text',
      {
        pullRequests: [pullOf({ body: `${bodyOf()}\nwords\n${taskMarker(first)}` })],
        branches: [branchOf()],
      },
      'in_review open open',
    ],
    [
      'are no group of another branch',
      { branches: [{ ...branchOf(), name: 'agent/T-9' }] },
      'open open open',
    ],
    [
      'need sound ids and fingerprints',
      {
        branches: [
          branchOf({
            [trailer.group]: `T-1 ${first.fingerprint}, ../x ${'2'.repeat(64)}, T-3 short`,
          }),
        ],
      },
      'in_review open open',
    ],
  ])('%s', (_, given, expected) => {
    expect(verdicts(given)).toBe(expected)
  })

  it('start where the branch does, however many commits it has', () => {
    const { results } = reconcile(open)
    expect(members.map(({ id }) => results[id])).toMatchObject(
      Array(3).fill({ start: 'base', sha: 'tip', branch: 'agent/T-1', pullRequest: { number: 7 } }),
    )
  })

  it('are one orphan when only the branch was pushed', () => {
    const { orphans } = reconcile({ branches: [branchOf()] })
    expect(orphans).toEqual([{ tasks: members, branch: branchOf() }])
  })

  it('are named to the run that works on them again, without those that left', () => {
    expect(reconcile({ ...open, again: ['T-1'] }).members).toEqual({ 'T-1': ['T-1', 'T-2', 'T-3'] })
    expect(reconcile({ ...left('skip'), again: ['T-1'] }).members).toEqual({
      'T-1': ['T-1', 'T-3'],
    })
    expect(reconcile({ ...open, again: ['T-2'] }).members).toEqual({})
  })
})
