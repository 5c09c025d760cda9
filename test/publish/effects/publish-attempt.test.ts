import { describe, expect, it } from 'vitest'
import { changeState } from '../../../src/core/domain/change-state.ts'
import { readProposalMarker } from '../../../src/core/domain/hidden-lines.ts'
import type { CommitOutcome } from '../../../src/core/domain/identity.ts'
import type { Forge } from '../../../src/core/ports/forge.ts'
import type { PublishResult } from '../../../src/core/ports/workspace.ts'
import { publishAttempt } from '../../../src/publish/effects/publish-attempt.ts'
import { fakePorts, someSettings } from '../../fakes/facts.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { greeting, taskUnderWay } from '../../graph/nodes/bench.ts'

const what = {
  changes: greeting,
  outcome: 'done' as CommitOutcome,
  text: { title: 'A title', body: 'A body' },
  labels: ['executor:task'],
  draft: false,
}

async function bench(refuse?: PublishResult, now?: () => string) {
  const made = await taskUnderWay({
    workspace: { files: {}, ...(refuse && { refuse: () => refuse }), ...(now && { now }) },
  })
  const forge = createMemoryForge()
  const settings = someSettings()
  const pullRequest = { ...settings.pullRequest, labels: ['bot'], reviewers: ['ada'] }
  const ports = fakePorts({
    workspace: made.workspace,
    forge,
    settings: { ...settings, pullRequest },
  })
  return { ...made, forge, ports }
}

describe('publishAttempt', () => {
  it('commits, pushes and opens the pull request, with the labels of both', async () => {
    const { workspace, attempt, state, ports, forge } = await bench()
    const published = await publishAttempt(attempt, state, ports, what)
    expect(published).toEqual({
      status: 'published',
      branch: 'agent/T-1',
      sha: workspace.head('agent/T-1'),
      pullRequest: expect.objectContaining({ number: 1 }),
    })
    expect(forge.pulls).toMatchObject([
      {
        title: 'A title',
        body: expect.stringMatching(/^A body\n<!-- /),
        labels: ['executor:task', 'bot'],
        base: 'main',
      },
    ])
    const { branches } = await workspace.refresh()
    expect(branches[0]?.trailers).toMatchObject({
      'Executor-Run': 'run-1',
      'Executor-Task': 'T-1',
      'Executor-Attempt': '1',
      'Executor-Outcome': 'done',
    })
  })

  it.each([
    [undefined, ['grace']],
    ['ada', ['grace', 'ada']],
    ['grace', ['grace']],
    ['ada-l_corp', ['grace', 'ada-l_corp']],
    ['Ada Lovelace', ['grace']],
    ['org/team', ['grace']],
    ['dependabot[bot]', ['grace']],
    ['-ada', ['grace']],
    ['a'.repeat(101), ['grace']],
  ])('assigns it to the owner %s, who may be no account', async (owner, assignees) => {
    const { attempt, state, ports, forge } = await bench()
    const asked: (readonly string[])[] = []
    const pullRequest = { ...ports.settings.pullRequest, assignees: ['grace'] }
    const upsertPullRequest: Forge['upsertPullRequest'] = (draft) => {
      asked.push(draft.assignees)
      return forge.upsertPullRequest(draft)
    }
    const task = { ...attempt.task, ...(owner !== undefined && { owner }) }
    await publishAttempt(
      { ...attempt, task },
      state,
      {
        ...ports,
        forge: { ...forge, upsertPullRequest },
        settings: { ...ports.settings, pullRequest },
      },
      what,
    )
    expect(asked).toEqual([assignees])
  })

  it.each<[CommitOutcome, isApprovable: boolean]>([
    ['done', true],
    ['unverified', true],
    ['needs-human', false],
  ])(
    'binds approvals in the conversation to the head of what is %s: %s',
    async (outcome, isApprovable) => {
      const { workspace, attempt, state, ports, forge } = await bench()
      await publishAttempt(attempt, state, ports, { ...what, outcome })
      const mark = readProposalMarker(forge.pulls[0]?.body ?? '')
      const bound = { task: 'T-1', sha: workspace.head('agent/T-1'), at: ports.clock.now() }
      expect(mark).toEqual(isApprovable ? { ...bound, hash: expect.any(String) } : null)
    },
  )

  it('writes nothing when it is repeated later', async () => {
    const { attempt, state, ports, forge } = await bench()
    await publishAttempt(attempt, state, ports, what)
    const [before, writes] = [forge.pulls[0]?.body, forge.writes]
    const later = { ...ports, clock: createFakeClock('2026-03-04T05:06:07.000Z') }
    await publishAttempt(attempt, state, later, what)
    expect([forge.pulls[0]?.body, forge.writes]).toEqual([before, writes])
  })

  it.each([
    ['another run', { run: { id: 'run-2' } }, 1],
    ['another attempt', { run: { id: 'run-1' } }, 2],
  ])('does not take the commit of %s for its own', async (_, run, number) => {
    const { workspace, attempt, state, ports } = await bench()
    await publishAttempt(attempt, state, ports, what)
    const first = workspace.head('agent/T-1')
    const again = await publishAttempt({ ...attempt, number }, changeState(state, run), ports, what)
    expect(again).toMatchObject({ status: 'overtaken', branch: 'agent/T-1', sha: first })
    expect(again).not.toMatchObject({ kept: first })
    expect(workspace.head('agent/T-1')).toBe(first)
  })

  it('keeps its commit beside theirs once, though it is made again at another time', async () => {
    const times = ['1', '2', '3']
    const { workspace, attempt, state, ports } = await bench(undefined, () => times.shift() ?? '')
    workspace.push('agent/T-1', { 'theirs.js': '' })
    const first = await publishAttempt(attempt, state, ports, what)
    expect(await publishAttempt(attempt, state, ports, what)).toEqual(first)
    expect((await workspace.refresh()).branches).toHaveLength(2)
  })

  it('adds no merge where the start already contains the earlier head', async () => {
    const { workspace, attempt, state, ports, base } = await bench()
    await workspace.publish('agent/T-1', base.sha, null)
    await publishAttempt({ ...attempt, head: base.sha }, state, ports, what)
    expect(workspace.commitAt(workspace.head('agent/T-1') ?? '').parents).toEqual([base.sha])
  })

  it.each<[PublishResult & { readonly status: 'refused' }]>([
    [{ status: 'refused', code: 'branch_protected', detail: 'GH006' }],
    [{ status: 'refused', code: 'forge_unreachable', detail: 'timeout' }],
  ])('opens nothing for a branch that could not be pushed', async (refused) => {
    const { attempt, state, ports, forge } = await bench(refused)
    expect(await publishAttempt(attempt, state, ports, what)).toMatchObject({
      status: 'refused',
      sha: null,
      error: {
        code: refused.code,
        taskId: 'T-1',
        message: expect.stringContaining(refused.detail),
      },
    })
    expect(forge.writes).toBe(0)
  })

  it('says which commit is safe when only the pull request is refused', async () => {
    const { workspace, attempt, state, ports, forge } = await bench()
    forge.refuse({ code: 'forge_denied', detail: 'no' })
    expect(await publishAttempt(attempt, state, ports, what)).toMatchObject({
      status: 'refused',
      sha: workspace.head('agent/T-1'),
      error: { code: 'forge_denied' },
    })
  })

  it('never publishes a commit that holds more than what was validated', async () => {
    const { workspace, attempt, state, ports } = await bench()
    const sly = {
      ...workspace,
      commit: (request: Parameters<typeof workspace.commit>[0]) =>
        workspace.commit({
          ...request,
          changes: [...request.changes, { action: 'create', path: 'sly.js', content: '' }],
        }),
    }
    const published = publishAttempt(
      attempt,
      state,
      fakePorts({ workspace: sly, forge: ports.forge }),
      what,
    )
    await expect(published).rejects.toThrow('sly.js')
    expect(workspace.head('agent/T-1')).toBeNull()
  })
})
