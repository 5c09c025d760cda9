import { expect, it } from 'vitest'
import { findStanding } from '../../../src/tasks/standing/find-standing.ts'
import { fakePorts } from '../../fakes/facts.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'

const roadmap = `- [x] **T-1**: Add a
- [ ] **T-2**: Add b
  - **Depends on**: T-1
- [ ] **T-3**: Add c
  - **Depends on**: T-2
`

async function stand(
  files: Readonly<Record<string, string>>,
  issues: Parameters<typeof findStanding>[2],
) {
  const workspace = createMemoryWorkspace({ files })
  workspace.push('agent/T-4', { 'd.js': '' })
  const ports = fakePorts({ workspace, forge: createMemoryForge() })
  return findStanding(await workspace.refresh(), [], issues, ports)
}

it('tells what is ready, what waits and for what, and what has its verdict', async () => {
  const files = { 'ROADMAP.md': `${roadmap}- [ ] **T-4**: Add d\n` }
  const { tasks, ready, waits, results } = await stand(files, [])
  expect(tasks).toHaveLength(4)
  expect(ready).toEqual(['T-2'])
  expect(waits).toEqual({ 'T-3': 'waits for T-2' })
  expect(results).toMatchObject({ 'T-4': { verdict: 'waiting' } })
})

it('needs no roadmap where an issue is adopted, and says so where there is neither', async () => {
  const issue = { number: 7, title: 'Add a', body: '', by: 'ada', at: 'then' }
  expect((await stand({}, [issue])).ready).toEqual(['T-issue-7'])
  await expect(stand({}, [])).rejects.toMatchObject({ code: 'no_roadmap' })
})
