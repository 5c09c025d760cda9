import { describe, expect, it, test } from 'vitest'
import {
  branchOf,
  isTaskId,
  recoveryBranchOf,
  taskIdOfBranch,
} from '../../../src/core/domain/task-id.ts'

const good = [
  'T-1',
  'T-101',
  'T-1.1',
  'T-3-a',
  'T-a_b.c-d',
  'T-1.1-3f9a2c1',
  'ENG-42',
  'P-1',
  'auth-1',
  'FEAT-AUTH-01',
  `T-${'a'.repeat(64)}`,
]

const hostile = [
  '',
  'T-',
  'T--x',
  'T-.x',
  'T-../x',
  'T-a..b',
  'T-1.',
  'T-1.lock',
  'T-1.LOCK',
  `T-${'a'.repeat(65)}`,
  'issue-7',
  'comment-12',
  'run-20260111-0a0b0c',
  '1-1',
  `${'A'.repeat(17)}-1`,
  'ENG_X-1',
  'T1',
  'T-1 ',
  'T-1\n',
  'T-1\n--force',
  'T-a b',
  'T-a/b',
  'T-a\\b',
  'T-$(id)',
  'T-`id`',
  'T-1;rm',
  'T-1~1',
  'T-1^',
  'T-1:x',
  'T-@{x}',
  'T-é',
  'T-1\u200b',
  'T-1\0',
  '-T-1',
]

describe('isTaskId', () => {
  test.each(good)('accepts %j', (id) => expect(isTaskId(id)).toBe(true))
  test.each(hostile)('refuses %j', (id) => expect(isTaskId(id)).toBe(false))
})

describe('branches', () => {
  test.each(good)('of %j lead back to it', (id) => {
    expect(branchOf(id)).toBe(`agent/${id}`)
    expect(recoveryBranchOf(id)).toBe(`executor/recovery/${id}`)
    expect(taskIdOfBranch(branchOf(id))).toBe(id)
  })

  test.each(hostile)('are never made of %j', (id) => {
    expect(() => branchOf(id)).toThrow('not a task id')
    expect(() => recoveryBranchOf(id)).toThrow('not a task id')
    expect(taskIdOfBranch(`agent/${id}`)).toBeNull()
  })

  it('belong to a task only under agent/', () => {
    for (const branch of ['T-1', 'main', 'xagent/T-1', 'refs/heads/agent/T-1', 'agent/x/T-1'])
      expect(taskIdOfBranch(branch)).toBeNull()
  })
})
