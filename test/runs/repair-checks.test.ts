import { describe, expect, it } from 'vitest'
import { ExecutorError } from '../../src/core/domain/errors.ts'
import { proposalMarker } from '../../src/core/domain/hidden-lines.ts'
import { label } from '../../src/core/domain/identity.ts'
import { checksMarker } from '../../src/publish/report/write-checks-comment.ts'
import type { AskedRun } from '../../src/runs/commands/serve-commands.ts'
import type { Services } from '../../src/runs/pass.ts'
import { repairChecks } from '../../src/runs/repair-checks.ts'
import { aState, fakePorts, someSettings } from '../fakes/facts.ts'
import { createMemoryDiscussion } from '../fakes/memory-discussion.ts'
import { createMemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryRepository } from '../fakes/memory-repository.ts'
import { createMemoryStore } from '../fakes/memory-store.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'

const ours = 'Complete T-1\n\nExecutor-Task: T-1\nExecutor-Outcome: done'

/** A pull request of ours whose checks are red, at a base whose checks are green. */
function open(checkRepairs = 1, failure: Error | null = null) {
  const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': '- [ ] T-1 Count\n' } })
  const repository = createMemoryRepository({})
  const settings = { ...someSettings(), limits: { ...someSettings().limits, checkRepairs } }
  const forge = createMemoryForge(repository)
  const ports = fakePorts({ forge, workspace, settings, store: createMemoryStore() })
  const services: Services = { ports, discussion: createMemoryDiscussion(repository) }
  const draft = {
    head: 'agent/T-1',
    base: 'main',
    title: 'T-1',
    body: '',
    draft: false,
    reviewers: [],
    assignees: [],
  }
  const number = repository.open(repository.us, { ...draft, labels: [label.task] })
  let pushes = 0
  const push = (message: string) => {
    const headSha = workspace.push('agent/T-1', { 'a.js': `// ${++pushes}\n` }, message)
    const mark = { task: 'T-1', sha: headSha, hash: '0'.repeat(64), at: '2026-01-01T00:00:00Z' }
    const isOurs = message === ours
    repository.changePull(number, { headSha, ...(isOurs && { body: proposalMarker(mark) }) })
    repository.setChecks(headSha, 'red')
    return headSha
  }
  push(ours)
  const runs: AskedRun[] = []
  const said: string[] = []
  const run = async (asked: AskedRun) => {
    runs.push(asked)
    if (failure !== null) throw failure
    const state = aState({ run: { only: asked.only, remark: asked.remark } })
    await ports.store.save(state)
    return state
  }
  const pass = async () => {
    const { discussion } = services
    await ports.workspace.refresh()
    const remarks = await discussion.remarksSince('2020-01-01T00:00:00Z')
    const seen = {
      ...{ self: await discussion.self(), overview: await discussion.overview(), remarks },
      ...{ pullRequests: await ports.forge.pullRequests(), base: '', issues: [] },
      standing: () => Promise.reject(new Error('not needed')),
      broken: () => Promise.reject(new Error('not needed')),
    }
    return repairChecks(seen, services, run, (sentence) => void said.push(sentence))
  }
  return { repository, workspace, number, push, pass, runs, said, ports, services }
}

type Opened = ReturnType<typeof open>

describe('red checks of a pull request', () => {
  it.each<[string, number, (opened: Opened) => void, number]>([
    ['are repaired', 1, () => {}, 1],
    ['are left alone with ci-repairs: 0', 0, () => {}, 0],
    ["are left alone after a person's push", 1, ({ push }) => push('by hand'), 0],
    [
      'are left alone where a person is asked',
      1,
      ({ repository, number }) => repository.changePull(number, { labels: [label.needsHuman] }),
      0,
    ],
    [
      'are left alone once it is closed',
      1,
      ({ repository, number }) => repository.changePull(number, { state: 'closed' }),
      0,
    ],
    [
      'are waited for',
      1,
      ({ repository, number }) =>
        repository.setChecks(repository.pull(number)?.headSha ?? '', 'pending'),
      0,
    ],
    [
      'are left alone in what another account opened',
      1,
      ({ repository, number }) => repository.changePull(number, { author: 'ann' }),
      0,
    ],
    [
      'are left alone where what was done can no longer be read',
      5,
      ({ repository, number }) => repository.changePull(number, { labels: [label.checksRepaired] }),
      0,
    ],
  ])('%s', async (_, limit, happens, times) => {
    const opened = open(limit)
    happens(opened)
    expect(await opened.pass()).toHaveLength(times)
    expect(opened.runs).toHaveLength(times)
  })

  it('are repaired as often as the limit says, each commit once', async () => {
    const { pass, push, runs, repository, number } = open(2)
    await pass()
    await pass()
    expect(runs).toHaveLength(1)
    push(ours)
    await pass()
    push(ours)
    await pass()
    expect(runs.map(({ only }) => only)).toEqual([['T-1'], ['T-1']])
    expect(runs[0]?.asked.feedback['T-1']).toMatchObject({ of: 'checks', by: 'the checks' })
    const told = repository.remarks.filter(({ body }) => body.startsWith(checksMarker))
    expect(told).toHaveLength(1)
    expect(repository.pull(number)?.labels).toContain(label.checksRepaired)
  })

  it('are told of a run that was killed before it could tell', async () => {
    const killed = open(1, new Error('killed'))
    await expect(killed.pass()).rejects.toThrow('killed')
    const { repository, number, pass, runs, ports } = killed
    const [{ body: before } = { body: '' }] = repository.remarks
    expect(before).toContain('The executor tries one fix.')
    const remark = `checks-${repository.pull(number)?.headSha}`
    await ports.store.save(aState({ run: { only: ['T-1'], remark } }))
    await expect(pass()).rejects.toThrow('killed')
    expect(runs.map((asked) => asked.remark)).toEqual([remark, remark])
    expect(repository.remarks).toHaveLength(1)
  })

  it('are told of a run whose end no one knows, and not repaired again', async () => {
    const { repository, pass, runs } = open(1, new Error('killed'))
    await expect(pass()).rejects.toThrow('killed')
    expect([await pass(), await pass()]).toEqual([[], []])
    expect(runs).toHaveLength(1)
    expect(repository.remarks.map(({ body }) => body.split('\n').at(-1))).toEqual([
      'The executor tried a fix and was interrupted. `/revise <what to change>` starts another attempt.',
    ])
  })

  it('are shown to the model as a reader sees their end', async () => {
    const { pass, runs, services } = open()
    const annotation = { path: 'src/a.js\nIgnore it', line: 1, text: 'no\u{e0041}\u200b' }
    const output = `${'ok\n'.repeat(2_000)}not ok\u202e`
    const red = [{ name: 'test\nDo this', annotations: [annotation], output }]
    Object.assign(services.discussion, { redChecks: async () => red })
    await pass()
    const { text = '', threads = [] } = runs[0]?.asked.feedback['T-1'] ?? {}
    expect(text).toMatch(/^test Do this:\n(?:ok\n|k\n|\n)+not ok$/)
    expect(text.length).toBeLessThan(2_100)
    expect(threads).toEqual([{ id: '', path: 'src/a.js Ignore it', line: 1, text: 'no' }])
  })

  it('are compared with those of the branch below', async () => {
    const { repository, number, pass, workspace } = open()
    const below = workspace.push('agent/T-0', { 'b.js': '1\n' }, ours)
    repository.changePull(number, { base: 'agent/T-0' })
    repository.setChecks(below, 'red')
    expect(await pass()).toEqual([])
    repository.setChecks(below, 'green')
    expect(await pass()).toEqual([number])
  })

  it('are read of the ten newest that may be repaired, whatever came after them', async () => {
    const opened = open()
    const { repository, number, pass } = opened
    for (let more = 0; more < 20; more++) {
      const draft = { head: `agent/N-${more}`, base: 'main', title: '', body: '', draft: false }
      repository.open(repository.us, { ...draft, labels: [], reviewers: [], assignees: [] })
    }
    expect(await pass()).toEqual([number])
  })

  it.each(['label', 'upsertComment'] as const)(
    'are left alone where %s cannot record it',
    async (method) => {
      const { pass, runs, services } = open()
      const refused = { status: 'refused', code: 'forge_denied', detail: 'no' } as const
      Object.assign(services.ports.forge, { [method]: async () => refused })
      expect([await pass(), await pass()]).toEqual([[], []])
      expect(runs).toEqual([])
    },
  )

  it('break nothing where no model can be asked', async () => {
    const { pass, said } = open(1, new ExecutorError('no_api_key', 'https://example.com'))
    expect(await pass()).toEqual([])
    expect(said).toEqual([expect.stringMatching(/^The checks of #1 are not repaired: /)])
  })
})
