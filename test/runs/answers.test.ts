import { describe, expect, it } from 'vitest'
import { type Answer, answerNow } from '../../src/core/domain/answer.ts'
import { readProposalMarker } from '../../src/core/domain/hidden-lines.ts'
import { label } from '../../src/core/domain/identity.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import type { Settings } from '../../src/core/domain/settings.ts'
import type { ModelRequest } from '../../src/core/ports/model.ts'
import type { Ports } from '../../src/core/ports.ts'
import { runRoadmap } from '../../src/runs/run-roadmap.ts'
import { fakePorts, someSettings } from '../fakes/facts.ts'
import { createMemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryRepository } from '../fakes/memory-repository.ts'
import { createMemoryStore } from '../fakes/memory-store.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../fakes/silent-person.ts'

const roadmap = `# Plan

- [ ] T-1: Add everything
- [ ] T-2: Create \`src/two.js\`
`
const file = (path: string, text: string) => `${path}\n\`\`\`js\n${text}\n\`\`\`\n`
const list = (...titles: readonly string[]) =>
  JSON.stringify(titles.map((title, n) => ({ title, files: [`src/part${n}.js`] })))

/** What the model says for a purpose and a task; a function of how often it was asked. */
type Script = Readonly<Record<string, readonly string[]>>

const failing: Script = {
  'draft T-1': [file('src/all.js', 'export const a = {')],
  'repair_code T-1': [file('src/all.js', 'export const a = {')],
  'classify T-1': ['{"reason": "task_too_complex", "explanation": "Two things at once."}'],
  'recover T-1': [list('Add the first half', 'Add the second half')],
  'draft T-1-a': [file('src/part0.js', 'export const one = 1')],
  'draft T-1-b': [file('src/part1.js', 'export const two = 2')],
  'draft T-2': [file('src/two.js', 'export const two = 2')],
}
const destructive: Script = {
  'draft T-1': [file('src/all.js', "import { rmSync } from 'node:fs'\nrmSync(process.argv[2])")],
  'draft T-2': failing['draft T-2'] ?? [],
}

/** GitHub and the repository stay; each run is a runner of its own, with an empty disk. */
function createWorld(script: Script, settings: Partial<Settings> = {}) {
  const workspace = createMemoryWorkspace({
    files: { 'ROADMAP.md': roadmap, 'package.json': '{ "type": "module" }\n' },
  })
  const repository = createMemoryRepository({
    tipOf: (branch) => workspace.head(branch),
    mergeCommit: ({ headSha }) => {
      const text = workspace.filesAt(headSha)['ROADMAP.md'] ?? ''
      return workspace.push('main', { 'ROADMAP.md': text })
    },
  })
  const forge = createMemoryForge(repository)
  const asked: string[] = []
  const requests: ModelRequest[] = []
  let more: Script = {}
  const complete: Ports['model']['complete'] = async (request) => {
    const task = /TASK (T-[\w-]+)/.exec(request.messages.at(-1)?.content ?? '')?.[1] ?? 'T-1'
    const key = `${request.purpose} ${task}`
    const before = asked.filter((each) => each === key).length
    asked.push(key)
    requests.push(request)
    const answers = more[key] ?? script[key] ?? ['']
    const usage = { requests: 1, promptTokens: 10, completionTokens: 10, dollars: 0 }
    const text = answers[Math.min(before, answers.length - 1)] ?? ''
    return { status: 'answered', text, finish: 'stop', usage }
  }
  const start = (answers: Readonly<Record<string, Answer>> = {}, only?: readonly string[]) =>
    runRoadmap(
      fakePorts({
        workspace,
        forge,
        store: createMemoryStore(),
        settings: {
          ...someSettings(),
          approvalMode: 'interactive',
          strategy: 'single',
          ...settings,
        },
        person: createSilentPerson(),
        sandbox: createScriptedSandbox(),
        syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
        random: { hex: () => 'abcdef', fraction: () => 0 },
        model: { complete },
      }),
      {
        only: only ?? (Object.keys(answers).length > 0 ? Object.keys(answers) : null),
        fresh: false,
        dryRun: false,
        signal: new AbortController().signal,
        asked: { answers, feedback: {}, grants: {}, issues: [] },
      },
    )
  const proposal = () => {
    const found = forge.pulls.find(({ head }) => head === 'executor/recovery/T-1')
    if (found === undefined) throw new Error('Nothing was proposed.')
    return found
  }
  const say = (choice: Answer['choice'], facts: Partial<Answer> = {}) =>
    start({ 'T-1': { ...answerNow(choice, 'ada'), sha: proposal().headSha, ...facts } })
  const teach = (lines: Script): void => {
    more = lines
  }
  return { workspace, repository, forge, asked, requests, start, say, proposal, teach }
}

const verdicts = ({ tasks: { results } }: RunState) =>
  Object.fromEntries(Object.entries(results).map(([id, { verdict }]) => [id, verdict]))
const base = (world: ReturnType<typeof createWorld>) =>
  world.workspace.filesAt(world.workspace.head('main') ?? '')['ROADMAP.md'] ?? ''

describe('a task that fails on GitHub', () => {
  it('is asked about as a diff of the roadmap alone, and the others go on', async () => {
    const world = createWorld(failing)
    const end = await world.start()
    expect(verdicts(end)).toMatchObject({ 'T-1': 'waiting', 'T-2': 'unverified' })
    const { body, headSha, labels, base: into } = world.proposal()
    expect({ labels, into }).toEqual({ labels: [label.recovery], into: 'main' })
    const changed = await world.workspace.changedBetween(end.roadmap.base.sha, headSha)
    expect(changed.map(({ path }) => path)).toEqual(['ROADMAP.md'])
    expect(readProposalMarker(body)).toMatchObject({ task: 'T-1', sha: headSha })
    const asked = world.repository.remarks.map(({ kind, path }) => [kind, path ?? null])
    expect(asked.sort()).toEqual([
      ['comment', null],
      ['comment', null],
      ['review_comment', 'ROADMAP.md'],
    ])
    expect([...(await world.workspace.parked()).keys()]).toEqual(['T-1'])
    expect(end.record.recoveries).toMatchObject([{ decision: 'waiting', by: 'nobody' }])
  })

  it('is not tried again the next night, and nothing is written', async () => {
    const world = createWorld(failing)
    await world.start()
    const { writes } = world.forge
    const before = world.asked.length
    const end = await world.start()
    expect(end.tasks.results['T-1']).toMatchObject({
      verdict: 'waiting',
      reason: '#1 waits for an answer',
      pullRequest: { number: 1 },
    })
    expect([world.forge.writes, world.asked.length]).toEqual([writes, before])
  })
})

describe('an approval', () => {
  it('merges exactly that diff, and the same run does the new tasks', async () => {
    const world = createWorld(failing)
    await world.start()
    const end = await world.say('approve')
    expect(verdicts(end)).toMatchObject({
      'T-1': 'replaced',
      'T-1-a': 'unverified',
      'T-1-b': 'unverified',
    })
    expect(world.proposal().state).toBe('merged')
    expect(base(world)).toContain('- [ ] T-1-a: Add the first half')
    expect(end.roadmap.base.sha).toBe(world.workspace.head('main'))
    expect(await world.workspace.parked()).toEqual(new Map())
    expect(end.record.recoveries).toMatchObject([{ decision: 'approved', by: 'ada' }])
    expect(end.asked.answers).toEqual({})
    const said = world.forge.comments.map(({ body }) => body).join('\n')
    expect(said).toContain('Approved by `ada` at 2026-01-02')
    expect((await world.start()).tasks.results['T-1']).toBeUndefined()
  })

  it.each([
    ['for another commit', { sha: 'a'.repeat(40) }, 'the approval was for aaaaaaa'],
    ['for no commit', { sha: null }, 'names no commit'],
  ])('%s merges nothing', async (_, facts, reason) => {
    const world = createWorld(failing)
    await world.start()
    const end = await world.say('approve', facts)
    expect(end.tasks.results['T-1']).toMatchObject({ verdict: 'waiting' })
    expect(end.tasks.results['T-1']?.reason).toContain(reason)
    expect(world.proposal().state).toBe('open')
    expect(base(world)).toBe(roadmap)
  })

  it('merges nothing when somebody put a commit on the proposal, though it names that', async () => {
    const world = createWorld(failing)
    await world.start()
    world.workspace.push('executor/recovery/T-1', { 'ROADMAP.md': '- [ ] T-9: Evil\n' })
    const end = await world.say('approve')
    expect(end.tasks.results['T-1']?.reason).toContain('not the commit that the question showed')
    expect(base(world)).toBe(roadmap)
  })

  it('merges nothing when the task has other words by now', async () => {
    const world = createWorld(failing)
    await world.start()
    const edited = roadmap.replace('everything', 'something')
    world.workspace.push('main', { 'ROADMAP.md': edited })
    const end = await world.say('approve')
    expect(end.tasks.results['T-1']?.reason).toContain('the words of T-1 changed')
    expect(base(world)).toBe(edited)
  })

  it('counts though what was kept is lost or damaged: the proposal is in its branch', async () => {
    for (const text of [null, '{"version":1']) {
      const world = createWorld(failing)
      await world.start()
      await world.workspace.park('T-1', text)
      const end = await world.say('approve')
      expect(verdicts(end)).toMatchObject({ 'T-1': 'replaced', 'T-1-a': 'unverified' })
    }
  })

  it('has new tasks wait for work that grew before them', async () => {
    const world = createWorld({ ...failing, 'draft T-0': [file('src/zero.js', 'export {}')] })
    const before = roadmap.replace('- [ ] T-1', '- [ ] T-0: Create `src/zero.js`\n- [ ] T-1')
    const text = before.replace('everything', 'everything\n  - **Depends on**: T-0')
    world.workspace.push('main', { 'ROADMAP.md': text })
    await world.start()
    const end = await world.say('approve')
    expect(verdicts(end)).toMatchObject({ 'T-1': 'replaced', 'T-1-a': 'waiting' })
    expect(end.tasks.results['T-1-a']?.reason).toContain('waits for agent/T-0 to be merged')
    expect(world.proposal()).toMatchObject({ base: 'main', state: 'merged' })
  })

  it('stacks the new tasks where the repository wants more than an approval', async () => {
    const world = createWorld(failing)
    await world.start()
    world.repository.setFacts(1, { blocked: 'At least 1 approving review is required' })
    const end = await world.say('approve')
    expect(verdicts(end)).toMatchObject({ 'T-1': 'replaced', 'T-1-a': 'unverified' })
    expect(end.tasks.results['T-1']?.reason).toContain('At least 1 approving review')
    expect(world.proposal().state).toBe('open')
    expect(base(world)).toBe(roadmap)
    const own = world.forge.pulls.find(({ head }) => head === 'agent/T-1-a')
    expect(own?.base).toBe('executor/recovery/T-1')
  })
})

describe('another wish', () => {
  it.each<[Answer['choice'], string, string, number]>([
    ['rewrite', 'name the file', list('Add `src/all.js` at last'), 1],
    ['decompose', '', list('Add a start', 'Add a middle', 'Add an end'), 3],
  ])('%s replaces the proposal, upon the same branch', async (choice, text, answer, count) => {
    const world = createWorld(failing)
    await world.start()
    const before = world.proposal()
    world.teach({ 'recover T-1': [answer] })
    const end = await world.say(choice, { text })
    expect(end.tasks.results['T-1']).toMatchObject({
      verdict: 'waiting',
      pullRequest: { number: 1 },
    })
    expect(world.requests.at(-1)?.messages.at(-1)?.content.includes(`WANTS\n${text}`)).toBe(
      text !== '',
    )
    const after = world.proposal()
    expect(after.number).toBe(before.number)
    expect(await world.workspace.contains(after.headSha, before.headSha)).toBe(true)
    const words = world.workspace.filesAt(after.headSha)['ROADMAP.md'] ?? ''
    expect(words.match(/- \[ \] T-1-[a-e]/g)).toHaveLength(count)
    // A body that is changed notifies nobody.
    const comment = world.repository.remarks.findLast(({ kind }) => kind === 'review_comment')
    expect(comment).toMatchObject({ path: 'ROADMAP.md', line: 3, commit: after.headSha })
    expect(readProposalMarker(comment?.body ?? '')).toEqual(readProposalMarker(after.body))
    expect(words).not.toContain('first half')
    expect(readProposalMarker(after.body)?.hash).not.toBe(readProposalMarker(before.body)?.hash)
    expect(end.record.recoveries).toMatchObject([
      { decision: 'changed', by: 'ada' },
      { decision: 'waiting' },
    ])
    const stale = await world.say('approve', { sha: before.headSha })
    expect(verdicts(stale)).toMatchObject({ 'T-1': 'waiting' })
    const done = await world.say('approve')
    expect(verdicts(done)).toMatchObject({ 'T-1': 'replaced' })
  })

  it('that gets the same text again leaves the question as it was', async () => {
    const world = createWorld(failing)
    await world.start()
    const { headSha, body } = world.proposal()
    const end = await world.say('decompose')
    expect(end.tasks.results['T-1']?.reason).toBe(
      'the model found no usable tasks for the DECOMPOSE that ada asked for',
    )
    expect(world.proposal()).toMatchObject({ headSha, body, state: 'open' })
    expect(world.requests.at(-1)?.messages.at(-1)?.content).toContain('turned down')
  })

  it('in the words of a person is merged at once', async () => {
    const world = createWorld(failing)
    await world.start()
    const tasks = [{ id: '', title: 'Just do it', details: [], files: ['src/part0.js'] }]
    const end = await world.say('edit', { tasks })
    expect(verdicts(end)).toMatchObject({ 'T-1': 'replaced', 'T-1-a': 'unverified' })
    expect(base(world)).toContain('- [ ] T-1-a: Just do it')
    expect(base(world)).not.toContain('first half')
    expect(end.record.recoveries).toMatchObject([{ decision: 'edited', by: 'ada' }])
  })

  it('in words that cannot stand in a roadmap changes nothing, and says why', async () => {
    const world = createWorld(failing)
    await world.start()
    const same = { id: '', title: 'Do it', details: [], files: [] }
    const end = await world.say('edit', { tasks: [same, same] })
    expect(end.tasks.results['T-1']?.reason).toContain('two of its tasks have the same title')
    expect(base(world)).toBe(roadmap)
  })

  it('to try again closes the question with a link when it is done', async () => {
    const world = createWorld(failing)
    await world.start()
    world.teach({ 'draft T-1': [file('src/all.js', 'export const a = 1')] })
    const end = await world.say('retry')
    expect(verdicts(end)).toMatchObject({ 'T-1': 'unverified' })
    expect(end.tasks.results['T-1']?.attempts).toBe(2)
    expect(world.proposal().state).toBe('closed')
    const own = end.tasks.results['T-1']?.pullRequest?.number
    expect(world.forge.comments.map(({ body }) => body).join()).toContain(`see #${own}`)
    expect(await world.workspace.parked()).toEqual(new Map())
  })

  it.each<[Answer['choice'], string, string | null]>([
    ['reject', 'rejected', null],
    ['skip', 'skipped', label.skipped],
  ])('%s closes the question, and the next night leaves it so', async (choice, verdict, name) => {
    const world = createWorld(failing)
    await world.start()
    const end = await world.say(choice)
    expect(verdicts(end)).toMatchObject({ 'T-1': verdict })
    expect(world.proposal().state).toBe('closed')
    if (name !== null) expect(world.proposal().labels).toContain(name)
    expect(verdicts(await world.start())).toMatchObject({ 'T-1': verdict })
  })

  it('for nothing of the kind is remembered: the same proposal does not come again', async () => {
    const world = createWorld(failing)
    await world.start()
    world.forge.closeByHand(1)
    const other = list('Add another half', 'Add the rest')
    const [same = ''] = failing['recover T-1'] ?? []
    world.teach({ 'recover T-1': [same, same, other] })
    await world.start({}, ['T-1'])
    const [newest] = world.forge.pulls.filter(({ state }) => state === 'open').slice(-1)
    expect(newest?.body).toContain('Add another half')
    expect(world.requests.at(-1)?.messages.at(-1)?.content).toContain('turned down')
  })
})

describe('a change with destructive operations on GitHub', () => {
  it('is asked about with a comment in the roadmap, and is nowhere in the repository', async () => {
    const world = createWorld(destructive)
    const end = await world.start()
    expect(verdicts(end)).toMatchObject({ 'T-1': 'waiting', 'T-2': 'unverified' })
    const { headSha, body } = world.proposal()
    const changed = await world.workspace.changedBetween(end.roadmap.base.sha, headSha)
    expect(changed.map(({ path }) => path)).toEqual(['ROADMAP.md'])
    const words = world.workspace.filesAt(headSha)['ROADMAP.md'] ?? ''
    expect(words.replace(/<!--.*-->\n/, '')).toBe(roadmap)
    expect(body).toContain('rmSync(process.argv[2])')
    expect(world.workspace.head('agent/T-1')).toBeNull()
  })

  it('is written as it was when it is approved, without another word to the model', async () => {
    const world = createWorld(destructive)
    await world.start()
    const before = world.asked.length
    const end = await world.say('approve')
    expect(verdicts(end)).toMatchObject({ 'T-1': 'unverified' })
    expect(world.asked.length).toBe(before)
    const code = world.workspace.filesAt(world.workspace.head('agent/T-1') ?? '')['src/all.js']
    expect(code).toContain('rmSync(process.argv[2])')
    expect(world.proposal().state).toBe('closed')
    expect(base(world)).toBe(roadmap)
    expect(end.record.destructive).toMatchObject([{ decision: 'approved', by: 'ada' }])
  })

  it('is written when the question is merged by hand', async () => {
    const world = createWorld(destructive)
    await world.start()
    world.forge.mergeByHand(1)
    const end = await world.start()
    expect(verdicts(end)).toMatchObject({ 'T-1': 'unverified' })
    expect(end.record.destructive).toMatchObject([
      { by: 'the person who merged #1', decision: 'approved' },
    ])
    expect(await world.workspace.parked()).toEqual(new Map())
    expect(verdicts(await world.start())).toMatchObject({ 'T-1': 'in_review' })
  })

  it.each([
    ['lost', null, 'no longer exists'],
    ['another one', 'rmSync(process.argv[3])', 'no longer shows the saved change'],
  ])('is not written when what was kept is %s', async (_, instead, reason) => {
    const world = createWorld(destructive)
    await world.start()
    const kept = (await world.workspace.parked()).get('T-1') ?? ''
    const forged = instead && kept.replaceAll('rmSync(process.argv[2])', instead)
    await world.workspace.park('T-1', forged)
    const end = await world.say('approve')
    expect(end.tasks.results['T-1']?.reason).toContain(reason)
    expect(world.workspace.head('agent/T-1')).toBeNull()
  })

  it('is not written over code that changed meanwhile', async () => {
    const world = createWorld(destructive)
    await world.start()
    world.workspace.push('main', { 'src/all.js': 'export {}\n' })
    const end = await world.say('approve')
    expect(end.tasks.results['T-1']?.verdict).toBe('waiting')
    expect(world.workspace.head('agent/T-1')).toBeNull()
  })

  it('makes way for other tasks when a person wants the task split', async () => {
    const world = createWorld({ ...failing, ...destructive })
    await world.start()
    const end = await world.say('decompose')
    expect(end.tasks.results['T-1']).toMatchObject({
      verdict: 'waiting',
      pullRequest: { number: 1 },
    })
    expect(world.proposal().body).toContain('Add the first half')
    expect(verdicts(await world.say('approve'))).toMatchObject({ 'T-1-a': 'unverified' })
    expect(base(world)).not.toContain('cannot be undone')
  })
})

describe('a failed attempt that a person has to look at', () => {
  const unknown: Script = { ...failing, 'classify T-1': ['no idea'] }

  it('is kept, and can be split afterwards', async () => {
    const world = createWorld(unknown)
    const end = await world.start()
    expect(verdicts(end)).toMatchObject({ 'T-1': 'failed' })
    expect([...(await world.workspace.parked()).keys()]).toEqual(['T-1'])
    const [failed] = world.forge.pulls
    expect(failed).toMatchObject({ head: 'agent/T-1', labels: [label.needsHuman], draft: true })
    const answer = { ...answerNow('decompose', 'ada'), sha: failed?.headSha ?? '' }
    await world.start({ 'T-1': answer })
    expect(world.proposal().body).toContain('What the last attempt wrote')
    const done = await world.say('approve')
    expect(verdicts(done)).toMatchObject({ 'T-1': 'replaced', 'T-1-a': 'unverified' })
    expect(world.forge.pulls[0]?.state).toBe('closed')
  })

  it('starts no pipeline; every other commit may', async () => {
    const world = createWorld(unknown)
    await world.start()
    const message = (branch: string) =>
      world.workspace.commitAt(world.workspace.head(branch) ?? '').message
    expect(message('agent/T-1')).toContain('[skip ci]')
    expect(message('agent/T-2')).not.toContain('[skip ci]')
    const asking = createWorld(failing)
    await asking.start()
    const head = asking.workspace.head('executor/recovery/T-1') ?? ''
    expect(asking.workspace.commitAt(head).message).not.toContain('[skip ci]')
  })
})
