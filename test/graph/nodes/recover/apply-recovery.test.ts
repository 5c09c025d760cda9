import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../../packages/change/change-set.ts'
import { findOperations } from '../../../../packages/judge/destructive/find-destructive.ts'
import { createLocalForge } from '../../../../src/adapters/local-forge.ts'
import type { Attempt, Strategy } from '../../../../src/core/domain/attempt.ts'
import { changeState, failureAt } from '../../../../src/core/domain/change-state.ts'
import { label } from '../../../../src/core/domain/identity.ts'
import { applyRecovery } from '../../../../src/graph/nodes/recover/apply-recovery.ts'
import { loadOpenTasks } from '../../../../src/tasks/load-roadmap.ts'
import { fakePorts } from '../../../fakes/facts.ts'
import { createMemoryForge } from '../../../fakes/memory-forge.ts'
import { createMemoryStore } from '../../../fakes/memory-store.ts'
import { memoryTree } from '../../../fakes/memory-tree.ts'
import { aDraft, greeting, project, taskUnderWay } from '../bench.ts'

async function bench(strategy: Strategy, attempt: Partial<Attempt> = {}) {
  const proposal = { strategy, reason: 'unknown', explanation: 'It fails.', tasks: [] } as const
  const failure = {
    at: 'repairs_spent' as const,
    message: 'still broken',
    problems: [],
    failures: [],
    output: '',
  }
  const made = await taskUnderWay({
    attempt: { proposal, failure, draft: aDraft(), ...attempt },
  })
  const forge = createMemoryForge()
  const store = createMemoryStore()
  return { ...made, forge, store, ports: fakePorts({ workspace: made.workspace, forge, store }) }
}

const localForge = createLocalForge()

describe('apply_recovery sets aside', () => {
  it.each<[Strategy, string, readonly string[]]>([
    ['DEFER', 'deferred', []],
    ['SKIP', 'skipped', ['attempts/T-1.md']],
  ])('by %s, and publishes nothing', async (strategy, verdict, kept) => {
    const { state, ports, forge, store, workspace } = await bench(strategy)
    const step = await applyRecovery(state, ports)
    expect(step).toMatchObject({
      outcome: 'task_set_aside',
      patch: { tasks: { results: { 'T-1': { verdict, reason: 'It fails.' } } } },
    })
    expect([...store.reports.keys()]).toEqual(kept)
    expect(forge.writes).toBe(0)
    expect(workspace.head('agent/T-1')).toBeNull()
  })
})

describe('apply_recovery names another model', () => {
  it('in one line of the roadmap, and the same task is tried with it', async () => {
    const tasks = [{ id: 'T-1', title: 'Add a greeting', details: [], files: [], model: 'big' }]
    const proposal = { strategy: 'REWRITE', reason: 'unknown', explanation: 'No.', tasks } as const
    const { state, ports, forge, workspace } = await bench('REWRITE', { proposal })
    const step = await applyRecovery(state, ports)
    const sha = workspace.head('executor/recovery/T-1') ?? ''
    expect(step).toMatchObject({
      outcome: 'other_model',
      patch: {
        attempt: {
          ...{ number: 2, draft: null, failure: null, proposal: null },
          task: { id: 'T-1', model: 'big' },
          start: { branch: 'executor/recovery/T-1', sha },
          earlier: expect.stringContaining('still broken'),
        },
        roadmap: { changes: ['T-1 names big, on executor/recovery/T-1'] },
      },
    })
    expect(step.patch?.tasks?.results).toBeUndefined()
    expect(workspace.filesAt(sha)['ROADMAP.md']).toBe(
      project['ROADMAP.md']?.replace('greet.js`\n', 'greet.js`\n  - **Model**: big\n'),
    )
    expect(forge.pulls[0]?.body).toContain('+ **Model**: big')
    // The table goes on with the attempt, and the task waits for nothing of its own.
    const after = changeState(state, step.patch)
    expect((await loadOpenTasks(after, ports)).dependsOn.get('T-1')).toEqual([])
  })
})

describe('apply_recovery escalates', () => {
  it('by a labelled draft that starts no CI, and holds the failed code unticked', async () => {
    const { state, ports, forge, workspace, base } = await bench('ESCALATE')
    const step = await applyRecovery(state, ports)
    expect(step).toMatchObject({
      outcome: 'task_set_aside',
      patch: {
        tasks: {
          results: {
            'T-1': {
              verdict: 'failed',
              branch: 'agent/T-1',
              sha: null,
              pullRequest: { number: 1 },
            },
          },
        },
      },
    })
    expect(forge.pulls).toMatchObject([{ labels: [label.needsHuman], draft: true, base: 'main' }])
    expect(forge.pulls[0]?.body).toContain('still broken')
    const head = workspace.head('agent/T-1') ?? ''
    expect(workspace.commitAt(head).message).toMatch(/\[skip ci\]/)
    expect(workspace.commitAt(head).message).toMatch(/^Executor-Outcome: needs-human$/m)
    const changed = await workspace.changedBetween(base.sha, head)
    expect(changed.map(({ path }) => path)).toEqual(['src/greet.js'])
  })

  it('without any file that the gate refuses', async () => {
    const refused: ChangeSet = [
      { action: 'create', path: '.github/workflows/evil.yml', content: 'on: push\n' },
      { action: 'create', path: 'src/out-of-scope.js', content: '' },
      { action: 'create', path: 'ROADMAP.md', content: '' },
      { action: 'create', path: '../outside.js', content: '' },
      { action: 'create', path: '.git/hooks/pre-commit', content: '' },
      { action: 'create', path: 'src/greet.test.js', content: '\u202E' },
    ]
    const draft = aDraft({ changes: [...greeting, ...refused] })
    const { state, ports, workspace, base } = await bench('ESCALATE', { draft })
    await applyRecovery(state, ports)
    const changed = await workspace.changedBetween(base.sha, workspace.head('agent/T-1') ?? '')
    expect(changed.map(({ path }) => path)).toEqual(['src/greet.js'])
  })

  it('without destructive operations that nobody approved', async () => {
    const text = "import { rmSync } from 'node:fs'\nrmSync(process.argv[2])\n"
    const changes: ChangeSet = [
      ...greeting,
      { action: 'create', path: 'src/clean.js', content: text },
    ]
    const task = { ...(await taskUnderWay()).attempt.task, files: [] }
    const published = async (attempt: Partial<Attempt>) => {
      const draft = aDraft({ changes })
      const { state, ports, workspace, base } = await bench('ESCALATE', { task, draft, ...attempt })
      await applyRecovery(state, ports)
      const changed = await workspace.changedBetween(base.sha, workspace.head('agent/T-1') ?? '')
      return changed.map(({ path }) => path).sort()
    }
    expect(await published({})).toEqual(['src/greet.js'])
    const { ports } = await bench('ESCALATE', {})
    const found = await findOperations(changes, await memoryTree({}), ports.settings)
    const allowed = found.map(({ fingerprint }) => fingerprint)
    expect(await published({ allowed })).toEqual(['src/clean.js', 'src/greet.js'])
  })

  it('without any code when there is far too much of it', async () => {
    const many = Array.from({ length: 101 }, (_, n) => ({
      action: 'create' as const,
      path: `src/greet/${n}.js`,
      content: '',
    }))
    const { state, ports, workspace, base } = await bench('ESCALATE', {
      draft: aDraft({ changes: many }),
    })
    await applyRecovery(state, ports)
    const changed = await workspace.changedBetween(base.sha, workspace.head('agent/T-1') ?? '')
    expect(changed).toEqual([])
  })

  it('without the changes that a loop of tools was spent on: they are kept as a file', async () => {
    const failure = failureAt('spent', '5 changes in a row failed')
    const { state, ports, forge, store, workspace, base } = await bench('ESCALATE', { failure })
    await applyRecovery(state, ports)
    expect(forge.pulls).toHaveLength(1)
    const head = workspace.head('agent/T-1') ?? ''
    expect(await workspace.changedBetween(base.sha, head)).toEqual([])
    expect(store.reports.get('attempts/T-1.md')).toContain('## create src/greet.js')
  })

  it('and says on which branch the attempt is, if it left code', async () => {
    const { state, ports } = await bench('ESCALATE')
    const { reason } = (await applyRecovery(state, ports)).patch?.tasks?.results?.['T-1'] ?? {}
    expect(reason).toBe('It fails. The attempt is on agent/T-1.')
    const empty = await bench('ESCALATE', { draft: null })
    const step = await applyRecovery(empty.state, empty.ports)
    expect(step.patch?.tasks?.results?.['T-1']?.reason).toBe('It fails.')
  })

  it('twice to the same pull request', async () => {
    const { state, ports, forge, workspace } = await bench('ESCALATE')
    await applyRecovery(state, ports)
    const before = workspace.head('agent/T-1')
    await applyRecovery(state, ports)
    expect(workspace.head('agent/T-1')).toBe(before)
    expect(forge.pulls).toHaveLength(1)
  })

  it('to a file where there is no forge', async () => {
    const { state, ports, store, workspace } = await bench('ESCALATE')
    const step = await applyRecovery(
      state,
      fakePorts({ workspace: ports.workspace, store, forge: localForge }),
    )
    expect(step.patch?.tasks?.results?.['T-1']).toMatchObject({
      verdict: 'failed',
      branch: null,
      reason: 'It fails. The attempt is saved in /memory/attempts/T-1.md.',
    })
    expect(store.reports.get('attempts/T-1.md')).toContain("export const greet = () => 'hello'")
    expect(workspace.head('agent/T-1')).toBeNull()
  })

  it('and is refused by the forge: the work is kept, the error named', async () => {
    const { state, ports, forge, store } = await bench('ESCALATE')
    forge.refuse({ code: 'forge_denied', detail: 'no' })
    const step = await applyRecovery(state, ports)
    expect(step).toMatchObject({
      outcome: 'refused',
      patch: {
        tasks: { results: { 'T-1': { verdict: 'failed' } } },
        record: { errors: [{ code: 'forge_denied' }] },
      },
    })
    expect(store.reports.has('attempts/T-1.md')).toBe(true)
  })

  it('and waits for a forge that is away: the next run goes on here', async () => {
    const { state, ports, forge } = await bench('ESCALATE')
    forge.refuse({ code: 'forge_unreachable', detail: 'no answer' })
    const step = await applyRecovery(
      changeState(state, { progress: { next: 'apply_recovery' } }),
      ports,
    )
    expect(step).toEqual({
      outcome: 'forge_refused',
      patch: {
        record: { errors: [expect.objectContaining({ code: 'forge_unreachable' })] },
        progress: { stopped: 'unavailable', resumeAt: 'apply_recovery' },
      },
    })
    forge.refuse(null)
    expect((await applyRecovery(state, ports)).outcome).toBe('task_set_aside')
    expect(forge.pulls).toHaveLength(1)
  })

  it("never over someone else's commit", async () => {
    const { state, ports, workspace, forge, store } = await bench('ESCALATE')
    const theirs = workspace.push('agent/T-1', { 'theirs.js': '' })
    const step = await applyRecovery(state, ports)
    expect(step).toMatchObject({ outcome: 'refused', patch: { record: { errors: [] } } })
    expect(workspace.head('agent/T-1')).toBe(theirs)
    expect(forge.writes).toBe(0)
    expect(store.reports.has('attempts/T-1.md')).toBe(true)
  })
})
