import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { readEvent } from '../../../src/runs/triggers/read-event.ts'
import { wantedEvents } from '../../../src/runs/triggers/trigger.ts'
import {
  bot,
  commentEvent,
  issueEvent,
  pullRequestEvent,
  pushEvent,
  repository,
  reviewCommentEvent,
  reviewEvent,
  user,
} from './event-facts.ts'

interface Examples {
  readonly name: string
  readonly examples: readonly { readonly action?: string }[]
}

const file = createRequire(import.meta.url).resolve('@octokit/webhooks-examples')
const all: readonly Examples[] = JSON.parse(readFileSync(file, 'utf8'))
/** As an App is sent them. */
const filledUp = all.flatMap(({ name, examples }) =>
  examples.map((payload) => ({ name, payload: { installation: { id: 1 }, ...payload } })),
)

describe("GitHub's examples", () => {
  it('are all read, and only these start something', ({ task }) => {
    task.file.meta.cases = { payloads: filledUp.length }
    const started = performance.now()
    const kinds = filledUp.map(
      ({ name, payload }) =>
        `${name}.${payload.action ?? ''} ${readEvent(name, payload, 'executor[bot]').kind}`,
    )
    const milliseconds = performance.now() - started
    console.log(`${filledUp.length} payloads read in ${milliseconds.toFixed(1)} ms`)
    expect(filledUp).toHaveLength(329)
    const meant = kinds.filter((kind) => !kind.endsWith(' ignored'))
    const counts = [...Map.groupBy(meant, String)].map(([kind, { length }]) => [kind, length])
    expect(Object.fromEntries(counts)).toEqual({
      'pull_request.opened lint': 4,
      'pull_request.reopened lint': 2,
      'pull_request.synchronize lint': 1,
      'push. reconcile': 2,
      'workflow_dispatch. run': 2,
    })
  })

  it('name only events that are wanted where something is started', () => {
    for (const { name, payload } of filledUp) {
      if (!wantedEvents.has(name)) expect(readEvent(name, payload).kind).toBe('ignored')
    }
  })
})

const suite = (branch: string | null, action = 'completed') => ({
  ...{ action, check_suite: { head_branch: branch, conclusion: 'success' } },
})
const workflowRun = (branch: string | null, action = 'completed') => ({
  ...{ action, workflow_run: { head_branch: branch, conclusion: 'failure' } },
})
const statusOf = (state: string, ...names: readonly string[]) => ({
  ...{ state, branches: names.map((name) => ({ name })) },
})
const afterChecks = { kind: 'reconcile', after: 'checks' }

const checkEvents: readonly [string, string, unknown, object][] = [
  ['checks of ours that ended', 'check_suite', suite('agent/T-1'), afterChecks],
  ['checks that go on', 'check_suite', suite('agent/T-1', 'requested'), { kind: 'ignored' }],
  ['checks of others', 'check_suite', suite('main'), { kind: 'ignored' }],
  ['checks of no branch', 'check_suite', suite(null), { kind: 'ignored' }],
  ['a workflow that ended', 'workflow_run', workflowRun('agent/T-1'), afterChecks],
  ['one that goes on', 'workflow_run', workflowRun('agent/T-1', 'requested'), { kind: 'ignored' }],
  ['one of others', 'workflow_run', workflowRun('feature/agent'), { kind: 'ignored' }],
  ['a status of ours', 'status', statusOf('success', 'main', 'agent/T-1'), afterChecks],
  ['one that failed', 'status', statusOf('failure', 'agent/T-1'), afterChecks],
  ['one that waits', 'status', statusOf('pending', 'agent/T-1'), { kind: 'ignored' }],
  ['one of others', 'status', statusOf('success', 'main'), { kind: 'ignored' }],
]

describe('readEvent', () => {
  const comment = commentEvent('/approve')
  const review = reviewEvent('approved', '')
  const onLine = reviewCommentEvent('/decompose')
  const labelled = issueEvent('labeled', { label: { name: 'executor' } })
  const dashboard = { labels: [{ name: 'executor:dashboard' }], body: '- [x] run' }

  it.each<[string, string, unknown, object]>([
    [
      'a schedule',
      'schedule',
      { schedule: '17 2 * * *' },
      { kind: 'run', only: null, cron: '17 2 * * *' },
    ],
    ['a schedule that says nothing', 'schedule', { schedule: 3 }, { kind: 'run', only: null }],
    ['a dispatch', 'workflow_dispatch', { inputs: null }, { kind: 'run', only: null }],
    ['one with empty inputs', 'workflow_dispatch', { inputs: { task: ' ' } }, { only: null }],
    ['one of a task', 'workflow_dispatch', { inputs: { task: 'T-1' } }, { only: ['T-1'] }],
    ['one of no task', 'workflow_dispatch', { inputs: { task: 'x; rm' } }, { kind: 'ignored' }],
    ['one of a number', 'workflow_dispatch', { inputs: { task: 7 } }, { kind: 'ignored' }],
    ['our dispatch', 'repository_dispatch', { action: 'executor' }, { kind: 'run', only: null }],
    [
      'a dispatch with a task',
      'repository_dispatch',
      { action: 'x', client_payload: { task: 'T-1' } },
      { only: ['T-1'] },
    ],
    [
      'one with a hostile task',
      'repository_dispatch',
      { action: 'x', client_payload: { task: '../x' } },
      { kind: 'ignored' },
    ],
    [
      'our other dispatch',
      'repository_dispatch',
      { action: 'executor-reconcile' },
      { kind: 'reconcile' },
    ],
    ...checkEvents,
    ["another tool's", 'repository_dispatch', { action: 'deploy' }, { kind: 'ignored' }],
    [
      'a comment',
      'issue_comment',
      comment,
      { kind: 'remark', remark: { kind: 'comment', id: 11, on: 7, body: '/approve' } },
    ],
    ['one on an issue', 'issue_comment', commentEvent('/run'), { kind: 'remark' }],
    ['an unknown command', 'issue_comment', commentEvent('/frobnicate'), { kind: 'remark' }],
    ['an edited comment', 'issue_comment', { ...comment, action: 'edited' }, { kind: 'ignored' }],
    ['a deleted comment', 'issue_comment', { ...comment, action: 'deleted' }, { kind: 'ignored' }],
    ['a comment without a command', 'issue_comment', commentEvent('Thanks!'), { kind: 'ignored' }],
    ['a quoted command', 'issue_comment', commentEvent('> /approve'), { kind: 'ignored' }],
    ['a comment without words', 'issue_comment', commentEvent(null), { kind: 'ignored' }],
    [
      "a bot's comment",
      'issue_comment',
      commentEvent('/approve', { user: bot, sender: bot }),
      { kind: 'ignored' },
    ],
    [
      'a bot that says it is a user',
      'issue_comment',
      commentEvent('/approve', { user: { ...bot, type: 'User' } }),
      { kind: 'ignored' },
    ],
    [
      'an organisation',
      'issue_comment',
      commentEvent('/approve', { user: { ...user, type: 'Organization' } }),
      { kind: 'ignored' },
    ],
    [
      'our own comment',
      'issue_comment',
      commentEvent('/approve', { user: { ...user, login: 'executor' } }),
      { kind: 'ignored' },
    ],
    [
      'a sender that is not the author',
      'issue_comment',
      commentEvent('/approve', { sender: { ...user, id: 99 } }),
      { kind: 'ignored' },
    ],
    [
      "a ghost's comment",
      'issue_comment',
      commentEvent('/approve', { user: null }),
      { kind: 'ignored' },
    ],
    [
      'a review comment',
      'pull_request_review_comment',
      onLine,
      {
        kind: 'remark',
        remark: { kind: 'review_comment', path: 'ROADMAP.md', line: 3, commit: 'a'.repeat(40) },
      },
    ],
    [
      'an approving review',
      'pull_request_review',
      review,
      { kind: 'remark', remark: { kind: 'review', verdict: 'approved', commit: 'b'.repeat(40) } },
    ],
    [
      'one in capitals',
      'pull_request_review',
      reviewEvent('APPROVED', null),
      { remark: { verdict: 'approved' } },
    ],
    [
      'a review that asks for changes',
      'pull_request_review',
      reviewEvent('changes_requested', 'No.'),
      { remark: { verdict: 'changes_requested' } },
    ],
    [
      'a review that comments',
      'pull_request_review',
      reviewEvent('commented', 'Hm.'),
      { kind: 'ignored' },
    ],
    [
      'one that commands',
      'pull_request_review',
      reviewEvent('commented', '/skip'),
      { kind: 'remark' },
    ],
    [
      'a dismissed review',
      'pull_request_review',
      { ...review, action: 'dismissed' },
      { kind: 'ignored' },
    ],
    [
      'an edited review',
      'pull_request_review',
      { ...review, action: 'edited' },
      { kind: 'ignored' },
    ],
    [
      'a review of a fork',
      'pull_request_review',
      reviewEvent('approved', '', { repo: { id: 99 } }),
      { kind: 'ignored' },
    ],
    [
      'a review of a fork that is gone',
      'pull_request_review',
      reviewEvent('approved', '', { repo: null }),
      { kind: 'ignored' },
    ],
    [
      'a comment on a line of a fork',
      'pull_request_review_comment',
      reviewCommentEvent('/retry', { repo: { id: 99 } }),
      { kind: 'ignored' },
    ],
    [
      "a review of a person's work",
      'pull_request_review',
      reviewEvent('approved', '', { ref: 'feature' }),
      { kind: 'ignored' },
    ],
    [
      'the label',
      'issues',
      labelled,
      {
        kind: 'issue_labelled',
        issue: {
          number: 12,
          title: 'Count',
          body: 'Words',
          labelledBy: { id: 5, login: 'ann', isBot: false },
        },
      },
    ],
    [
      'a Cyrillic label',
      'issues',
      issueEvent('labeled', { label: { name: '\u0435xecutor' } }),
      { kind: 'ignored' },
    ],
    [
      'the label in capitals',
      'issues',
      issueEvent('labeled', { label: { name: 'Executor' } }),
      { kind: 'ignored' },
    ],
    [
      'the label with a space',
      'issues',
      issueEvent('labeled', { label: { name: 'executor ' } }),
      { kind: 'ignored' },
    ],
    [
      'the label with a zero-width space',
      'issues',
      issueEvent('labeled', { label: { name: 'executor\u200b' } }),
      { kind: 'ignored' },
    ],
    ["a bot's label", 'issues', { ...labelled, sender: bot }, { kind: 'ignored' }],
    [
      'the label on a pull request',
      'issues',
      issueEvent('labeled', { label: { name: 'executor' }, issue: { pull_request: {} } }),
      { kind: 'ignored' },
    ],
    [
      'the label on a closed issue',
      'issues',
      issueEvent('labeled', { label: { name: 'executor' }, issue: { state: 'closed' } }),
      { kind: 'ignored' },
    ],
    [
      'the label taken off',
      'issues',
      issueEvent('unlabeled', { label: { name: 'executor' } }),
      { kind: 'issue_dropped', number: 12 },
    ],
    [
      'another label taken off',
      'issues',
      issueEvent('unlabeled', { label: { name: 'bug' } }),
      { kind: 'ignored' },
    ],
    [
      'our issue closed',
      'issues',
      issueEvent('closed', { issue: { labels: [{ name: 'executor' }] } }),
      { kind: 'issue_dropped', number: 12 },
    ],
    ['another issue closed', 'issues', issueEvent('closed', {}), { kind: 'ignored' }],
    [
      'our issue edited',
      'issues',
      issueEvent('edited', { issue: { labels: [{ name: 'executor' }] } }),
      { kind: 'ignored' },
    ],
    [
      'ticks on the dashboard',
      'issues',
      issueEvent('edited', { issue: dashboard }),
      { kind: 'dashboard', number: 12, body: '- [x] run', by: { id: 5 } },
    ],
    [
      'our edit of the dashboard',
      'issues',
      issueEvent('edited', { issue: dashboard, sender: { ...user, login: 'executor' } }),
      { kind: 'ignored' },
    ],
    [
      "a bot's edit of the dashboard",
      'issues',
      issueEvent('edited', { issue: dashboard, sender: bot }),
      { kind: 'ignored' },
    ],
    ['a new pull request', 'pull_request', pullRequestEvent('opened'), { kind: 'lint' }],
    ['an edited one', 'pull_request', pullRequestEvent('edited'), { kind: 'lint' }],
    ['one of ours closed', 'pull_request', pullRequestEvent('closed'), { kind: 'reconcile' }],
    [
      'a recovery closed',
      'pull_request',
      pullRequestEvent('closed', { ref: 'executor/recovery/T-1' }),
      { kind: 'reconcile' },
    ],
    [
      "a fork's closed",
      'pull_request',
      pullRequestEvent('closed', { repo: { id: 99 } }),
      { kind: 'ignored' },
    ],
    [
      "a person's closed",
      'pull_request',
      pullRequestEvent('closed', { ref: 'feature' }),
      { kind: 'ignored' },
    ],
    ['a pull request labelled', 'pull_request', pullRequestEvent('labeled'), { kind: 'ignored' }],
    ['a push to the default branch', 'push', pushEvent('refs/heads/main'), { kind: 'reconcile' }],
    ['a push elsewhere', 'push', pushEvent('refs/heads/feature'), { kind: 'ignored' }],
    ['a tag of its name', 'push', pushEvent('refs/tags/main'), { kind: 'ignored' }],
    [
      'its deletion',
      'push',
      { ...pushEvent('refs/heads/main'), deleted: true },
      { kind: 'ignored' },
    ],
    ['an event of another kind', 'star', { action: 'created' }, { kind: 'ignored' }],
    ['a name of every object', 'constructor', { repository }, { kind: 'ignored' }],
    ['another such name', '__proto__', { repository }, { kind: 'ignored' }],
  ])('%s', (_, name, payload, expected) => {
    expect(readEvent(name, payload, 'executor')).toMatchObject(expected)
  })
})

describe('hostile payloads', () => {
  const values: readonly unknown[] = [
    null,
    undefined,
    true,
    0,
    -1,
    1.5,
    Number.NaN,
    2 ** 60,
    '',
    'x',
    '/approve',
    [],
    [null],
    {},
    { id: {} },
    { name: 'executor' },
    'x'.repeat(1_000_000),
    '/approve\n'.repeat(100_000),
    JSON.parse('{"__proto__": {"action": "created", "id": 1}}'),
    Array(100_000).fill({ name: 1 }),
    Object.create(null),
    () => 1,
    Symbol('x'),
    10n,
  ]
  const models: Readonly<Record<string, readonly object[]>> = {
    workflow_dispatch: [{ inputs: { task: 'T-1' } }],
    repository_dispatch: [{ action: 'executor', client_payload: { task: 'T-1' } }],
    issue_comment: [commentEvent('/approve')],
    pull_request_review: [reviewEvent('approved', '')],
    pull_request_review_comment: [reviewCommentEvent('/skip')],
    issues: [
      issueEvent('labeled', { label: { name: 'executor' } }),
      issueEvent('edited', { issue: { labels: [{ name: 'executor:dashboard' }] } }),
    ],
    pull_request: [pullRequestEvent('closed')],
    push: [pushEvent('refs/heads/main')],
    check_suite: [suite('agent/T-1')],
    workflow_run: [workflowRun('agent/T-1')],
    status: [statusOf('success', 'agent/T-1')],
  }

  it.each([...wantedEvents])(
    'of %s are read without a crash, whatever stands in which place',
    (name) => {
      for (const value of values) {
        expect(() => readEvent(name, value)).not.toThrow()
        for (const model of models[name] ?? []) {
          for (const spoilt of spoil(model, value)) {
            expect(() => readEvent(name, spoilt)).not.toThrow()
          }
        }
      }
    },
  )

  it('take nothing from a prototype', () => {
    const comment = commentEvent('/approve')
    expect(readEvent('issue_comment', Object.create(comment)).kind).toBe('ignored')
    expect(
      readEvent('issue_comment', { ...comment, comment: Object.create(comment.comment) }).kind,
    ).toBe('ignored')
  })
})

/** The payload with this value in each of its places in turn, three levels deep. */
function* spoil(model: object, value: unknown, depth = 3): Generator<object> {
  for (const [key, part] of Object.entries(model)) {
    yield { ...model, [key]: value }
    if (depth > 1 && typeof part === 'object' && part !== null) {
      for (const inner of spoil(part, value, depth - 1)) yield { ...model, [key]: inner }
    }
  }
}
