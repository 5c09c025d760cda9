import { readFileSync } from 'node:fs'
import nock from 'nock'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { type GitHubApp, openProbotApp } from '../../../src/adapters/probot-app.ts'
import { ExecutorError } from '../../../src/core/domain/errors.ts'
import type { JobQueue, JobResult } from '../../../src/core/ports/job-queue.ts'
import type { Amount } from '../../../src/core/ports/ledger.ts'
import { createMetrics } from '../../../src/entry/app/http-server.ts'
import type { LocalPlace } from '../../../src/entry/app/open-place.ts'
import type { AppJob, AppWork } from '../../../src/entry/app/receive-webhook.ts'
import { serveJob } from '../../../src/entry/app/serve-job.ts'
import type { Trigger } from '../../../src/runs/triggers/trigger.ts'
import { createFakeClock, type FakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryQueue } from '../../fakes/memory-queue.ts'
import { forbidNetwork } from '../../fakes/no-network.ts'
import { appKey } from './app-key.ts'

const api = 'https://api.github.test'
const date = 'Fri, 02 Jan 2026 03:04:05 GMT'
const dispatches = '/repos/octo/app/actions/workflows/executor.yml/dispatches'

let clock: FakeClock
let app: GitHubApp
let logged: string[]
let broken: ExecutorError | null
let queue: JobQueue<AppWork>
let served: { readonly trigger: Trigger; readonly place: LocalPlace }[]

forbidNetwork()

beforeEach(async () => {
  clock = createFakeClock()
  logged = []
  broken = null
  queue = createMemoryQueue<AppWork>()
  served = []
  const now = () => clock.now()
  app = await openProbotApp({
    appId: 1,
    privateKey: appKey,
    webhookSecret: null,
    apiUrl: api,
    now,
  })
})

const jobOf = (payload: AppWork, change: Partial<AppJob> = {}): AppJob => ({
  id: '72d3162e-cc78-11e3-81ab-4c9367dc0958',
  repository: 'octo/app',
  installation: 7,
  event: 'issue_comment',
  payload,
  receivedAt: clock.now(),
  ...change,
})

const serve = (
  job: AppJob,
  allowed: readonly string[] = [],
  agents: readonly string[] = [],
  spent: Amount | null = null,
  signal = new AbortController().signal,
): Promise<JobResult> =>
  serveJob(
    job,
    {
      app,
      clock,
      environment: {
        apiUrl: api,
        serverUrl: 'https://github.test',
        localRepositories: allowed,
        localAgents: agents,
        ceiling: { tokens: 1000, dollars: 5 },
      },
      spending: spent === null ? undefined : { on: async () => spent, note: async () => {} },
      queue,
      openSession: () => Promise.reject(new Error('no workspace')),
      telemetry: createMetrics(async () => ({ waiting: 0, active: 0, done: 0, failed: 0 }))
        .telemetry,
      async serveRepository(trigger, place) {
        served.push({ trigger, place })
        if (broken !== null) throw broken
        return { status: 'done' }
      },
      log: (line) => logged.push(line),
    },
    signal,
  )

const everything: Trigger = { kind: 'run', only: null }

const toDispatch = { actions: 'write', contents: 'read', metadata: 'read' }
const { actions: _, ...others } = parse(readFileSync('app.yml', 'utf8')).default_permissions
const toWork = { actions: 'read', ...others }

/** For this one repository, and what the job does there. */
function answerToken(
  token = 'ghs_one',
  permissions: Readonly<Record<string, string>> = toDispatch,
) {
  const expires_at = new Date(Date.parse(clock.now()) + 3_600_000).toISOString()
  nock(api)
    .post('/app/installations/7/access_tokens', { repositories: ['app'], permissions })
    .matchHeader('authorization', /^bearer ey/i)
    .reply(201, { token, expires_at })
}

function answerConfig(config: string | null, token = 'ghs_one', path = '.github%2Fexecutor.yml') {
  nock(api)
    .get('/repos/octo/app')
    .matchHeader('authorization', `token ${token}`)
    .reply(200, { default_branch: 'trunk' }, { date })
  const content = Buffer.from(config ?? '').toString('base64')
  nock(api)
    .get(`/repos/octo/app/contents/${path}`)
    .query({ ref: 'trunk' })
    .reply(config === null ? 404 : 200, config === null ? {} : { type: 'file', content })
}

const started = (workflow: string) => ({
  status: 'done',
  left: { link: `https://github.test/octo/app/actions/workflows/${workflow}` },
})

describe('a job of the App', () => {
  it.each<[string, Trigger, object]>([
    ['all that is ready', everything, {}],
    ['one task', { kind: 'run', only: ['T-7'] }, { task: 'T-7' }],
    ['several tasks', { kind: 'run', only: ['T-7', 'T-8'] }, {}],
    ['what is true now', { kind: 'reconcile' }, {}],
    ['it after checks', { kind: 'reconcile', after: 'checks' }, { command: 'reconcile' }],
  ])(
    "that asks for %s starts the repository's workflow on its default branch",
    async (_, trigger, inputs) => {
      answerToken()
      answerConfig(null)
      nock(api)
        .post(dispatches, { ref: 'trunk', inputs: inputs as Record<string, string> })
        .matchHeader('authorization', 'token ghs_one')
        .reply(204)
      expect(await serve(jobOf(trigger))).toEqual(started('executor.yml'))
      expect(served).toEqual([])
    },
  )

  it('starts the workflow that the configuration names', async () => {
    answerToken()
    answerConfig('workflow: roadmap.yaml')
    nock(api).post('/repos/octo/app/actions/workflows/roadmap.yaml/dispatches').reply(204)
    expect(await serve(jobOf(everything))).toEqual(started('roadmap.yaml'))
  })

  it('finds the installation where the webhook does not name it', async () => {
    nock(api).get('/repos/octo/app/installation').reply(200, { id: 7 })
    answerToken()
    answerConfig('enabled: false')
    expect(await serve(jobOf(everything, { installation: null }))).toEqual({ status: 'done' })
    expect(logged.join()).toContain('switched off')
  })

  it.each<[string, number, string, RegExp]>([
    ['there is no such workflow', 404, 'Not Found', /no \.github\/workflows\/executor\.yml/],
    [
      'it takes no dispatch',
      422,
      "Workflow does not have 'workflow_dispatch' trigger",
      /lacks "workflow_dispatch:"/,
    ],
    ['it does not know the input', 422, 'Unexpected inputs provided: ["task"]', /input "task"/],
    ['it is disabled', 422, 'Cannot trigger a disabled workflow', /is disabled/],
    ['the App may not', 403, 'Resource not accessible by integration', /not accessible/],
  ])('fails for good when %s', async (_, status, message, reason) => {
    answerToken()
    answerConfig(null)
    nock(api).post(dispatches).reply(status, { message })
    const result = await serve(jobOf({ kind: 'run', only: ['T-1'] }))
    expect(result).toMatchObject({ status: 'failed', reason: expect.stringMatching(reason) })
  })

  it('starts a workflow once, when an error hides that it was started', async () => {
    answerToken()
    answerConfig(null)
    nock(api).post(dispatches).reply(502)
    const listed = (runs: object[]) =>
      nock(api)
        .get('/repos/octo/app/actions/workflows/executor.yml/runs')
        .query({ event: 'workflow_dispatch', per_page: 5 })
        .reply(200, { total_count: runs.length, workflow_runs: runs })
    // One of before is none of ours.
    const before = { id: 1, created_at: '2026-01-02T03:04:04Z' }
    listed([before])
    listed([{ id: 2, created_at: '2026-01-02T03:04:05Z' }, before])
    expect(await serve(jobOf(everything))).toEqual(started('executor.yml'))
  })

  it('comes again when GitHub cannot be reached', async () => {
    // Reads are tried four times.
    answerToken()
    nock(api).get('/repos/octo/app').times(4).reply(503)
    expect(await serve(jobOf(everything))).toMatchObject({ status: 'again' })
  })

  it.each([
    ['git_failed', 'again'],
    ['forge_unreachable', 'again'],
    ['no_roadmap', 'failed'],
  ] as const)('that ends with %s: %s', async (code, status) => {
    broken = new ExecutorError(code, 'detail')
    answerToken()
    answerConfig('runner: local')
    nock(api).get('/app').reply(200, { slug: 'executor', name: 'executor', html_url: '' })
    expect(await serve(jobOf(everything), ['octo/*'])).toMatchObject({ status })
  })

  it('comes again when the App stops while it fails', async () => {
    const stopped = AbortSignal.abort()
    const job = jobOf({ kind: 'workspace', starts: false })
    expect(await serve(job, [], [], null, stopped)).toMatchObject({ status: 'again' })
  })

  it('sends no write of authentication twice', async () => {
    nock(api).post('/app/installations/7/access_tokens').reply(502)
    expect(await serve(jobOf(everything))).toMatchObject({ status: 'again' })
  })

  it.each([
    ['a repository that is gone', 404],
    ['an App that is not let in', 401],
  ])('fails for good for %s', async (_, status) => {
    nock(api).post('/app/installations/7/access_tokens').reply(status, { message: 'no' })
    expect(await serve(jobOf(everything))).toMatchObject({ status: 'failed' })
  })

  it('fails for good over a configuration that cannot be read', async () => {
    answerToken()
    answerConfig('enabeld: false')
    expect(await serve(jobOf(everything))).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('Did you mean enabled?'),
    })
  })
})

describe('runner: local', () => {
  it('is for repositories that the operator names', async () => {
    answerToken()
    answerConfig('runner: local')
    expect(await serve(jobOf(everything), ['octo/other'])).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('EXECUTOR_LOCAL_REPOSITORIES'),
    })
    expect(served).toEqual([])
  })

  it('works here, with tokens that are renewed before they expire', async () => {
    answerToken()
    answerConfig('runner: local\nroadmap: TODO.md')
    nock(api).get('/app').reply(200, { slug: 'our-executor' })
    expect(await serve(jobOf(everything), ['octo/*'])).toEqual({ status: 'done' })
    const [first] = served
    expect(first?.trigger).toEqual(everything)
    expect(first?.place).toMatchObject({
      owner: 'octo',
      repo: 'app',
      defaultBranch: 'trunk',
      login: 'our-executor[bot]',
      settings: { roadmap: 'TODO.md' },
    })
    answerToken('ghs_two', toWork)
    expect(await first?.place.token()).toBe('ghs_two')
    clock.advance(49 * 60)
    expect(await first?.place.token()).toBe('ghs_two')
    clock.advance(60)
    answerToken('ghs_three', toWork)
    expect(await first?.place.token()).toBe('ghs_three')
  })

  const own = 'http://127.0.0.1:8080/v1'
  it.each<[string, string, Readonly<Record<string, string>>, string | null]>([
    ['another endpoint', `base-url: ${own}`, {}, 'OPENAI_BASE_URL'],
    ['an address of the network', 'base-url: http://169.254.169.254/v1', {}, 'OPENAI_BASE_URL'],
    ['the usual endpoint', 'base-url: https://api.openai.com/v1/', {}, null],
    // The variable goes before the file.
    ["the operator's endpoint", `base-url: https://example.com`, { OPENAI_BASE_URL: own }, null],
    ['no sandbox', 'sandbox: off', {}, 'EXECUTOR_SANDBOX'],
    ['a strict sandbox', 'sandbox: strict', {}, null],
    ['no sandbox, as the operator', 'sandbox: off', { EXECUTOR_SANDBOX: 'off' }, null],
  ])('a repository that asks for %s', async (_, line, environment, refusal) => {
    vi.stubEnv('OPENAI_BASE_URL', '')
    vi.stubEnv('EXECUTOR_SANDBOX', '')
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    answerToken()
    answerConfig(`runner: local\n${line}`)
    if (refusal === null) nock(api).get('/app').reply(200, { slug: 'our-executor' })
    const result = await serve(jobOf(everything), ['octo/*'])
    expect(result).toEqual(
      refusal === null
        ? { status: 'done' }
        : { status: 'failed', reason: expect.stringContaining(refusal) },
    )
    expect(served).toHaveLength(refusal === null ? 1 : 0)
  })

  const refused = { status: 'failed', reason: expect.stringContaining('EXECUTOR_LOCAL_AGENTS') }
  it.each<[string, string, object]>([
    ['another repository', 'octo/other', refused],
    ['it once more', 'octo/app', { status: 'done' }],
  ])('lets an agent work where the operator names %s', async (_, named, result) => {
    answerToken()
    answerConfig('runner: local\nstrategy: agent\nagent-command: codex exec -')
    if (result !== refused) nock(api).get('/app').reply(200, { slug: 'our-executor' })
    expect(await serve(jobOf(everything), ['octo/*'], [named])).toEqual(result)
    expect(served).toHaveLength(result === refused ? 0 : 1)
  })
})

const tomorrow = '2026-01-03T00:00:00.000Z'

describe('the ceiling of an installation', () => {
  it.each<[string, Amount, string | null]>([
    ['nothing', { tokens: 0, dollars: 0 }, null],
    ['almost all', { tokens: 999, dollars: 4.99 }, null],
    ['all tokens', { tokens: 1000, dollars: 0 }, '1000 tokens'],
    ['more dollars than all', { tokens: 0, dollars: 6 }, '$5'],
  ])('after %s of it', async (_, spent, most) => {
    answerToken()
    answerConfig('runner: local')
    if (most === null) nock(api).get('/app').reply(200, { slug: 'our-executor' })
    const result = await serve(jobOf(everything), ['octo/*'], [], spent)
    const reason = `installation 7 has used up the ${most} that the operator allows it in a day`
    expect(result).toEqual(
      most === null ? { status: 'done' } : { status: 'again', reason, notBefore: tomorrow },
    )
    expect(served).toHaveLength(most === null ? 1 : 0)
  })
})

describe('a repository of a workspace', () => {
  const config = 'runner: local\nworkspace: Octo/Shop'
  const pass = (starts: boolean, change: Partial<AppJob> = {}) =>
    jobOf(
      { kind: 'workspace', starts },
      { event: starts ? 'workspace_run' : 'workspace', repository: 'octo/shop', ...change },
    )
  const waiting = async () =>
    (await queue.list(null, 10)).map(({ repository, event }) => [repository, event])

  it.each<[string, Trigger, Partial<AppJob>, readonly (readonly string[])[]]>([
    ['a run of all tasks', everything, {}, [['Octo/Shop', 'workspace_run']]],
    ['a run of one', { kind: 'run', only: ['T-1'] }, {}, [['Octo/Shop', 'workspace']]],
    [
      'a run that the workspace started',
      { kind: 'run', only: ['T-1'] },
      { event: 'workspace_run' },
      [['Octo/Shop', 'workspace_run']],
    ],
    ['a merge', { kind: 'reconcile' }, {}, [['Octo/Shop', 'workspace']]],
    ['a pull request', { kind: 'lint' }, {}, []],
  ])('asks for a look at it once after %s', async (_, trigger, change, jobs) => {
    for (const __ of ['first', 'again']) {
      answerToken()
      answerConfig(config)
      nock(api).get('/app').reply(200, { slug: 'executor', name: 'executor', html_url: '' })
      expect(await serve(jobOf(trigger, change), ['octo/*'])).toEqual({ status: 'done' })
      expect(served.at(-1)?.place.membership).not.toBeNull()
      nock.cleanAll()
    }
    expect(await waiting()).toEqual(jobs)
  })

  it.each([
    [null, /octo\/app: there is no workspace\.yml on its default branch/],
    ['repositories: { api: ../../api }', /api is \.\.\/\.\.\/api, and the App needs owner\/name/],
    ['repositories: { api: octo/.. }', /api is octo\/\.\., and the App/],
    ['repositories: []', /repositories/],
  ])('fails with words about a wrong file: %s', async (text, words) => {
    answerInstallation()
    answerToken()
    answerConfig(text, 'ghs_one', 'workspace.yml')
    expect(await serve(pass(false, { repository: 'octo/app' }), ['octo/*'])).toEqual({
      status: 'failed',
      reason: expect.stringMatching(words),
    })
  })

  /** What a repository knows of its workspace, while that is read for it. */
  async function join(allowed: readonly string[] = ['octo/*']) {
    answerToken()
    answerConfig(config)
    nock(api).get('/app').reply(200, { slug: 'executor', name: 'executor', html_url: '' })
    await serve(jobOf(everything), allowed)
    nock.cleanAll()
    const membership = served.at(-1)?.place.membership
    if (membership == null) throw new Error('It is in no workspace.')
    return membership
  }

  it.each([
    ['is not there', null],
    ['names others', 'repositories: { api: octo/hunter2 }'],
    ['is wrong', 'repositories: { api: "hunter2" }'],
    ['is no YAML', 'hunter2: {'],
    ['has a wrong set', 'repositories: { api: octo/app }\nsets: { a: { tasks: [hunter2:T-1] } }'],
  ])('learns nothing of a workspace.yml that %s', async (_, text) => {
    const membership = await join()
    answerFile('Octo/Shop', 'workspace.yml', text)
    const reason =
      'The workspace cannot be used: Octo/Shop: its workspace.yml does not name octo/app, or cannot be read'
    expect(await membership.sets('T-1')).toEqual({ status: 'unknown', reason })
  })

  it.each([
    ['is not there', null],
    ['names another workspace', 'workspace: octo/hunter2'],
    ['has wrong settings', 'workspace: Octo/Shop\nrunner: hunter2'],
  ])('learns nothing of a repository that %s', async (_, text) => {
    const membership = await join()
    answerFile('Octo/Shop', 'workspace.yml', 'repositories: { app: octo/app, api: octo/api }')
    answerFile('octo/api', '.github%2Fexecutor.yml', text)
    const reason =
      'The workspace cannot be used: octo/api does not set workspace: Octo/Shop, or cannot be read'
    expect(await membership.look('api:T-1')).toEqual({ status: 'failed', reason })
  })

  it.each([
    [['octo/app'], 'Octo/Shop: EXECUTOR_LOCAL_REPOSITORIES does not name it'],
    [['octo/app', 'octo/shop'], 'octo/api may not run here: EXECUTOR_LOCAL_REPOSITORIES does not'],
  ])('reads only what the operator allows: %s', async (allowed, words) => {
    const membership = await join(allowed)
    if (allowed.length > 1)
      answerFile('Octo/Shop', 'workspace.yml', 'repositories: { app: octo/app, api: octo/api }')
    expect(await membership.look('api:T-1')).toEqual({
      status: 'failed',
      reason: expect.stringContaining(words),
    })
  })

  it('belongs to a set that writes its task in other letters', async () => {
    const membership = await join()
    const sets = 'sets: { pay: { tasks: [app:t-1] } }'
    answerFile('Octo/Shop', 'workspace.yml', `repositories: { app: octo/app }\n${sets}`)
    expect(await membership.sets('T-1')).toMatchObject({ status: 'member', set: 'pay' })
  })

  it.each(['../shop', 'octo/..', '/etc', 'a/b/c', '.octo/shop'])('is not in %j', async (name) => {
    answerToken()
    answerConfig(`runner: local\nworkspace: ${name}`)
    expect(await serve(jobOf(everything), ['octo/*'])).toMatchObject({ status: 'failed' })
  })
})

/** Answers the requests that read a file of another repository; without a text, there is no such repository. */
function answerFile(fullName: string, path: string, text: string | null) {
  const [, name = ''] = fullName.split('/')
  const at = `/repos/${fullName}`
  const isThere = text !== null
  nock(api)
    .get(`${at}/installation`)
    .reply(isThere ? 200 : 404, { id: 7 })
  if (!isThere) return
  const expires_at = new Date(Date.parse(clock.now()) + 3_600_000).toISOString()
  nock(api)
    .post('/app/installations/7/access_tokens', { repositories: [name], permissions: toDispatch })
    .reply(201, { token: `ghs_${name}`, expires_at })
  nock(api).get(at).reply(200, { default_branch: 'trunk' }, { date })
  const content = Buffer.from(text).toString('base64')
  nock(api)
    .get(`${at}/contents/${path}`)
    .query({ ref: 'trunk' })
    .reply(200, { type: 'file', content })
}

const answerInstallation = () => nock(api).get('/repos/octo/app/installation').reply(200, { id: 7 })
