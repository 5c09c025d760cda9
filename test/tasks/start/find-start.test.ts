import { expect, it } from 'vitest'
import type { TaskResult } from '../../../src/core/domain/verdict.ts'
import { findStart } from '../../../src/tasks/start/find-start.ts'
import { aState, fakePorts, someSettings } from '../../fakes/facts.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'

const finished = (id: string, sha: string, facts: Partial<TaskResult> = {}) =>
  [id, { id, verdict: 'done', branch: `agent/${id}`, sha, start: null, ...facts }] as const

/** Two finished tasks, one on its own and one that grew from the first, and a third apart from both. */
async function place() {
  const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': '- [ ] T-1 a\n- [ ] T-2 b\n' } })
  const { base } = await workspace.refresh()
  const held: Readonly<Record<string, readonly string[]>> = {
    one: ['one'],
    two: ['one', 'two'],
    far: ['far'],
  }
  const contains = async (sha: string, ancestor: string) => held[sha]?.includes(ancestor) ?? false
  const readFiles = (_: string, paths: readonly string[]) => workspace.readFiles(base.sha, paths)
  const ports = fakePorts({
    workspace: { ...workspace, contains, readFiles },
    settings: { ...someSettings(), stack: 'auto' },
  })
  const results = Object.fromEntries([
    finished('T-1', 'one'),
    finished('T-2', 'two', { start: 'one' }),
    finished('T-3', 'far'),
    finished('T-4', 'late', { verdict: 'failed' }),
  ]) as unknown as Readonly<Record<string, TaskResult>>
  const state = aState({ roadmap: { base }, tasks: { results } })
  return {
    base,
    find: (needs: Parameters<typeof findStart>[1]) => findStart('T-9', needs, state, ports),
  }
}

it.each<[name: string, needs: Parameters<typeof findStart>[1], sha: string | null]>([
  ['the base, where it needs nothing', { dependsOn: [] }, null],
  ['the branch of what it depends on', { dependsOn: ['T-1'] }, 'one'],
  ['the tip that holds what it builds on, too', { dependsOn: ['T-1'], buildsOn: ['T-2'] }, 'two'],
  ['what it builds on alone', { dependsOn: [], buildsOn: ['T-2'] }, 'two'],
  [
    'what it depends on, where the rest is apart from it',
    { dependsOn: ['T-1'], buildsOn: ['T-3'] },
    'one',
  ],
])('a task starts from %s', async (_, needs, sha) => {
  const { base, find } = await place()
  expect(await find(needs)).toMatchObject({ status: 'start', sha: sha ?? base.sha })
})

it.each<[name: string, dependsOn: readonly string[], reason: RegExp]>([
  ['is not there yet', ['T-1', 'T-8'], /^waits for T-8$/],
  ['has failed', ['T-4'], /^waits for T-4$/],
  ['is on separate branches', ['T-2', 'T-3'], /separate branches/],
])('a task waits where what it needs %s', async (_, dependsOn, reason) => {
  const { find } = await place()
  expect(await find({ dependsOn })).toMatchObject({
    status: 'waits',
    reason: expect.stringMatching(reason),
  })
})
