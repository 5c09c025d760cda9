import nock from 'nock'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { openClient } from '../../src/adapters/octokit/client.ts'
import { createOctokitDiscussion } from '../../src/adapters/octokit-discussion.ts'
import type { Discussion, Permission } from '../../src/core/ports/discussion.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'
import { forbidNetwork } from '../fakes/no-network.ts'

// Answers of GitHub that the server of our own does not give.

const api = 'https://api.github.test'
const sha = 'a'.repeat(40)
let clock: FakeClock
let notes: string[]

function openDiscussion(apiUrl = api): Discussion {
  const repository = openClient({
    ...{ owner: 'o', repo: 'r', token: () => 'token', apiUrl, clock, pace: false },
    random: { fraction: () => 0, hex: () => '' },
    login: 'executor[bot]',
    ...{ workflowPath: '.github/workflows/executor.yml', runId: '7' },
    log: (line) => notes.push(line),
  })
  return createOctokitDiscussion(repository)
}

forbidNetwork()

beforeEach(() => {
  clock = createFakeClock()
  notes = []
})

const began = { created_at: '2026-11-22T03:20:00Z', head_sha: sha }
const run = (id: number, more: object = {}) => ({ id, run_attempt: 1, ...began, ...more })
const before = { at: '2026-11-21T03:20:00Z', sha }
it.each<[string, number, readonly object[], unknown]>([
  ['it and the one before', 200, [run(9), run(7), run(5, { created_at: before.at })], before],
  ['only itself', 200, [run(7)], null],
  ['that somebody began it again', 200, [run(7, { run_attempt: 2 }), run(5)], undefined],
  ['not even itself yet', 200, [run(5)], undefined],
  ['nothing, without the permission', 403, [], undefined],
  ['nothing, of a workflow it does not know', 404, [], undefined],
])('of the schedule GitHub tells %s', async (_, status, workflow_runs, previous) => {
  nock(api)
    .get('/repos/o/r/actions/workflows/executor.yml/runs')
    .query({ event: 'schedule', per_page: '10' })
    .reply(status, { workflow_runs })
  const found = await openDiscussion().scheduledRuns()
  const workflow = '.github/workflows/executor.yml'
  const told = { workflow, began: began.created_at, previous }
  expect(found).toEqual(previous === undefined ? null : told)
})

const grace = { id: 7, login: 'grace', isBot: false }
const user = { id: 7, login: 'grace' }

const permissions: readonly [string, number, object, Permission][] = [
  ['a role', 200, { role_name: 'maintain', permission: 'write', user }, 'maintain'],
  [
    'triage, which the old name calls read',
    200,
    { role_name: 'triage', permission: 'read', user },
    'triage',
  ],
  [
    "an organisation's own role",
    200,
    { role_name: 'Release captain', permission: 'write', user },
    'write',
  ],
  ['no role name', 200, { permission: 'admin', user }, 'admin'],
  ['none', 200, { role_name: '', permission: 'none', user }, 'none'],
  [
    'another account of this name',
    200,
    { role_name: 'admin', permission: 'admin', user: { ...user, id: 8 } },
    'unknown',
  ],
  [
    'an account without number',
    200,
    { role_name: 'admin', permission: 'admin', user: null },
    'unknown',
  ],
  ['a new word', 200, { role_name: 'owner', permission: 'everything', user }, 'unknown'],
  ['an empty answer', 200, {}, 'unknown'],
  ['404', 404, { message: 'Not Found' }, 'unknown'],
  ['403', 403, { message: 'Must have push access' }, 'unknown'],
  ['a redirect to nowhere', 301, {}, 'unknown'],
]

test.for(permissions)('permission: %s', async ([, status, body, expected]) => {
  nock(api).get('/repos/o/r/collaborators/grace/permission').reply(status, body)
  expect(await openDiscussion().permissionOf(grace)).toBe(expected)
})

test('permission: unknown while GitHub is down, after bounded tries', async () => {
  nock(api)
    .get(/permission$/)
    .times(4)
    .reply(500, {})
  expect(await openDiscussion().permissionOf(grace)).toBe('unknown')
  expect(clock.sleeps).toHaveLength(3)
  expect(notes.at(-1)).toContain('grace')
})

const comment = (change: object = {}) => ({
  id: 1,
  node_id: 'C_1',
  body: '/approve',
  user: { ...user, type: 'User' },
  created_at: '2026-01-02T03:00:00Z',
  updated_at: '2026-01-02T03:00:00Z',
  issue_url: `${api}/repos/o/r/issues/5`,
  pull_request_url: `${api}/repos/o/r/pulls/5`,
  original_commit_id: sha,
  commit_id: 'b'.repeat(40),
  path: 'ROADMAP.md',
  ...change,
})

describe('who said it', () => {
  const cases: readonly [string, object, object][] = [
    ['a person', {}, { id: 7, login: 'grace', isBot: false }],
    ['a person through an App', { performed_via_github_app: { slug: 'x' } }, { isBot: true }],
    ['a bot', { user: { id: 9, login: 'x', type: 'Bot' } }, { id: 9, isBot: true }],
    ['a bot by its name', { user: { id: 9, login: 'x[bot]', type: 'User' } }, { isBot: true }],
    ['an account that is gone', { user: null }, { id: 0, login: 'ghost', isBot: true }],
  ]
  test.for(cases)('%s', async ([, change, author]) => {
    nock(api).get('/repos/o/r/issues/comments/1').reply(200, comment(change))
    const remark = await openDiscussion().remark({ kind: 'comment', id: 1, on: 5 })
    expect(remark).toMatchObject({ on: 5, author })
  })
})

describe('a comment on a line', () => {
  const published = '2026-01-02T03:09:00Z'
  const edited = { created_at: '2026-01-02T03:00:00Z', updated_at: published }
  const ref = { kind: 'review_comment', id: 1, on: 5 } as const
  const answer = (lastEditedAt: string | null) => ({
    data: { nodes: [{ id: 'C_1', lastEditedAt }] },
  })

  it('was made on the commit that was the head then, and stays so', async () => {
    nock(api).get('/repos/o/r/pulls/comments/1').reply(200, comment())
    expect(await openDiscussion().remark(ref)).toMatchObject({ commit: sha, line: null })
  })

  it('that waited in a review for its publication was not edited', async () => {
    nock(api).get('/repos/o/r/pulls/comments/1').reply(200, comment(edited))
    nock(api).post('/graphql').reply(200, answer(null))
    const remark = await openDiscussion().remark(ref)
    expect(remark).toMatchObject({ createdAt: published, updatedAt: published })
  })

  it.each([
    ['was edited', answer(published)],
    ['nobody knows of', { data: { nodes: [null] } }],
  ])('that %s counts as edited', async (_, body) => {
    nock(api).get('/repos/o/r/pulls/comments/1').reply(200, comment(edited))
    nock(api).post('/graphql').reply(200, body)
    const remark = await openDiscussion().remark(ref)
    expect(remark).toMatchObject({ createdAt: '2026-01-02T03:00:00Z', updatedAt: published })
  })

  it('is asked about in one request for a hundred of them', async () => {
    const many = Array.from({ length: 100 }, (_, at) =>
      comment({ ...edited, id: at, node_id: `C_${at}` }),
    )
    const query = (page: number) => ({
      ...{ since: '2026-01-01T00:00:00Z', sort: 'updated', direction: 'desc' },
      ...{ per_page: 100, page },
    })
    nock(api).get('/repos/o/r/issues/comments').query(query(1)).reply(200, [])
    for (const page of [1, 2, 3])
      nock(api).get('/repos/o/r/pulls/comments').query(query(page)).reply(200, many)
    const nodes = many.map(({ node_id }) => ({ id: node_id, lastEditedAt: null }))
    nock(api).post('/graphql').times(3).reply(200, { data: { nodes } })
    const remarks = await openDiscussion().remarksSince('2026-01-01T00:00:00Z')
    expect(remarks).toHaveLength(300)
    expect(remarks.every(({ createdAt, updatedAt }) => createdAt === updatedAt)).toBe(true)
  })
})

const actor = { __typename: 'User', login: 'grace', databaseId: 7 }
const pull = (number: number, change: object = {}) => ({
  ...{ number, head: `agent/T-${number}`, headSha: sha, base: 'main' },
  ...{ isCrossRepository: false, mergeable: 'MERGEABLE', labels: { nodes: [] } },
  ...{ reviews: { nodes: [] } },
  ...change,
})
const page = (nodes: readonly object[], endCursor: string | null = null) => ({
  pageInfo: { hasNextPage: endCursor !== null, endCursor },
  nodes,
})
const found = (repository: object) => ({
  data: { repository: { dashboards: { nodes: [] }, touched: { nodes: [] }, ...repository } },
})
const asks = (wanted: object) => (body: { readonly variables?: object }) => {
  for (const [name, value] of Object.entries(wanted)) {
    if (JSON.stringify(Reflect.get(body.variables ?? {}, name)) !== JSON.stringify(value))
      return false
  }
  return true
}

describe('the overview', () => {
  it('is one request, and shows what counts', async () => {
    const review = {
      ...{ fullDatabaseId: '9000000000', state: 'APPROVED', body: 'Fine' },
      ...{ createdAt: '2026-01-01T00:00:00Z', submittedAt: '2026-01-01T01:00:00Z' },
      ...{ lastEditedAt: '2026-01-01T02:00:00Z', commit: null, author: actor },
    }
    const reviews = {
      nodes: [review, { ...review, state: 'DISMISSED' }, { ...review, state: 'PENDING' }],
    }
    const dashboard = {
      ...{ number: 3, title: 'B', body: '', url: '', editedAt: null, labels: { nodes: [] } },
      author: { __typename: 'Bot', login: 'executor', databaseId: 1 },
    }
    const others = { ...dashboard, number: 4, author: { ...actor, login: 'executor' } }
    nock(api)
      .post('/graphql', asks({ owner: 'o', repo: 'r', pullsAfter: null }))
      .reply(
        200,
        found({
          pullRequests: page([
            pull(1, { mergeable: 'UNKNOWN', reviews }),
            pull(2, { mergeable: 'CONFLICTING' }),
            pull(5, { isCrossRepository: true }),
            pull(6, { head: 'feature/x' }),
          ]),
          issues: page([]),
          dashboards: { nodes: [others, dashboard] },
        }),
      )
    const overview = await openDiscussion().overview()
    expect(overview.pullRequests).toMatchObject([
      {
        ...{ number: 1, conflicts: null },
        reviews: [
          {
            ...{ id: 9_000_000_000, on: 1, verdict: 'approved', commit: null, author: grace },
            ...{ createdAt: '2026-01-01T01:00:00Z', updatedAt: '2026-01-01T02:00:00Z' },
          },
        ],
      },
      { number: 2, conflicts: true, reviews: [] },
    ])
    expect(overview.dashboard).toMatchObject({
      number: 3,
      author: { login: 'executor[bot]', isBot: true },
    })
  })

  it('takes another request only for what has another page', async () => {
    const first = found({ pullRequests: page([pull(2)], 'x'), issues: page([]) })
    nock(api)
      .post('/graphql', asks({ pulls: true, issues: true }))
      .reply(200, first)
    const second = found({ pullRequests: page([pull(1)]) })
    nock(api)
      .post('/graphql', asks({ pulls: true, issues: false, pullsAfter: 'x' }))
      .reply(200, second)
    const { pullRequests } = await openDiscussion().overview()
    expect(pullRequests.map(({ number }) => number)).toEqual([2, 1])
  })

  it('is asked of the GraphQL address of an Enterprise server', async () => {
    const empty = found({ pullRequests: page([]), issues: page([]) })
    nock('https://github.corp.test').post('/api/graphql').reply(200, empty)
    const discussion = openDiscussion('https://github.corp.test/api/v3')
    const nothing = { pullRequests: [], issues: [], dashboard: null, linesQuietSince: null }
    expect(await discussion.overview()).toEqual(nothing)
  })

  const at = (day: number, threads = 0) => ({
    updatedAt: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`,
    reviewThreads: { totalCount: threads },
  })
  const many = Array.from({ length: 99 }, () => at(8))
  it.each([
    ['nobody ever', [at(9), at(8)], null],
    ['not after the last of those with a thread', [at(9), at(8, 2), at(7, 1)], at(8).updatedAt],
    ['not after the last that is shown', [...many, at(5)], at(5).updatedAt],
  ])('tells since when no line was commented on: %s', async (_, nodes, told) => {
    const shown = { pullRequests: page([]), issues: page([]), touched: { nodes } }
    nock(api).post('/graphql').reply(200, found(shown))
    expect((await openDiscussion().overview()).linesQuietSince).toBe(told)
  })
})

describe('GraphQL that fails', () => {
  const empty = found({ pullRequests: page([]), issues: page([]) })
  const limited = { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] }

  it.each([
    ['a server error', 502, {}, [1]],
    [
      'words that mean one',
      200,
      { errors: [{ message: 'Something went wrong while executing your query.' }] },
      [1],
    ],
    ['a limit', 200, limited, [60]],
  ])('in passing is asked again: %s', async (_, status, body, sleeps) => {
    nock(api).post('/graphql').reply(status, body)
    nock(api).post('/graphql').reply(200, empty)
    expect(await openDiscussion().overview()).toMatchObject({ pullRequests: [] })
    expect(clock.sleeps).toEqual(sleeps)
  })

  it('for good is a catalogue error with its words', async () => {
    const errors = [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }]
    nock(api).post('/graphql').reply(200, { data: null, errors })
    await expect(openDiscussion().overview()).rejects.toMatchObject({
      code: 'forge_denied',
      message: expect.stringContaining('403 Resource not accessible by integration'),
    })
  })
})

test('a variable is read by its name', async () => {
  const variable = { name: 'EXECUTOR_DISABLED', value: 'true' }
  nock(api).get('/repos/o/r/actions/variables/EXECUTOR_DISABLED').reply(200, variable)
  expect(await openDiscussion().variable('EXECUTOR_DISABLED')).toBe('true')
})

describe('what may be missing', () => {
  it.each([404, 403])('is no variable: %i', async (status) => {
    nock(api).get('/repos/o/r/actions/variables/X').reply(status, { message: 'no' })
    expect(await openDiscussion().variable('X')).toBeNull()
  })

  it('is a reaction: that is only noted', async () => {
    nock(api).post('/repos/o/r/issues/comments/1/reactions').reply(403, { message: 'locked' })
    const done = await openDiscussion().react({ kind: 'comment', id: 1, on: 5 }, 'eyes')
    expect(done).toEqual({ status: 'ok', value: null })
    expect(notes).toEqual([expect.stringContaining('403 locked')])
  })
})
