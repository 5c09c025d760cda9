import { describe, expect, it } from 'vitest'
import { changeState, joinPatches } from '../../../../src/core/domain/change-state.ts'
import { label } from '../../../../src/core/domain/identity.ts'
import type { Settings } from '../../../../src/core/domain/settings.ts'
import { parseRoadmap } from '../../../../src/graph/nodes/choose/parse-roadmap.ts'
import { writeCommitMessage } from '../../../../src/publish/report/write-commit-message.ts'
import { sampleResult } from '../../../contracts/run-state.ts'
import { anAttempt, aState, fakePorts, someSettings } from '../../../fakes/facts.ts'
import { createMemoryForge } from '../../../fakes/memory-forge.ts'
import { createMemoryWorkspace, type Files } from '../../../fakes/memory-workspace.ts'
import { aDraft, project, taskUnderWay } from '../bench.ts'

/** No model is given: whoever asked one would fail the case. */
async function parse(files: Files, facts: Parameters<typeof aState>[0] = {}) {
  const workspace = createMemoryWorkspace({ files })
  const { base } = await workspace.refresh()
  const forge = createMemoryForge()
  const step = await parseRoadmap(
    aState(joinPatches({ roadmap: { base } }, facts)),
    fakePorts({ workspace, forge }),
  )
  return { step, forge, workspace }
}

describe('parse_roadmap', () => {
  it('finds nothing done in a fresh repository', async () => {
    const { step } = await parse(project)
    expect(step.outcome).toBe('parsed')
    expect(step.patch?.tasks?.results).toEqual({})
  })

  it('says beforehand what the tasks will take, and that the roadmap has warnings', async () => {
    const { step } = await parse({ 'ROADMAP.md': '- [x] Add a\n- [ ] Fix things\n- [ ] Add `b`\n' })
    expect(step.patch?.roadmap?.preview).toMatchObject({ tasks: 2, pastTasks: 0, warnings: 1 })
    expect(step.patch?.roadmap?.preview?.tokens).toBeGreaterThan(1000)
  })

  it('ends at a roadmap without tasks', async () => {
    const { step } = await parse({ 'ROADMAP.md': '# Nothing yet\n' })
    expect(step.outcome).toBe('no_tasks')
  })

  it.each([
    ['two tasks of one id', '- [ ] **T-1**: Add a\n- [ ] **T-1**: Add b\n', 'duplicate-id'],
    [
      'a circle',
      '- [ ] **T-1**: Add a\n  - **Depends on**: T-2\n- [ ] **T-2**: Add b\n  - **Depends on**: T-1\n',
      'dependency-cycle',
    ],
    [
      'a dependency on nothing',
      '- [ ] **T-1**: Add a\n  - **Depends on**: T-9\n',
      'unknown-dependency',
    ],
  ])('refuses %s before any model call, naming the line', async (_, text, rule) => {
    const { step, forge } = await parse({ 'ROADMAP.md': text })
    expect(step.outcome).toBe('refused')
    expect(step.patch?.record?.errors).toContainEqual(
      expect.objectContaining({
        code: rule,
        message: expect.stringMatching(/ROADMAP\.md:\d+:\d+ /),
      }),
    )
    expect(forge.writes).toBe(0)
  })

  it.each([
    ['without the file', {}, {}, 'no_roadmap'],
    ['with a task nobody wrote', project, { run: { only: ['T-9'] } }, 'unknown_task'],
  ])('is a broken set-up %s', async (_, files, facts, code) => {
    await expect(parse(files, facts)).rejects.toMatchObject({ code })
  })

  it('leaves alone a branch that the executor did not write, but keeps what this run found out itself', async () => {
    const { state, workspace } = await taskUnderWay()
    workspace.push('agent/T-1', {}, 'by hand')
    workspace.push('agent/T-2', {}, 'by hand')
    const known = sampleResult('T-2', { verdict: 'failed' })
    const ports = fakePorts({ workspace, forge: createMemoryForge() })
    await ports.workspace.refresh()
    const step = await parseRoadmap(
      changeState(state, { tasks: { results: { 'T-2': known } } }),
      ports,
    )
    expect(step.patch?.tasks?.results).toMatchObject({
      'T-1': {
        verdict: 'waiting',
        sha: null,
        reason: expect.stringContaining('did not write the last commit'),
      },
      'T-2': { verdict: 'failed' },
    })
    expect(step.patch?.tasks?.heads).toMatchObject({ 'agent/T-1': workspace.head('agent/T-1') })
  })
})

describe('a repository that an earlier version left', () => {
  // As cd567e6 called these tasks, of which it saw the titles alone.
  const text =
    '# Plan\n- [ ] ENG-42: Add login\n- [ ] Add logout\n\n```js\nlogout()\n```\n\n- [ ] Add search\n\nFast.\n'
  const begun = {
    login: ['T-3e777f2', '3b10d0b303474d2bd4b377ebac8d7c2ce498c0bb828dc7ea00c8c0e322937e1d'],
    logout: ['T-a91b22d', 'c0afd87478ad5d454b0726ad3a53b07e63a8db686e93745323ffbe5b8b8aca70'],
  } as const

  it('goes on: what it began keeps its name and is not done again', async () => {
    const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': text } })
    for (const [id, fingerprint] of Object.values(begun)) {
      const trailers = `Executor-Run: run-1\nExecutor-Task: ${id}\nExecutor-Fingerprint: ${fingerprint}\nExecutor-Outcome: done`
      workspace.push(`agent/${id}`, { [id]: 'x' }, `${id}: work\n\n${trailers}`)
    }
    const { base } = await workspace.refresh()
    const forge = createMemoryForge()
    const step = await parseRoadmap(aState({ roadmap: { base } }), fakePorts({ workspace, forge }))
    expect(step.patch?.record?.errors).toEqual([])
    expect(step.patch?.tasks?.results).toMatchObject({
      [begun.login[0]]: { verdict: 'in_review', title: 'Add login' },
      [begun.logout[0]]: { verdict: 'in_review', fingerprint: begun.logout[1] },
    })
    expect(Object.keys(step.patch?.tasks?.results ?? {})).toHaveLength(2)
    expect(step.patch?.roadmap?.preview?.tasks).toBe(1)
  })
})

describe('a finished branch without a pull request', () => {
  async function orphan(outcome: 'done' | 'unverified', settings: Partial<Settings> = {}) {
    const { workspace, state, tasks, base } = await taskUnderWay()
    const [first, second] = tasks
    if (!first || !second) throw new Error('Two tasks are needed.')
    const commit = async (task: typeof first, parent: string) => {
      const attempt = anAttempt({ task, draft: aDraft() })
      const sha = await workspace.commit({
        parents: [parent],
        changes: [],
        message: writeCommitMessage(attempt, state, outcome, someSettings()),
      })
      await workspace.publish(`agent/${task.id}`, sha, null)
      return sha
    }
    await commit(second, await commit(first, base.sha))
    const forge = createMemoryForge()
    const ports = fakePorts({
      workspace,
      forge,
      settings: { ...someSettings(), ...settings },
    })
    const run = async () => {
      await workspace.refresh()
      return parseRoadmap(changeState(state, { attempt: null }), ports)
    }
    return { forge, workspace, state, run }
  }

  it('gets its own now, on top of the branch it grew from', async () => {
    const { forge, run } = await orphan('done')
    const step = await run()
    expect(forge.pulls).toMatchObject([
      { head: 'agent/T-1', base: 'main', labels: [label.task] },
      { head: 'agent/T-2', base: 'agent/T-1', labels: [label.task] },
    ])
    expect(step.patch?.tasks?.results).toMatchObject({
      'T-1': { verdict: 'in_review', pullRequest: { number: 1 }, thisRun: false },
      'T-2': { verdict: 'in_review', pullRequest: { number: 2 } },
    })
  })

  it('is found in its pull request the next time, and opened no second time', async () => {
    const { forge, run } = await orphan('unverified')
    await run()
    expect(forge.pulls[0]?.labels).toEqual([label.task, label.unverified])
    const again = await run()
    expect(forge.pulls).toHaveLength(2)
    expect(again.patch?.tasks?.results?.['T-1']).toMatchObject({ verdict: 'in_review', reason: '' })
  })

  it('keeps the pull request that another run opened since the branches were read', async () => {
    const { forge, run } = await orphan('done')
    const texts = { title: 'All', body: 'What was tested', labels: [], draft: false }
    const full = { ...texts, head: 'agent/T-1', base: 'main' }
    const { upsertPullRequest } = forge
    forge.upsertPullRequest = async (draft) => {
      forge.upsertPullRequest = upsertPullRequest
      await upsertPullRequest({ ...full, reviewers: [], assignees: [] })
      return upsertPullRequest(draft)
    }
    const step = await run()
    expect(forge.pulls).toMatchObject([full, { head: 'agent/T-2' }])
    expect(step.patch?.tasks?.results?.['T-1']).toMatchObject({ pullRequest: { number: 1 } })
  })

  it('stays a branch when the forge refuses, with the reason', async () => {
    const { forge, run } = await orphan('done')
    forge.refuse({ code: 'actions_may_not_create_pull_requests', detail: 'o/r' })
    const step = await run()
    expect(step.outcome).toBe('parsed')
    expect(step.patch?.tasks?.results?.['T-1']).toMatchObject({
      verdict: 'in_review',
      pullRequest: null,
    })
    expect(step.patch?.record?.errors).toMatchObject([
      { code: 'actions_may_not_create_pull_requests', taskId: 'T-1' },
      { taskId: 'T-2' },
    ])
  })

  it('is nothing to build on once the base contains it', async () => {
    const { workspace, state } = await orphan('done')
    const tip = workspace.head('agent/T-1') ?? ''
    const contains = async (sha: string, ancestor: string) =>
      sha === state.roadmap.base.sha && ancestor === tip
    const ports = fakePorts({ workspace: { ...workspace, contains }, forge: createMemoryForge() })
    await ports.workspace.refresh()
    const step = await parseRoadmap(changeState(state, { attempt: null }), ports)
    expect(step.patch?.tasks?.results?.['T-1']?.sha).toBeNull()
    expect(step.patch?.tasks?.results?.['T-2']?.sha).not.toBeNull()
  })
})
