import { describe, expect, it } from 'vitest'
import { loadOpenTasks, loadRoadmap } from '../../src/tasks/load-roadmap.ts'
import { isLeft } from '../../src/tasks/standing/is-left.ts'
import { sampleResult } from '../contracts/run-state.ts'
import { aState, fakePorts } from '../fakes/facts.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'

const text = `
- [x] **T-1**: Add \`src/a.js\`
- [ ] **T-3**: Use \`src/b.js\` twice
  - **Depends on**: T-1, T-2
- [ ] **T-2**: Add \`src/b.js\`
- [-] **T-4**: Never mind
`

async function bench(files: Record<string, string> = { 'ROADMAP.md': text }) {
  const workspace = createMemoryWorkspace({ files })
  const { base } = await workspace.refresh()
  let reads = 0
  const counting = {
    ...workspace,
    readFiles(sha: string, paths: readonly string[]) {
      reads += 1
      return workspace.readFiles(sha, paths)
    },
  }
  const where = { roadmap: { base, path: 'ROADMAP.md' } }
  return { workspace, where, ports: fakePorts({ workspace: counting }), reads: () => reads }
}

describe('the roadmap of a run', () => {
  it('is parsed once per base commit', async () => {
    const { where, ports, reads, workspace } = await bench()
    const first = await loadRoadmap(where, ports)
    expect(await loadRoadmap(where, ports)).toBe(first)
    expect(await loadOpenTasks(where, ports)).toBe(await loadOpenTasks(where, ports))
    expect(reads()).toBe(1)
    const sha = workspace.push('agent/T-9', { 'ROADMAP.md': '- [ ] **T-9**: Add c\n' })
    const moved = await loadRoadmap(
      { roadmap: { ...where.roadmap, base: { branch: 'main', sha } } },
      ports,
    )
    expect(moved?.tasks.map(({ id }) => id)).toEqual(['T-9'])
  })

  it('is null where there is none', async () => {
    const { where, ports } = await bench({})
    expect(await loadRoadmap(where, ports)).toBeNull()
    expect(await loadOpenTasks(where, ports)).toEqual({
      order: [],
      dependsOn: new Map(),
      buildsOn: new Map(),
    })
  })

  it('is never that of another repository', async () => {
    const one = await bench()
    const other = await bench()
    expect(await loadRoadmap(one.where, one.ports)).not.toBe(
      await loadRoadmap(other.where, other.ports),
    )
  })
})

describe('adopted issues', () => {
  const issue = { number: 7, title: 'Log out', body: '- [ ] Add it\n', by: 'ada', at: 'then' }

  it("stand behind the roadmap's own tasks, and are tasks where there is no roadmap", async () => {
    const { where, ports } = await bench()
    const { order } = await loadOpenTasks({ ...where, asked: { issues: [issue] } }, ports)
    expect(order.map(({ id }) => id)).toEqual(['T-2', 'T-3', 'T-issue-7'])
    const none = { roadmap: { ...where.roadmap, path: 'none.md' } }
    expect(await loadRoadmap(none, ports)).toBeNull()
    const alone = await loadRoadmap({ ...none, asked: { issues: [issue] } }, ports)
    expect(alone?.tasks.map(({ title }) => title)).toEqual(['Add it'])
  })

  it('that were adopted anew are read anew', async () => {
    const { where, ports } = await bench()
    const titles = async (body: string, at: string) => {
      const read = await loadRoadmap(
        { ...where, asked: { issues: [{ ...issue, body, at }] } },
        ports,
      )
      return read?.tasks.at(-1)?.title
    }
    expect(await titles('- [ ] Add it\n', 'then')).toBe('Add it')
    expect(await titles('- [ ] Drop it\n', 'later')).toBe('Drop it')
  })

  it('take no id that the roadmap has', async () => {
    const { where, ports } = await bench({ 'ROADMAP.md': '- [ ] **T-issue-7**: Mine\n' })
    const read = await loadRoadmap({ ...where, asked: { issues: [issue] } }, ports)
    expect(read?.tasks.map(({ title }) => title)).toEqual(['Mine'])
  })
})

describe('open tasks', () => {
  it('come after what they need, of which done tasks are no part', async () => {
    const { where, ports } = await bench()
    const { order, dependsOn } = await loadOpenTasks(where, ports)
    expect(order.map(({ id }) => id)).toEqual(['T-2', 'T-3'])
    expect(dependsOn.get('T-3')).toEqual(['T-2'])
    expect(dependsOn.get('T-2')).toEqual([])
  })

  it('need the task that creates the file they name', async () => {
    const { where, ports } = await bench({
      'ROADMAP.md': '- [ ] **T-1**: Create `src/a.js`\n- [ ] **T-2**: Log in `src/a.js`\n',
    })
    expect((await loadOpenTasks(where, ports)).dependsOn.get('T-2')).toEqual(['T-1'])
  })
})

it.each([
  [null, true],
  [['T-2'], true],
  [['T-3'], false],
])('a task without a verdict is left when %j are asked for: %s', (only, left) => {
  expect(isLeft(aState({ run: { only } }), 'T-2')).toBe(left)
  const results = { 'T-2': sampleResult('T-2', { verdict: 'failed' }) }
  expect(isLeft(aState({ run: { only }, tasks: { results } }), 'T-2')).toBe(false)
})
