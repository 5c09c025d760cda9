import { describe, expect, it, test } from 'vitest'
import { good, hostile } from '../../../packages/task/test/task-ids.ts'
import { branchOf, recoveryBranchOf, taskIdOfBranch } from '../../../src/core/domain/branches.ts'

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
