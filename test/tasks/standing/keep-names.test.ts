import { describe, expect, it } from 'vitest'
import { readRoadmap } from '../../../packages/roadmap/document/read-roadmap.ts'
import { trailer } from '../../../src/core/domain/identity.ts'
import type { BranchTip } from '../../../src/core/ports/workspace.ts'
import { keepNames } from '../../../src/tasks/load-roadmap.ts'
import { reconcileTasks } from '../../../src/tasks/standing/reconcile-tasks.ts'

// As cd567e6 named these tasks, and wrote on their branches.
const text = '# Plan\n- [ ] ENG-42: Add login\n- [ ] Use it (depends on ENG-42)\n'
const old = {
  id: 'T-3e777f2',
  fingerprint: '3b10d0b303474d2bd4b377ebac8d7c2ce498c0bb828dc7ea00c8c0e322937e1d',
}

function branch(fingerprint: string): BranchTip {
  const trailers = {
    [trailer.task]: old.id,
    [trailer.outcome]: 'done',
    [trailer.fingerprint]: fingerprint,
  }
  return { name: `agent/${old.id}`, sha: 'tip', parent: 'below', trailers }
}

describe('a task that a version before began', () => {
  const roadmap = readRoadmap(text)
  const [login] = roadmap.tasks

  it('is known by what that version called it', () => {
    expect(login).toMatchObject({ id: 'ENG-42', former: old })
  })

  it('keeps its id and its words where a branch has them, and is meant by its dependents', () => {
    const kept = keepNames(roadmap, [branch(old.fingerprint)], {})
    expect(kept?.tasks.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      [old.id, []],
      [roadmap.tasks[1]?.id, [old.id]],
    ])
    const { results } = reconcileTasks({
      tasks: kept?.tasks ?? [],
      branches: [branch(old.fingerprint)],
      pullRequests: [],
      forge: 'local',
      only: null,
      base: 'main',
    })
    expect(results[old.id]).toMatchObject({ verdict: 'done', branch: `agent/${old.id}` })
  })

  it('has its new id where the branch holds other words, or there is none', () => {
    expect(keepNames(roadmap, [branch('0'.repeat(64))], {})).toBeNull()
    expect(keepNames(roadmap, [], {})).toBeNull()
  })

  it('is found by the old id that a person names', () => {
    expect(keepNames(roadmap, [], { run: { only: [old.id] } })?.tasks[0]?.id).toBe(old.id)
    expect(keepNames(roadmap, [], { run: { only: ['ENG-42'] } })).toBeNull()
  })
})
