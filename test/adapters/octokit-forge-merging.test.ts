import nock from 'nock'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { openClient } from '../../src/adapters/octokit/client.ts'
import { createOctokitForge } from '../../src/adapters/octokit-forge.ts'
import type { Forge } from '../../src/core/ports/forge.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'
import { forbidNetwork } from '../fakes/no-network.ts'

// Answers of GitHub that the server of our own does not give.

const api = 'https://api.github.test'
const sha = 'a'.repeat(40)
const other = 'b'.repeat(40)
const made = 'c'.repeat(40)

let clock: FakeClock
let notes: string[]

function openForge(workflowPath?: string): Forge {
  const repository = openClient({
    ...{ owner: 'o', repo: 'r', token: () => 'token', apiUrl: api, clock, pace: false },
    random: { fraction: () => 0.5, hex: () => '' },
    login: 'executor[bot]',
    log: (line) => notes.push(line),
    ...(workflowPath === undefined ? {} : { workflowPath }),
    runId: '77',
  })
  return createOctokitForge(repository)
}

forbidNetwork()

beforeEach(() => {
  clock = createFakeClock()
  notes = []
})

interface Step {
  readonly method?: string
  readonly status: number
  readonly message: string
}

/** What the pull request is, as GitHub answers after a refusal. */
const now = (change: object = {}) => ({
  number: 1,
  html_url: '',
  state: 'open',
  draft: false,
  title: '',
  body: null,
  merged_at: null,
  merge_commit_sha: null,
  mergeable: true,
  user: null,
  head: { ref: 'agent/T-1', sha, repo: null },
  base: { ref: 'main' },
  labels: [],
  ...change,
})

const all = { allow_merge_commit: true, allow_squash_merge: true, allow_rebase_merge: true }
const merged = { merged_at: '2026-01-01T00:00:00Z', merge_commit_sha: made, state: 'closed' }
const no = (status: number, message: string, method = 'merge'): Step => ({
  status,
  message,
  method,
})
const yes = (method = 'merge'): Step => ({ status: 200, message: '', method })
const draft = 'Pull Request is still a draft'
const review = 'At least 1 approving review is required by reviewers with write access.'

const merges: readonly [string, object, readonly Step[], readonly object[], object, number[]][] = [
  [
    'by a merge commit where that is allowed',
    all,
    [yes()],
    [],
    { status: 'merged', sha: made },
    [],
  ],
  [
    'by squashing where nothing else is allowed',
    { ...all, allow_merge_commit: false, allow_rebase_merge: false },
    [yes('squash')],
    [],
    { status: 'merged', sha: made },
    [],
  ],
  [
    'by the next method, where a rule forbids what the settings allow',
    {},
    [
      no(405, 'Merge commits are not allowed on this repository.'),
      no(405, 'Squash merges are not allowed on this repository.', 'squash'),
      yes('rebase'),
    ],
    [],
    { status: 'merged', sha: made },
    [],
  ],
  [
    'not a draft',
    all,
    [no(405, draft)],
    [now({ draft: true })],
    { status: 'blocked', reason: draft },
    [],
  ],
  [
    'not without a review',
    all,
    [no(405, review)],
    [now()],
    { status: 'blocked', reason: review },
    [],
  ],
  [
    'not a head that moved, whatever else was wrong',
    all,
    [no(405, draft)],
    [now({ draft: true, head: { ref: 'agent/T-1', sha: other, repo: null } })],
    { status: 'moved', headSha: other },
    [],
  ],
  [
    'once more while GitHub finds out whether it can be',
    all,
    [no(405, 'Pull Request is not mergeable'), yes()],
    [now({ mergeable: null })],
    { status: 'merged', sha: made },
    [1],
  ],
  [
    'once more when the base moved meanwhile, three times at most',
    all,
    [1, 2, 3].map(() => no(409, 'Base branch was modified. Review and try the merge again.')),
    [now(), now(), now()],
    { status: 'blocked', reason: 'Base branch was modified. Review and try the merge again.' },
    [1, 2],
  ],
  [
    'already, by somebody else: that is said',
    all,
    [no(405, 'Pull Request is not mergeable')],
    [now(merged)],
    { status: 'merged', sha: made },
    [],
  ],
  [
    'with an answer that was lost: looked up',
    all,
    [no(502, 'Bad gateway')],
    [now(), now(merged)],
    { status: 'merged', sha: made },
    [1, 2],
  ],
  [
    'with a request that was lost: looked up, then sent again',
    all,
    [no(502, 'Bad gateway'), yes()],
    [now(), now()],
    { status: 'merged', sha: made },
    [1, 2],
  ],
  [
    'never without the right to',
    all,
    [no(403, 'Resource not accessible by integration')],
    [],
    { status: 'refused', code: 'forge_denied', detail: expect.stringContaining('403 Resource') },
    [],
  ],
]

test.for(merges)(
  'a pull request is merged %s',
  async ([, settings, steps, looks, expected, sleeps]) => {
    nock(api).get('/repos/o/r').reply(200, settings)
    for (const { method, status, message } of steps) {
      const body = status === 200 ? { sha: made, merged: true } : { message }
      nock(api).put('/repos/o/r/pulls/1/merge', { sha, merge_method: method }).reply(status, body)
    }
    for (const look of looks) nock(api).get('/repos/o/r/pulls/1').reply(200, look)
    expect(await openForge().merge(1, sha)).toEqual(expected)
    expect(clock.sleeps).toEqual(sleeps)
  },
)

describe('merging', () => {
  it('asks once which methods are allowed', async () => {
    nock(api).get('/repos/o/r').reply(200, all)
    nock(api)
      .put(/merge$/)
      .times(2)
      .reply(200, { sha: made, merged: true })
    const forge = openForge()
    await forge.merge(1, sha)
    await forge.merge(2, sha)
  })
})

const inQueue = (isInMergeQueue: boolean) => ({
  data: { repository: { pullRequest: { id: 'PR_1', headRefOid: sha, isInMergeQueue } } },
})
const refusesQueue = { errors: [{ type: 'UNPROCESSABLE', message: 'Expected head oid' }] }

const queues: readonly [string, object, (object | number)[], object[], object][] = [
  ['puts it there', inQueue(false), [{ data: {} }], [], { status: 'queued' }],
  ['does that once', inQueue(true), [], [], { status: 'queued' }],
  ['looks where the answer was lost', inQueue(false), [502], [inQueue(true)], { status: 'queued' }],
  [
    'says why it may not',
    inQueue(false),
    [refusesQueue],
    [],
    { status: 'blocked', reason: expect.stringContaining('Expected head oid') },
  ],
]

test.for(queues)(
  'a merge where there is a merge queue %s',
  async ([, seen, writes, looks, expected]) => {
    const message = 'Changes must be made through the merge queue'
    nock(api).get('/repos/o/r').reply(200, all)
    nock(api)
      .put(/merge$/)
      .reply(405, { message })
    nock(api).get('/repos/o/r/pulls/1').reply(200, now())
    const isWrite = ({ query = '' }: { readonly query?: string }) => query.startsWith('mutation')
    for (const answer of [seen, ...looks])
      nock(api)
        .post('/graphql', (sent) => !isWrite(sent))
        .reply(200, answer)
    for (const answer of writes) {
      const [status, body] = typeof answer === 'number' ? [answer, {}] : [200, answer]
      nock(api)
        .post('/graphql', (sent) => isWrite(sent) && sent.variables.sha === sha)
        .reply(status, body)
    }
    expect(await openForge().merge(1, sha)).toEqual(expected)
  },
)

const rule = (require_last_push_approval: boolean) => ({
  ...{ type: 'pull_request', parameters: { require_last_push_approval } },
})
const protection = (requireLastPushApproval: boolean | null) => ({
  data: {
    repository: {
      ref: {
        branchProtectionRule: requireLastPushApproval === null ? null : { requireLastPushApproval },
      },
    },
  },
})
const pushBy = (login: string, after = sha) => ({ after, actor: { login } })

const pushers: readonly [string, object[], object, object[], boolean][] = [
  ['is refused by a rule', [rule(true)], protection(null), [pushBy('Ann')], false],
  ['is refused by protection', [], protection(true), [pushBy('ann', other), pushBy('ann')], false],
  ['counts where nothing asks that', [rule(false)], protection(false), [pushBy('ann')], true],
  ['counts where it is not protected', [], protection(null), [pushBy('ann')], true],
  ["counts for somebody else's push", [rule(true)], protection(null), [pushBy('bob')], true],
  ['counts for another push of theirs', [], protection(true), [pushBy('ann', other)], true],
]

test.for(pushers)(
  'an approval of who pushed %s',
  async ([, rules, protectedBy, pushes, isMerged]) => {
    nock.cleanAll()
    nock(api)
      .get('/repos/o/r/pulls/1')
      .reply(200, { head: { ref: 'agent/T-1', sha }, base: { ref: 'main' } })
    nock(api).get('/repos/o/r/rules/branches/main').reply(200, rules)
    nock(api).post('/graphql').optionally().reply(200, protectedBy)
    nock(api)
      .get('/repos/o/r/activity')
      .query({ ref: 'refs/heads/agent/T-1', per_page: 100 })
      .optionally()
      .reply(200, pushes)
    if (isMerged) {
      nock(api).get('/repos/o/r').reply(200, all)
      nock(api)
        .put(/merge$/)
        .reply(200, { sha: made, merged: true })
    }
    const merged = await openForge().merge(1, sha, 'ann')
    expect(merged).toEqual(
      isMerged
        ? { status: 'merged', sha: made }
        : { status: 'blocked', reason: expect.stringContaining('someone other than ann') },
    )
    nock.cleanAll()
  },
)

interface Run {
  readonly conclusion: string | null
  readonly suite?: number
  readonly app?: string
}

const run = (conclusion: string | null, suite = 1, app = 'ci'): Run => ({ conclusion, suite, app })
const status = (state: string, total_count = 1) => ({ state, total_count })
const none = status('pending', 0)

const verdicts: readonly [string, readonly Run[], object, string][] = [
  ['nothing', [], none, 'none'],
  ['a status alone', [], status('success'), 'green'],
  ['check runs alone', [run('success'), run('neutral'), run('skipped')], none, 'green'],
  ['a status that waits', [run('success')], status('pending'), 'pending'],
  ['a status that errs', [run('success')], status('error'), 'red'],
  ['a check run that waits', [run('success'), run(null)], status('success'), 'pending'],
  ['one that failed while another waits', [run('failure'), run(null)], none, 'red'],
  ...['cancelled', 'timed_out', 'action_required', 'stale'].map(
    (how): (typeof verdicts)[number] => [how, [run(how)], status('success'), 'red'],
  ),
  ['the hundred and first', [...Array(100).fill(run('success')), run('failure')], none, 'red'],
]

const present = ({ conclusion, suite, app }: Run) => ({
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
  check_suite: { id: suite },
  details_url: `https://github.test/o/r/actions/runs/${suite}/job/1`,
  app: { slug: app },
})

function answerChecks(runs: readonly Run[], state: object): void {
  const commit = `/repos/o/r/commits/${sha}`
  for (let page = 1; page <= Math.floor(runs.length / 100) + 1; page++) {
    const check_runs = runs.slice((page - 1) * 100, page * 100).map(present)
    const query = { filter: 'latest', per_page: 100, page }
    nock(api).get(`${commit}/check-runs`).query(query).reply(200, { check_runs })
  }
  nock(api).get(`${commit}/status`).reply(200, state)
}

test.for(verdicts)('checks: %s', async ([, runs, state, expected]) => {
  answerChecks(runs, state)
  expect(await openForge().checks(sha)).toBe(expected)
})

describe('checks of our own workflow', () => {
  const path = '.github/workflows/executor.yml'
  const ours = run(null, 7, 'github-actions')

  it('do not count: they are this very run, and others that wait for it', async () => {
    answerChecks([ours, run('success', 8, 'github-actions')], none)
    const runs = '/repos/o/r/actions/workflows/executor.yml/runs'
    const workflow_runs = [{ check_suite_id: 7 }]
    nock(api).get(runs).query({ head_sha: sha, per_page: 100 }).reply(200, { workflow_runs })
    expect(await openForge(path).checks(sha)).toBe('green')
  })

  it('do not count where this run is one of them, without a request', async () => {
    answerChecks([run(null, 77, 'github-actions'), run('success')], none)
    expect(await openForge(path).checks(sha)).toBe('green')
  })

  it('count where we may not ask which they are', async () => {
    answerChecks([ours], none)
    nock(api)
      .get(/executor.yml\/runs/)
      .reply(403, { message: 'Resource not accessible' })
    expect(await openForge(path).checks(sha)).toBe('pending')
    expect(notes).toEqual([expect.stringContaining('actions: read')])
  })
})
