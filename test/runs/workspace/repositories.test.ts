import { describe, expect, it } from 'vitest'
import { taskMarker } from '../../../src/core/domain/identity.ts'
import type { PullRequest } from '../../../src/core/ports/forge.ts'
import { setMembers } from '../../../src/runs/workspace/repositories.ts'
import { RepositoryDoors } from '../../../src/runs/workspace/repository-doors.ts'
import { untouchedResult } from '../../../src/tasks/standing/untouched-result.ts'
import { aTask, fakePorts } from '../../fakes/facts.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'

const draft = { title: '', labels: [], draft: false, reviewers: [], assignees: [] }

/** The members of a set in one repository, with these pull requests: head, base, and the task in its body. */
async function members(
  tasks: readonly string[],
  pulls: readonly (readonly [head: string, base: string, id: string])[],
) {
  const forge = createMemoryForge()
  const results = pulls.map(([head, base, id]) => {
    const body = taskMarker(aTask({ id }))
    const number = forge.openAs('executor[bot]', { ...draft, head, base, body })
    const pullRequest = { number, url: '' }
    return [id, untouchedResult(aTask({ id }), { verdict: 'in_review', reason: '', pullRequest })]
  })
  const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': '' } })
  const ports = fakePorts({ forge, workspace })
  const opened = { ports, last: async () => null, close: async () => {} }
  const doors = new RepositoryDoors([{ name: 'api', root: '', open: async () => opened }])
  const standing = {
    tasks: pulls.map(([, , id]) => aTask({ id })),
    results: Object.fromEntries(results),
  }
  const found = await setMembers(
    {
      names: ['api'],
      sets: [],
      doors: Object.assign(doors, {
        opened: async () => opened,
        standing: async () => standing,
        pullRequests: async (): Promise<readonly PullRequest[]> => forge.pullRequests(),
      }),
    },
    { name: 'pay', tasks, atomic: true },
  )
  return found.map(({ id, pullRequest }) => `${id} ${pullRequest?.head}`)
}

describe('setMembers', () => {
  it('puts the bottom of a stack first', async () => {
    const stack = [
      ['agent/T-1', 'main', 'T-1'],
      ['agent/T-2', 'agent/T-1', 'T-2'],
      ['agent/T-3', 'agent/T-2', 'T-3'],
    ] as const
    expect(await members(['api:T-3', 'api:T-1', 'api:T-2'], stack)).toEqual([
      ...['T-1 agent/T-1', 'T-2 agent/T-2', 'T-3 agent/T-3'],
    ])
    const circle = [
      ['agent/T-1', 'agent/T-2', 'T-1'],
      ['agent/T-2', 'agent/T-1', 'T-2'],
    ] as const
    expect(await members(['api:T-1'], circle)).toEqual(['T-1 agent/T-1'])
  })

  it('takes no proposal for the work, and capitals for nothing', async () => {
    const proposal = [['executor/recovery/T-1', 'main', 'T-1']] as const
    expect(await members(['api:T-1'], proposal)).toEqual(['T-1 undefined'])
    expect(await members(['api:t-1'], [['agent/T-1', 'main', 'T-1']])).toEqual(['T-1 agent/T-1'])
  })
})
