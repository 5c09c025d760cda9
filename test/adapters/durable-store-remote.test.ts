import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGitHubServer } from '../../packages/github-simulator/github/server.ts'
import { checkState } from '../../src/adapters/doctor/doctor-state.ts'
import { openSharedState, type SharedState } from '../../src/adapters/durable-store/shared-state.ts'
import { createSystemClock, createSystemRandom } from '../../src/adapters/system.ts'
import { changeState } from '../../src/core/domain/change-state.ts'
import type { JournalEntry } from '../../src/core/domain/journal-event.ts'
import type { PostedText } from '../../src/core/ports/own-texts.ts'
import { history } from '../../src/entry/cli/commands/history.ts'
import { sampleResult, sampleState } from '../contracts/run-state.ts'
import { testStoreContract } from '../contracts/store.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'
import { openMachine } from './durable-store-bench.ts'
import { makeGitRepository } from './git-repository.ts'

/** A repository on a server, and the way of one machine after the other to its refs. */
async function serve() {
  const repository = makeGitRepository()
  const server = await startGitHubServer({
    repositories: [{ owner: 'ada', name: 'engine', directory: join(repository.path, '.git') }],
    tokens: {
      'writer-token': { login: 'grace', id: 2, type: 'User' },
      'reader-token': { login: 'mallory', id: 3, type: 'User', permission: 'read' },
    },
    root: join(repository.home, '../server'),
  })
  let machines = 0
  const url = `${server.url}/ada/engine.git`
  return {
    repository,
    server,
    reach: (): Promise<SharedState> => {
      machines += 1
      const home = join(repository.home, `../machine-${machines}`)
      const identity = { name: 'bot', email: 'bot@example.org' }
      const clock = createSystemClock()
      const token = () => 'writer-token'
      return openSharedState(
        { source: url, remote: url, token, home, identity, clock },
        createSystemRandom(),
      )
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      repository[Symbol.dispose]()
    },
  }
}

let world: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  world = await serve()
})
afterAll(() => world[Symbol.asyncDispose]())

testStoreContract('the durable store, over a remote', async (test) => {
  const shared = await world.reach()
  await using machine = openMachine(shared)
  const { directory } = machine
  await test({
    store: machine.store,
    reopen: () => openMachine(shared, { directory }).store,
    report: async (name) => readFileSync(join(directory, name), 'utf8'),
  })
})

const usage = { requests: 1, promptTokens: 10, completionTokens: 5, dollars: 0.01 }
const answered: JournalEntry = {
  kind: 'answered',
  ...{ call: 0, hash: 'asked', purpose: 'draft', model: 'm', task: 'T-1', attempt: 1 },
  ...{ text: 'paid for', finish: 'stop', usage, seconds: 1, exact: true },
}

const doctor = async (token: string, { server } = world) => {
  const home = mkdtempSync(join(tmpdir(), 'doctor-'))
  const remote = { url: `${server.url}/ada/engine.git`, token: () => token }
  const clock = createSystemClock()
  return checkState({ remote, home, roadmap: 'ROADMAP.md', clock })
}

it('is looked at by the doctor, who says what cannot be read, or written', async () => {
  await using own = await serve()
  expect(await doctor('nobody', own)).toMatchObject([{ status: 'fail', next: /may read/ }])
  await using machine = openMachine(await own.reach())
  const runId = 'run-20260101-030405-abcdef'
  await machine.store.load('nightly')
  await machine.store.save(sampleState({ run: { id: runId, request: 'nightly' } }))
  const shared = await own.reach()
  const broken = [`runs/${runId}/state.json`, `runs/${runId}/previous.json`, 'memory.json']
  await shared.update(async () => ({
    files: new Map(broken.map((path) => [path, '{'])),
    leases: new Map(),
    published: () => {},
  }))
  const found = await doctor('reader-token', own)
  expect(found.map(({ status, detail }) => `${status} ${detail}`)).toEqual([
    expect.stringMatching(/^ok refs\/executor\/state: .* 1 unfinished run/),
    expect.stringMatching(/^warn unreadable: runs\/.*state\.json/),
    'warn unreadable: memory.json',
    expect.stringMatching(/^warn .*(403|denied|Write access)/),
  ])
})

const fix = {
  signature: 'unknown|npm tset',
  type: 'unknown',
  strategy: 'correct_command',
  fix: 'npm test',
  worked: true,
} as const

it('goes on where a machine vanished, on one that never saw it', async () => {
  const state = sampleState({ run: { id: 'run-20260102-030405-abcdef', request: 'nightly' } })
  const lost = openMachine(await world.reach())
  expect(await lost.store.load('nightly')).toEqual({ status: 'none' })
  expect(await lost.leases.take('T-1')).toEqual({ status: 'taken' })
  await lost.memory.learn(fix)
  await lost.store.save(state)
  await lost.store.record(state.run.id, [answered])
  rmSync(lost.directory, { recursive: true })

  const checked = await doctor('writer-token')
  expect(checked.map(({ name, status }) => `${status} ${name}`)).toEqual([
    'ok state',
    'ok state, writing',
  ])
  expect(checked[0]?.detail).toMatch(
    /^refs\/executor\/state: \d+ files, 0\.0 MB, pushed .* ago, \d unfinished runs?, \d leases$/,
  )
  const { git } = world.repository
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/executor').split('\n')
  const leases = ['T-1', state.run.id].map((name) => `refs/executor/claim/${name}`)
  expect(refs).toEqual(expect.arrayContaining([...leases, 'refs/executor/state']))
  expect(git('rev-list', '--count', 'refs/executor/state')).toBe('1')

  await using next = openMachine(await world.reach(), {
    holder: { kind: 'workflow', run: '2', attempt: 1 },
    ask: async () => 'dead',
  })
  expect(await next.store.load('nightly')).toEqual({
    status: 'loaded',
    state,
    from: 'repository',
  })
  expect(await next.store.answer(state.run.id, 0, 'asked')).toMatchObject({ text: 'paid for' })
  expect(await next.memory.recall(fix.signature)).toMatchObject({ fix: 'npm test', worked: 1 })
  expect(await next.leases.take('T-1')).toEqual({ status: 'taken' })
  await next.store.save(changeState(state, { progress: { next: 'END', resumeAt: null } }), [
    { kind: 'ended', stopped: null },
  ])
  const paths = git('ls-tree', '-r', '--name-only', 'refs/executor/state').split('\n')
  expect(paths).toEqual(
    expect.arrayContaining(['history/2026-01.jsonl', expect.stringMatching(/^learned\//)]),
  )
  expect(paths.filter((path) => path.startsWith(`runs/${state.run.id}/`))).toEqual([])
  expect(git('show', 'refs/executor/state:history/2026-01.jsonl')).not.toContain('paid for')
  for (const claim of leases) expect(git('for-each-ref', claim)).toBe('')
  expect(next.said).toEqual([])
})

it('is asked for from a laptop: what the runs on GitHub did', async () => {
  const clock = createFakeClock(new Date().toISOString())
  await using machine = openMachine(await world.reach(), { clock })
  const state = sampleState({ run: { id: 'run-20260103-030405-abcdef', request: 'nightly' } })
  await machine.store.load('nightly')
  await machine.store.save(state, [{ kind: 'filed', result: sampleResult('T-77') }])
  await machine.store.save(changeState(state, { progress: { next: 'END', resumeAt: null } }), [
    { kind: 'ended', stopped: null },
  ])
  const laptop = makeGitRepository()
  laptop.git('remote', 'add', 'origin', `${world.server.url}/ada/engine.git`)
  const said: string[] = []
  const terminal = {
    ...{
      directory: laptop.path,
      environment: { GITHUB_TOKEN: 'reader-token', GITHUB_SERVER_URL: world.server.url },
      isTTY: false,
    },
    live: null,
    say: (text: string) => void said.push(text),
    print: (text: string) => void said.push(text),
    paint: (_: string, text: string) => text,
    redact: (text: string) => text,
  }
  expect(await history(undefined, { github: true }, terminal)).toBe(0)
  expect(said.join()).toContain('T-77')
  expect(laptop.git('status', '--porcelain')).toBe('')
  laptop[Symbol.dispose]()
})

const posted = (id: number, body: string, createdAt: string): PostedText => ({
  ...{ kind: 'comment', id, body, createdAt, updatedAt: createdAt },
})

it('recognises texts that any machine posted, and no other text of the account', async () => {
  await using own = await serve()
  const clock = createFakeClock('2026-03-01T00:00:00Z')
  const before = posted(1, 'by the version before', '2026-02-28T00:00:00Z')
  const late = '2026-03-02T00:00:00Z'
  const repeated = posted(3, '<!-- executor:reply comment-7 -->\nby another workflow', late)

  const killed = openMachine(await own.reach(), { clock })
  expect(await killed.texts.ours([before, repeated])).toEqual([before])
  await killed.texts.intend('posted,\r\nthen killed\n')
  rmSync(killed.directory, { recursive: true })

  await using next = openMachine(await own.reach(), { clock })
  const found = posted(2, 'posted,\nthen killed', late)
  expect(await next.texts.ours([repeated, found, before])).toEqual([found, before])
  expect(await next.texts.ours([{ ...found, body: 'edited by a person' }])).toHaveLength(1)

  // It looked before the other machine wrote.
  await using late1 = openMachine(await own.reach(), { clock })
  expect(await late1.texts.ours([repeated])).toEqual([])
  await next.texts.intend('the dashboard')
  next.texts.posted({ kind: 'issue', id: 9, body: 'the dashboard' })
  const dashboard = { ...posted(9, 'the dashboard', late), kind: 'issue' } as const
  // What repeats it came later.
  expect(await late1.texts.ours([{ ...dashboard, id: 10 }, dashboard])).toEqual([dashboard])

  await next[Symbol.asyncDispose]()
  await using last = openMachine(await own.reach(), { clock })
  const ticked = { ...dashboard, body: 'the dashboard, ticked' }
  expect(await last.texts.ours([ticked, { ...ticked, id: 11 }, repeated])).toEqual([ticked])
})

it('recognises texts by their account while the repository keeps no state', async () => {
  await using own = await serve()
  const text = posted(1, 'a', '2030-01-01T00:00:00Z')
  await using machine = openMachine(await own.reach())
  await own.server.close()
  expect(await machine.texts.ours([text])).toEqual([text])
})

it.each(['{', '{"hash":"short"}', '{"hash":5,"id":{}}', '\u0000', '[]\n'.repeat(1000)])(
  'recognises nothing by a damaged line: %j',
  async (damaged) => {
    await using own = await serve()
    const shared = await own.reach()
    await shared.update(async () => ({
      files: new Map([
        ['written/2026.jsonl', `${damaged}\n`],
        ['written/since', 'not a time\n'],
      ]),
      leases: new Map(),
      published: () => {},
    }))
    const clock = createFakeClock('2026-03-01T00:00:00Z')
    await using machine = openMachine(shared, { clock })
    const text = posted(1, 'a', '2026-03-02T00:00:00Z')
    expect(await machine.texts.ours([text])).toEqual([])
    await machine.texts.intend('a')
    expect(await machine.texts.ours([text])).toEqual([text])
  },
)
