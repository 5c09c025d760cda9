import { describe, expect, it } from 'vitest'
import { readRoadmap } from '../../packages/roadmap/document/read-roadmap.ts'
import { replaceTask } from '../../packages/roadmap/document/replace-task.ts'
import { label, noticeMarker, taskMarker } from '../../src/core/domain/identity.ts'
import type { PullRequestDraft } from '../../src/core/ports/forge.ts'
import { refreshPullRequests } from '../../src/runs/refresh-pull-requests.ts'
import { aTask, fakePorts, someSettings } from '../fakes/facts.ts'
import { createMemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryRepository } from '../fakes/memory-repository.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'

const plan = '# Plan\n\n- [ ] T-1: one\n- [ ] T-2: two\n'
const one = readRoadmap(plan).tasks[0] ?? aTask()

/** Pull requests in memory, with nothing to merge unless a case makes it so. */
function makeScene(roadmap = plan) {
  const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': plan, 'a.js': 'a\n' } })
  const repository = createMemoryRepository({ tipOf: (branch) => workspace.head(branch) })
  const forge = createMemoryForge(repository)
  const open = (head: string, base: string, facts: Partial<PullRequestDraft> = {}): number => {
    if (workspace.head(head) === null) workspace.push(head, { [`${head}.js`]: 'x' })
    const people = { reviewers: [], assignees: [], labels: [label.task], draft: false }
    return repository.open(repository.us, {
      ...{ head, base, title: head, body: taskMarker(one), ...people, ...facts },
    })
  }
  return {
    ...{ workspace, repository, forge, open },
    setRoadmap: (text: string) => workspace.push('main', { 'ROADMAP.md': text }),
    async refresh(conflicts: boolean | null = null) {
      if (roadmap !== plan) workspace.push('main', { 'ROADMAP.md': roadmap })
      await workspace.refresh()
      const ports = fakePorts({ workspace, forge, settings: someSettings() })
      const now = forge.pulls.map(({ number }) => ({ number, conflicts }))
      return refreshPullRequests(await forge.pullRequests(), now, ports)
    },
  }
}

describe('an open pull request is told', () => {
  it.each<[string, string, string | null]>([
    ['nothing while all is well', plan, null],
    ['nothing when another task was reworded', plan.replace('two', '2'), null],
    ['nothing when its task is not there', plan.replace('- [ ] T-1: one\n', ''), null],
    ['that its task was reworded', plan.replace('one', 'another'), '`T-1` on `main` has changed'],
    ['that its task was ticked', plan.replace('[ ] T-1', '[x] T-1'), '`T-1` is ticked on `main`'],
    ['that its task was cancelled', plan.replace('[ ] T-1', '[-] T-1'), '`T-1` was cancelled'],
  ])('%s', async (_, roadmap, words) => {
    const scene = makeScene(roadmap)
    const number = scene.open('agent/T-1', 'main')
    const told = await scene.refresh()
    expect(told).toMatchObject({ updated: [], retargeted: [], errors: [] })
    const { writes } = scene.repository.counters
    expect(writes).toBe(words === null ? 0 : 2)
    const said = scene.forge.comments.map(({ body }) => body)
    expect(said).toEqual(words === null ? [] : [expect.stringContaining(words)])
    expect(said.every((body) => body.startsWith(noticeMarker))).toBe(true)
    const { state, labels } = scene.repository.pull(number) ?? {}
    expect(state).toBe('open')
    expect(labels?.includes(label.attention)).toBe(words !== null)
    await scene.refresh()
    expect(scene.repository.counters.writes).toBe(writes)
  })

  it('that what it is stacked on was closed, and keeps its base', async () => {
    const scene = makeScene()
    const below = scene.open('agent/T-1', 'main')
    scene.open('agent/T-2', 'agent/T-1', { body: '' })
    scene.repository.close(below)
    expect((await scene.refresh()).retargeted).toEqual([])
    expect(scene.forge.comments).toMatchObject([
      { pullRequest: 2, body: expect.stringContaining('This builds on #1, which was closed') },
    ])
  })

  it('nothing that its author could have made of a path or a branch', async () => {
    const scene = makeScene()
    const path = 'a`@ada`#1\n/approve.js'
    scene.workspace.push('main', { [path]: 'x' })
    scene.workspace.push('agent/T-1', { [path]: 'y' })
    scene.open('agent/T-1', 'main')
    scene.workspace.push('main', { [path]: 'z' })
    await scene.refresh()
    const [said] = scene.forge.comments
    expect(said?.body).toContain('It conflicts with')
    expect(said?.body).not.toMatch(/@ada|#1|^\/approve/m)
  })
})

describe('a base that is gone', () => {
  it.each<[string, string, string | null]>([
    ['to where the one below was merged', 'agent/T-1', 'main'],
    ['not from a branch of other people', 'develop', null],
    ['to the default branch, when nobody knows it', 'agent/T-8', 'main'],
  ])('sends a pull request %s', async (_, base, onto) => {
    const scene = makeScene()
    const below = scene.open('agent/T-1', 'main')
    const number = scene.open('agent/T-2', base, { body: '' })
    const mergeSha = scene.workspace.push('main', {})
    scene.repository.changePull(below, { state: 'merged', mergeSha })
    const { retargeted } = await scene.refresh()
    expect(retargeted).toEqual(onto === null ? [] : [{ number, base: onto }])
  })

  it('goes on with the others when the forge refuses one thing', async () => {
    const scene = makeScene(plan.replace('one', 'another'))
    scene.open('agent/T-1', 'main')
    scene.open('agent/T-2', 'agent/T-8', { body: '' })
    scene.forge.refuse({ code: 'forge_denied', detail: 'no' })
    const { errors, retargeted } = await scene.refresh()
    expect(errors).toMatchObject([{ code: 'forge_denied' }, { code: 'forge_denied' }])
    expect(retargeted).toEqual([])
  })
})

describe('a proposal', () => {
  it('is brought up to date by its meaning, too', async () => {
    const scene = makeScene()
    const facts = { strategy: 'DECOMPOSE', reason: 'unknown', at: '2026-01-11T09:00:00Z' } as const
    const tasks = [{ id: 'T-1-a', title: 'a', details: [], files: [] }]
    const edited = replaceTask(plan, { task: one, ...facts, tasks })
    if (edited.status === 'refused') throw new Error(edited.reason)
    const head = 'executor/recovery/T-1'
    scene.workspace.push(head, { 'ROADMAP.md': edited.text })
    scene.open(head, 'main', { labels: [label.recovery], body: '' })
    scene.setRoadmap(plan.replace('[ ] T-2', '[x] T-2'))
    expect(await scene.refresh(false)).toMatchObject({ updated: [] })
    expect(await scene.refresh(true)).toMatchObject({ updated: [1], noticed: [], errors: [] })
    const files = scene.workspace.filesAt(scene.workspace.head(head) ?? '')
    expect(files['ROADMAP.md']).toBe(edited.text.replace('[ ] T-2', '[x] T-2'))
  })
})
