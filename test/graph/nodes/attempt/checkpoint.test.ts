import { describe, expect, it } from 'vitest'
import { createLocalForge } from '../../../../src/adapters/local-forge.ts'
import type { Attempt } from '../../../../src/core/domain/attempt.ts'
import { changeState, type StatePatch } from '../../../../src/core/domain/change-state.ts'
import { label, readTaskMarker } from '../../../../src/core/domain/identity.ts'
import type { RunState } from '../../../../src/core/domain/run-state.ts'
import type { PublishResult, Workspace } from '../../../../src/core/ports/workspace.ts'
import { checkpoint } from '../../../../src/graph/nodes/attempt/checkpoint.ts'
import { sampleResult } from '../../../contracts/run-state.ts'
import { aTask, fakePorts } from '../../../fakes/facts.ts'
import { createMemoryForge } from '../../../fakes/memory-forge.ts'
import { createMemoryStore } from '../../../fakes/memory-store.ts'
import { aDraft, project, taskUnderWay } from '../bench.ts'

const { receipt } = sampleResult('T-1')

const localForge = createLocalForge()

async function bench(
  given: {
    readonly attempt?: Partial<Attempt>
    readonly state?: StatePatch
    readonly refuse?: PublishResult
    /** What keeping a commit beside its branch answers. */
    readonly keptRefusal?: PublishResult
    readonly files?: Record<string, string>
  } = {},
) {
  const { refuse, keptRefusal = null } = given
  const refuseOn = (name: string) =>
    refuse ?? (name.startsWith('refs/executor/kept/') ? keptRefusal : null)
  const made = await taskUnderWay({
    ...(given.files && { files: given.files }),
    attempt: { draft: aDraft(), receipt, ...given.attempt },
    ...(given.state && { state: given.state }),
    workspace: { files: {}, refuse: refuseOn },
  })
  const forge = createMemoryForge()
  const store = createMemoryStore()
  const ports = fakePorts({ workspace: made.workspace, forge, store })
  return { ...made, forge, store, ports }
}

const keptIn = async (workspace: Workspace) =>
  (await workspace.refresh()).branches.filter(({ name }) => name.startsWith('refs/executor/kept/'))

describe('checkpoint', () => {
  it('proposes one commit with the change and the tick, on its own branch', async () => {
    const { workspace, state, ports, forge, base } = await bench()
    const step = await checkpoint(state, ports)
    const sha = workspace.head('agent/T-1') ?? ''
    expect(step).toMatchObject({
      outcome: 'proposed',
      patch: {
        pullRequests: { opened: 1 },
        roadmap: { changes: ['T-1 ticked on agent/T-1'] },
        tasks: {
          results: {
            'T-1': { verdict: 'in_review', branch: 'agent/T-1', sha, pullRequest: { number: 1 } },
          },
        },
      },
    })
    expect(workspace.commitAt(sha).parents).toEqual([base.sha])
    expect(workspace.filesAt(sha)).toMatchObject({
      'src/greet.js': "export const greet = () => 'hello'\n",
      'ROADMAP.md': project['ROADMAP.md']?.replace('[ ] **T-1', '[x] **T-1'),
    })
    expect(forge.pulls).toMatchObject([
      { head: 'agent/T-1', base: 'main', draft: false, labels: [label.task] },
    ])
    expect(readTaskMarker(forge.pulls[0]?.body ?? '')).toEqual({
      id: 'T-1',
      fingerprint: state.attempt?.task.fingerprint,
    })
  })

  it('says in its pull request and in the report what was left out', async () => {
    const left = '.npmrc was left out: it holds credentials'
    const draft = aDraft({ notes: [left], warnings: [left] })
    const { state, ports, forge } = await bench({ attempt: { draft } })
    const { patch } = await checkpoint(state, ports)
    expect(patch?.tasks?.results?.['T-1']?.receipt?.warnings).toContain(left)
    expect(forge.pulls[0]?.body.split(left)).toHaveLength(2)
  })

  it.each([
    ['with a forge', undefined, 'in_review'],
    ['without one', localForge, 'done'],
  ])('is finished %s', async (_, forge, verdict) => {
    const { workspace, state, ports } = await bench()
    const step = await checkpoint(
      state,
      fakePorts({ workspace, store: ports.store, forge: forge ?? ports.forge }),
    )
    expect(step.patch?.tasks?.results?.['T-1']?.verdict).toBe(verdict)
  })

  it('commits a lock that we made, and says how', async () => {
    const change = { action: 'create', path: 'package-lock.json', content: '{}\n' } as const
    const draft = aDraft({ locks: [{ change, command: 'npm install --package-lock-only' }] })
    const { workspace, state, ports, forge } = await bench({ attempt: { draft } })
    await checkpoint(state, ports)
    const sha = workspace.head('agent/T-1') ?? ''
    expect(workspace.filesAt(sha)).toMatchObject({ 'package-lock.json': '{}\n' })
    expect(workspace.commitAt(sha).message).toContain('- create package-lock.json')
    expect(forge.pulls[0]?.body).toContain(
      '`package-lock.json` was not written by the model: `npm install --package-lock-only` made it from the changed manifest.',
    )
  })

  it('labels what nothing has verified', async () => {
    const unverified = receipt && { ...receipt, result: 'unverified' as const }
    const { state, ports, forge } = await bench({ attempt: { receipt: unverified } })
    const step = await checkpoint(state, ports)
    expect(step.patch?.tasks?.results?.['T-1']).toMatchObject({
      verdict: 'unverified',
      reason: unverified?.notes.at(-1) ?? 'nothing was run',
    })
    expect(forge.pulls[0]?.labels).toEqual([label.task, label.unverified])
  })

  it('ticks a task that was done already, and changes nothing else', async () => {
    const draft = aDraft({ changes: [], claimsDone: true })
    const { workspace, state, ports, base } = await bench({ attempt: { draft } })
    await checkpoint(state, ports)
    const head = workspace.head('agent/T-1') ?? ''
    const changed = await workspace.changedBetween(base.sha, head)
    expect(changed.map(({ path }) => path)).toEqual(['ROADMAP.md'])
  })

  it('grows from the branch it is stacked on', async () => {
    const { workspace, attempt, state, ports, forge } = await bench()
    const below = workspace.push('agent/T-0', { 'src/below.js': '' })
    const start = { branch: 'agent/T-0', sha: below }
    await checkpoint(changeState(state, { attempt: { ...attempt, start } }), ports)
    expect(forge.pulls[0]?.base).toBe('agent/T-0')
    expect(workspace.filesAt(workspace.head('agent/T-1') ?? '')).toHaveProperty('src/below.js')
  })

  it('ticks a task that came after the branch it is stacked on, and keeps the ticks of that branch', async () => {
    const { workspace, attempt, state, ports } = await bench()
    const newer = `${project['ROADMAP.md']}- [ ] **T-9**: Add what came later\n`
    const ticked = project['ROADMAP.md']?.replace('[ ] **T-1', '[x] **T-1') ?? ''
    const below = workspace.push('agent/T-1', { 'ROADMAP.md': ticked })
    workspace.push('main', { 'ROADMAP.md': newer })
    const { base } = await workspace.refresh()
    const task = aTask({ id: 'T-9', title: 'Add what came later' })
    const late = { ...attempt, task, start: { branch: 'agent/T-1', sha: below } }
    const step = await checkpoint(changeState(state, { roadmap: { base }, attempt: late }), ports)
    expect(step.outcome).toBe('proposed')
    const head = workspace.head('agent/T-9') ?? ''
    expect(workspace.filesAt(head)['ROADMAP.md']).toBe(
      newer.replaceAll(/\[ \] \*\*T-[19]/g, (box) => box.replace('[ ]', '[x]')),
    )
  })

  it('grows an earlier attempt, whose commits stay reachable', async () => {
    const { workspace, attempt, state, ports } = await bench()
    const earlier = workspace.push('agent/T-1', { 'src/earlier.js': '' })
    const heads = { 'agent/T-1': earlier }
    const step = await checkpoint(
      changeState(state, { tasks: { heads }, attempt: { ...attempt, head: earlier } }),
      ports,
    )
    expect(step.outcome).toBe('proposed')
    expect(step.patch?.pullRequests?.opened).toBe(0)
    const head = workspace.head('agent/T-1') ?? ''
    expect(await workspace.contains(head, earlier)).toBe(true)
    expect(workspace.filesAt(head)).not.toHaveProperty('src/earlier.js')
  })
})

describe('checkpoint after a kill', () => {
  it.each([
    ['before the pull request', false],
    ['after the pull request', true],
  ])('%s makes the same branch and one pull request', async (_, opened) => {
    const { workspace, state, ports, forge } = await bench()
    if (!opened) forge.refuse({ code: 'forge_unreachable', detail: 'killed' })
    await checkpoint(state, ports)
    forge.refuse(null)
    const before = workspace.head('agent/T-1')
    const again = await checkpoint(state, ports)
    expect(again.outcome).toBe('proposed')
    expect(workspace.head('agent/T-1')).toBe(before)
    expect(forge.pulls).toHaveLength(1)
  })

  it('knows its own commit by the trailers, though it would make another one now', async () => {
    const { workspace, attempt, state, ports, forge } = await bench()
    await checkpoint(state, ports)
    const before = workspace.head('agent/T-1')
    const later = { ...attempt, receipt: receipt && { ...receipt, seconds: 99 } }
    const again = await checkpoint(changeState(state, { attempt: later }), ports)
    expect(again).toMatchObject({
      outcome: 'proposed',
      patch: { tasks: { results: { 'T-1': { sha: before } } } },
    })
    expect(workspace.head('agent/T-1')).toBe(before)
    expect(forge.pulls).toHaveLength(1)
  })
})

describe('checkpoint gives way', () => {
  it("to someone else's commit, and keeps the work as a file", async () => {
    const { workspace, state, ports, forge, store } = await bench()
    const theirs = workspace.push('agent/T-1', { 'theirs.js': '' })
    const step = await checkpoint(state, ports)
    expect(step).toMatchObject({
      outcome: 'overtaken',
      patch: {
        tasks: {
          results: {
            'T-1': {
              verdict: 'waiting',
              sha: null,
              reason: expect.stringContaining(theirs.slice(0, 7)),
              overtaken: {
                merge: 'clean',
                theirs: { sha: theirs, files: [{ path: 'theirs.js' }] },
              },
            },
          },
        },
      },
    })
    expect(workspace.head('agent/T-1')).toBe(theirs)
    const [kept, ...others] = await keptIn(workspace)
    expect(others).toEqual([])
    expect(workspace.filesAt(kept?.sha ?? '')).toHaveProperty('src/greet.js')
    expect(forge.writes).toBe(0)
    expect(store.reports.get('attempts/T-1.md')).toContain("export const greet = () => 'hello'")
  })

  it('to a person who deleted the branch meanwhile', async () => {
    const { state, attempt, ports, workspace, base } = await bench()
    const message = 'gone'
    const head = await workspace.commit({ parents: [base.sha], changes: [], message })
    const { patch } = await checkpoint(changeState(state, { attempt: { ...attempt, head } }), ports)
    expect(patch?.tasks?.results?.['T-1']).toMatchObject({
      verdict: 'waiting',
      reason: expect.stringMatching(/^someone deleted agent\/T-1; ours, \w{7}, is kept: git fetch/),
      overtaken: { merge: 'deleted', theirs: { sha: null } },
    })
    expect(await keptIn(workspace)).toHaveLength(1)
  })

  it('and comments once on the open pull request, however often the step is repeated', async () => {
    const { state, ports, workspace, forge } = await bench()
    const theirs = workspace.push('agent/T-1', { 'theirs.js': '' })
    await forge.upsertPullRequest({
      ...{ head: 'agent/T-1', base: 'main', title: '', body: '', labels: [] },
      ...{ draft: false, reviewers: [], assignees: [] },
    })
    const steps = [await checkpoint(state, ports), await checkpoint(state, ports)]
    expect(steps[1]).toEqual(steps[0])
    expect(steps[0]?.patch?.tasks?.results?.['T-1']).toMatchObject({ pullRequest: { number: 1 } })
    expect(forge.comments).toEqual([
      expect.objectContaining({ body: expect.stringContaining(theirs.slice(0, 7)) }),
    ])
    expect(await keptIn(workspace)).toHaveLength(1)
  })

  it('until the person has pushed ours along with theirs', async () => {
    const { state, ports, workspace } = await bench()
    workspace.push('agent/T-1', { 'theirs.js': '' })
    await checkpoint(state, ports)
    const [kept] = await keptIn(workspace)
    const theirs = workspace.head('agent/T-1') ?? ''
    const parents = [theirs, kept?.sha ?? '']
    const merged = await workspace.commit({ parents, changes: [], message: 'Merge' })
    await workspace.publish('agent/T-1', merged, theirs)
    const { outcome, patch } = await checkpoint(state, ports)
    expect(outcome).toBe('proposed')
    expect(patch?.tasks?.results?.['T-1']).toMatchObject({ sha: kept?.sha })
    expect(workspace.head('agent/T-1')).toBe(merged)
    expect(await keptIn(workspace)).toEqual([])
  })

  it('with the work as a file only, where the forge lets nothing be kept', async () => {
    const refuse = { status: 'refused', code: 'forge_denied', detail: 'no' } as const
    const { state, ports, workspace, store } = await bench({ keptRefusal: refuse })
    workspace.push('agent/T-1', { 'theirs.js': '' })
    const { patch } = await checkpoint(state, ports)
    expect(patch?.tasks?.results?.['T-1']?.reason).toMatch(
      /is on agent\/T-1\. The attempt is saved in .*attempts\/T-1\.md/,
    )
    expect(store.reports.get('attempts/T-1.md')).toContain('hello')
  })

  it('and the next run resumes here, where the forge could not be reached to keep it', async () => {
    const refuse = { status: 'refused', code: 'forge_unreachable', detail: 'no' } as const
    const { state, ports, workspace } = await bench({ keptRefusal: refuse })
    workspace.push('agent/T-1', { 'theirs.js': '' })
    expect(await checkpoint(state, ports)).toMatchObject({
      outcome: 'forge_refused',
      patch: { progress: { stopped: 'unavailable' } },
    })
  })

  it('to a forge that refuses: the branch is kept, and the next run finds it', async () => {
    const { workspace, state, ports, forge, store } = await bench()
    forge.refuse({ code: 'actions_may_not_create_pull_requests', detail: 'o/r' })
    const step = await checkpoint(state, ports)
    expect(step).toMatchObject({
      outcome: 'forge_refused',
      patch: {
        tasks: {
          results: {
            'T-1': { verdict: 'failed', branch: 'agent/T-1', sha: workspace.head('agent/T-1') },
          },
        },
        record: { errors: [{ code: 'actions_may_not_create_pull_requests', taskId: 'T-1' }] },
      },
    })
    expect(workspace.head('agent/T-1')).not.toBeNull()
    expect(store.reports.size).toBe(0)
  })

  it('to a protected branch, and keeps the work as a file', async () => {
    const refuse = { status: 'refused', code: 'branch_protected', detail: 'GH006' } as const
    const { state, ports, store } = await bench({ refuse })
    const step = await checkpoint(state, ports)
    expect(step).toMatchObject({
      outcome: 'forge_refused',
      patch: {
        record: { errors: [{ code: 'branch_protected' }] },
        tasks: { results: { 'T-1': { sha: null } } },
      },
    })
    expect([...store.reports.keys()]).toEqual(['attempts/T-1.md'])
  })

  it('to a roadmap that no longer has the task', async () => {
    const { workspace, attempt, state, ports, forge, store } = await bench()
    const sha = workspace.push('agent/T-0', { 'ROADMAP.md': '- [ ] **T-7**: Something else\n' })
    const start = { branch: 'agent/T-0', sha }
    const step = await checkpoint(changeState(state, { attempt: { ...attempt, start } }), ports)
    expect(step).toMatchObject({
      outcome: 'failed',
      patch: {
        tasks: {
          results: {
            'T-1': { verdict: 'failed', reason: expect.stringContaining('no longer has') },
          },
        },
      },
    })
    expect(forge.writes).toBe(0)
    expect(workspace.head('agent/T-1')).toBeNull()
    expect(store.reports.has('attempts/T-1.md')).toBe(true)
  })
})

describe('checkpoint of an issue', () => {
  const issues = [{ number: 7, title: 'W', body: '- [ ] a\n- [ ] b\n', by: 'ada', at: 'then' }]
  const published = async (results: RunState['tasks']['results']) => {
    const task = aTask({ id: 'T-issue-7-2', title: 'b' })
    const made = await bench({
      attempt: { task },
      state: { asked: { issues }, tasks: { results } },
    })
    const step = await checkpoint(made.state, made.ports)
    expect(step).toMatchObject({ outcome: 'proposed', patch: { roadmap: { changes: [] } } })
    const files = made.workspace.filesAt(made.workspace.head('agent/T-issue-7-2') ?? '')
    expect(files['ROADMAP.md']).toBe(project['ROADMAP.md'])
    return made.forge.pulls[0]?.body ?? ''
  }

  it('leaves the roadmap alone, and closes the issue with the last of its tasks', async () => {
    const body = await published({})
    expect(body).toContain('\nPart of #7\n')
    expect(body).not.toContain('roadmap is ticked')
    const last = await published({ 'T-issue-7-1': sampleResult('T-issue-7-1') })
    expect(last).toContain('\nCloses #7\n')
  })
})
