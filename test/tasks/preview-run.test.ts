import { describe, expect, it } from 'vitest'
import { joinPatches, type StatePatch } from '../../src/core/domain/change-state.ts'
import type { Settings } from '../../src/core/domain/settings.ts'
import type { PastTask } from '../../src/core/ports/store.ts'
import { previewRun } from '../../src/tasks/lint-report.ts'
import { loadRoadmap } from '../../src/tasks/load-roadmap.ts'
import { sampleResult } from '../contracts/run-state.ts'
import { aState, emptyStore, fakePorts } from '../fakes/facts.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'

const document = `- [x] T-0: Make it good
- [ ] T-1: Make it better
- [ ] T-2: Add \`src/b.js\`
  - Depends on: T-1
- [ ] T-3: Fix \`src/c.js\`
`

async function preview(
  facts: StatePatch = {},
  limits: Partial<Settings['limits']> = {},
  past: readonly PastTask[] = [],
  text = document,
) {
  const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': text } })
  const { base } = await workspace.refresh()
  const store = { ...emptyStore, pastTasks: async () => past }
  const ports = fakePorts({ workspace, store }, limits)
  const state = aState(joinPatches({ roadmap: { base } }, facts))
  const roadmap = await loadRoadmap(state, ports)
  if (roadmap === null) throw new Error('no roadmap')
  return previewRun(roadmap, state, ports)
}

describe('what a run is about to do', () => {
  it('is every open task, and the warnings of the whole roadmap', async () => {
    const whole = await preview()
    expect(whole).toMatchObject({ tasks: 3, dollars: null, pastTasks: 0, warnings: 1 })
    expect(whole.tokens).toBeGreaterThan(3000)
  })

  it.each([
    ['that are left', { tasks: { results: { 'T-1': sampleResult('T-1') } } }, {}, 2],
    ['that were asked for', { run: { only: ['T-2'] } }, {}, 1],
    ['that one run may do', {}, { tasks: 2 }, 2],
    ['of none', { run: { only: [] } }, {}, 0],
  ])('counts the tasks %s', async (_, facts, limits, tasks) => {
    const part = await preview(facts, limits)
    expect(part).toMatchObject({ tasks, warnings: 1 })
    const share = part.tokens / (await preview()).tokens
    expect(share).toBeCloseTo(tasks / 3, 1)
  })

  it('learns from the history', async () => {
    const past = [2, 2, 2].map((ratio) => ({ tokens: ratio * 100, forecastTokens: 100 }))
    const learned = await preview({}, {}, past)
    expect(learned.pastTasks).toBe(3)
    expect(learned.tokens / (await preview()).tokens).toBeCloseTo(2, 2)
  })

  it('counts what looks like a task and is none', async () => {
    const text = '- [] Add `src/a.js`\n\n## Icebox\n\n- [ ] Add `src/b.js`\n'
    expect(await preview({}, {}, [], text)).toMatchObject({ tasks: 0, likeTasks: 2 })
    expect(await preview()).not.toHaveProperty('likeTasks')
  })

  it('has no warning about a good roadmap, also one told by signs', async () => {
    const good = '# Plan\n\n- ✅ Add a parser in `src/a.js`\n- ⏳ Add a printer in `src/b.js`\n'
    expect(await preview({}, {}, [], good)).toMatchObject({ tasks: 1, warnings: 0 })
  })
})
