import { describe, expect, it } from 'vitest'
import type { PublishResult } from '../../../src/core/ports/workspace.ts'
import { type ConfigProposal, proposeConfig } from '../../../src/publish/effects/propose-config.ts'
import { fakePorts } from '../../fakes/facts.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'

const path = '.github/executor.yml'

const proposal = (line: string): ConfigProposal => ({
  path,
  edit: (text) => (text.includes(line) ? null : `${text}${line}\n`),
  title: 'chore(executor): use small, tools',
  body: 'small, tools serves 9 of 10.',
})

function bench({
  base = 'main',
  files = { [path]: 'roadmap: PLAN.md # ours\n' },
  refuse = (): PublishResult | null => null,
} = {}) {
  const workspace = createMemoryWorkspace({ files, base, refuse })
  const forge = createMemoryForge()
  const ports = fakePorts({ workspace, forge })
  const propose = (line = 'strategy: tools') => proposeConfig(proposal(line), ports)
  const textAt = (branch: string) => workspace.filesAt(workspace.head(branch) ?? '')[path]
  return { workspace, forge, propose, textAt }
}

describe('a proposal of other settings', () => {
  it('is one commit on its own branch, and one pull request, however often it is made', async () => {
    const { workspace, forge, propose, textAt } = bench()
    const main = workspace.head('main')
    expect(await propose()).toMatchObject({ status: 'proposed', url: forge.pulls[0]?.url })
    const head = workspace.head('executor/routing')
    expect(await propose()).toMatchObject({ status: 'proposed' })
    expect(workspace.head('executor/routing')).toBe(head)
    expect(workspace.head('main')).toBe(main)
    expect(textAt('executor/routing')).toBe('roadmap: PLAN.md # ours\nstrategy: tools\n')
    expect(forge.pulls).toMatchObject([{ head: 'executor/routing', base: 'main', number: 1 }])
  })

  it('is updated by other advice: the branch grows, and has nothing of the old', async () => {
    const { workspace, forge, propose, textAt } = bench()
    await propose('strategy: tools')
    const first = workspace.head('executor/routing') ?? ''
    await propose('strategy: two_phase')
    expect(textAt('executor/routing')).toBe('roadmap: PLAN.md # ours\nstrategy: two_phase\n')
    const now = workspace.head('executor/routing') ?? ''
    expect(await workspace.contains(now, first)).toBe(true)
    expect(forge.pulls).toHaveLength(1)
  })

  it('makes the file where there is none', async () => {
    const { propose, textAt } = bench({ files: {} as never })
    expect(await propose()).toMatchObject({ status: 'proposed' })
    expect(textAt('executor/routing')).toBe('strategy: tools\n')
  })

  it('writes nothing where the file says so already', async () => {
    const { workspace, forge, propose } = bench({ files: { [path]: 'strategy: tools\n' } })
    expect(await propose()).toEqual({ status: 'unchanged' })
    expect([workspace.head('executor/routing'), forge.pulls]).toEqual([null, []])
  })

  it("writes on no default branch, and on nobody else's", async () => {
    const own = bench({ base: 'executor/routing' })
    const reason = 'executor/routing is the default branch'
    expect(await own.propose()).toEqual({ status: 'refused', reason })
    const { workspace, forge, propose } = bench()
    const theirs = workspace.push('executor/routing', { 'a.js': '' })
    expect(await propose()).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('did not write'),
    })
    expect(workspace.head('executor/routing')).toBe(theirs)
    expect(forge.pulls).toEqual([])
  })

  it('says why the forge refused', async () => {
    const { propose } = bench({ refuse: () => ({ status: 'moved', sha: 'a'.repeat(40) }) })
    expect(await propose()).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('moved'),
    })
  })
})
