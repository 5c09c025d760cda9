import type { DestructiveOperation } from '../../packages/judge/destructive/operation.ts'
import type { Attempt } from '../../src/core/domain/attempt.ts'
import { changeState, type StatePatch } from '../../src/core/domain/change-state.ts'
import { type RunState, stateVersion } from '../../src/core/domain/run-state.ts'
import type { TaskResult } from '../../src/core/domain/verdict.ts'

const usage = { requests: 2, promptTokens: 640, completionTokens: 80, dollars: 0.0012 }
const problem = { path: 'src/a.ts', type: 'syntax', message: "'}' expected", line: 3, column: 1 }
const counts = { passed: 3, failed: 1, skipped: 0 }
const failedTest = {
  test: 'math > adds',
  file: 'test/math.test.ts',
  line: 4,
  message: 'expected 3',
  expected: '3',
  actual: null,
  errorType: 'AssertionError',
  trace: ['test/math.test.ts:4'],
}

const receipt = {
  result: 'passed',
  commands: [{ command: 'npm test', exitCode: 0, seconds: 1.5 }],
  stubs: { found: 1, lines: 400 },
  before: null,
  after: counts,
  seconds: 2,
  sandbox: 'bubblewrap',
  notes: ['one flaky test'],
} as const

export function sampleResult(id: string, changed: Partial<TaskResult> = {}): TaskResult {
  return {
    id,
    title: `Task ${id}`,
    fingerprint: 'f'.repeat(64),
    verdict: 'in_review',
    reason: '',
    branch: `agent/${id}`,
    sha: 'a'.repeat(40),
    start: 'b'.repeat(40),
    pullRequest: { number: 7, url: 'https://example.org/pull/7' },
    attempts: 1,
    repairs: 0,
    usage,
    seconds: 12.5,
    receipt,
    forecastTokens: 640,
    thisRun: true,
    ...changed,
  }
}

const operation: DestructiveOperation = {
  path: 'scripts/clean.sh',
  line: 3,
  column: 1,
  category: 'filesystem',
  operation: 'rm -rf "$1"',
  why: 'It deletes folders.',
  fingerprint: 'f'.repeat(24),
}

const attempt: Attempt = {
  task: {
    id: 'T-2',
    fingerprint: 'e'.repeat(64),
    title: 'Add ü to "the" parser',
    details: '- one\n- two\u2028',
    status: 'pending',
    line: 12,
    endLine: 15,
    headings: ['Phase 1', 'Parser'],
    phase: 'Phase 1',
    section: null,
    files: ['src/**'],
    dependsOn: ['T-1'],
    accept: ['npm test'],
    verify: null,
    model: null,
    priority: 0,
    subtasks: [{ title: 'a', status: 'done', line: 13 }],
    budget: { tokens: 1000, dollars: null },
  },
  number: 1,
  starts: 2,
  start: { branch: 'main', sha: 'b'.repeat(40) },
  head: null,
  startedAt: '2026-01-02T03:04:05.000Z',
  seconds: 3,
  steps: 4,
  plan: {
    ...{ files: ['src/a.ts'], complexity: 'high', steps: ['write it', 'test it'] },
    parts: [
      { id: 'a', does: 'write it', files: ['src/a.ts'], needs: [] },
      { id: 'b', does: 'test it', files: ['test/a.test.ts'], needs: ['a'] },
    ],
    others: ['1 file (src/b.ts), 1 step: write b'],
  },
  parts: {
    done: ['a'],
    refusals: [{ path: 'src/a.ts', reason: 'not found', excerpt: '>>>' }],
    again: 'test/a.test.ts: it does not parse',
  },
  map: 'src/a.ts: one()',
  context: [{ path: 'src/a.ts', text: 'x', whole: true }],
  targets: ['src/a.ts'],
  requests: [
    { rung: 'first', form: 'whole', sample: 0, why: '' },
    { rung: 'sample', form: 'edits', sample: 1, why: '1 of 2 tests failed' },
  ],
  asked: ['0123456789ab'],
  best: null,
  draft: {
    changes: [
      { action: 'create', path: 'src/b.ts', content: 'b' },
      { action: 'modify', path: 'src/a.ts', before: 'x', content: 'y' },
      { action: 'delete', path: 'src/c.ts', before: 'c' },
    ],
    refusals: [{ path: 'src/d.ts', reason: 'not found', excerpt: '>>>' }],
    claimsDone: false,
    summary: 'did it',
    notes: [],
  },
  problems: [problem],
  reflections: ['The path was a guess.'],
  loop: {
    turns: [
      {
        ...{ tool: 'grep', input: '{"words": "total"}', thought: 'Where is it?' },
        ...{ observation: 'src/a.ts:1: total', summary: '1 in 1 file', isOk: true },
      },
    ],
    pending: [{ tool: 'read_file', input: '{"path": "src/a.ts"}', thought: '' }],
    failingChanges: 1,
    failedRuns: 1,
    failures: 2,
    testRuns: 1,
    isOpen: true,
    hasPassed: false,
  },
  validationRepairs: 1,
  testRepairs: 0,
  emptyRepairs: 0,
  tests: {
    commands: [
      {
        command: 'npm test',
        exitCode: 1,
        timedOut: false,
        counts,
        failures: [failedTest],
        tail: 'FAIL',
        seconds: 2,
        sandbox: 'unshare',
      },
    ],
  },
  receipt,
  broken: [failedTest],
  remedies: [
    {
      ...{ node: 'verify_task', type: 'missing_dependency', strategy: 'correct_command' },
      ...{ signature: 's', message: 'pytst: not found', subject: 'pytst', fix: 'pytest' },
      worked: null,
    },
  ],
  failure: { at: 'failed', message: 'no', problems: [problem], failures: [failedTest], output: '' },
  classification: {
    reason: 'environment_issue',
    explanation: 'yaml is not installed',
    by: 'pattern',
    installCommand: 'npm i yaml',
    suppliedBy: [],
  },
  proposal: {
    strategy: 'SKIP',
    reason: 'environment_issue',
    explanation: 'because',
    tasks: [],
    wish: { by: 'ada', text: 'name the file' },
  },
  destructive: [operation],
  allowed: ['e'.repeat(24)],
  feedback: {
    by: 'ada',
    text: 'Use a map',
    threads: [{ id: 'PRT_1', path: 'src/b.ts', line: 2, text: 'why?' }],
  },
  grants: [{ path: 'package-lock.json', by: 'ada' }],
  usage,
}

/** A run in the middle of its second task, with something in every field. */
export function sampleState(changed: StatePatch = {}): RunState {
  return changeState(
    {
      version: stateVersion,
      run: {
        id: 'run-1',
        startedAt: '2026-01-02T03:04:05.000Z',
        completedAt: null,
        dryRun: false,
        approvalMode: 'interactive',
        only: ['T-1', 'T-2'],
        request: 'd'.repeat(64),
        remark: 'comment-12',
        gap: {
          cron: '17 3 * * *',
          missed: ['2026-01-01T03:17:00.000Z'],
          missedRuns: 1,
          lateSeconds: 4000,
        },
      },
      roadmap: {
        path: 'ROADMAP.md',
        base: { branch: 'main', sha: 'b'.repeat(40) },
        normalized: {
          source: 'a'.repeat(64),
          marks: [{ kind: 'prose', line: 3, title: 'Add a login', status: 'pending' }],
        },
        amendments: [
          {
            task: { id: 'T-7', fingerprint: 'f'.repeat(64), title: 'Do it all' },
            strategy: 'DECOMPOSE',
            reason: 'task_too_complex',
            at: '2026-01-02T03:04:05.000Z',
            tasks: [{ id: 'T-7-a', title: 'Do half', details: ['It works.'], files: ['a.js'] }],
          },
        ],
        preview: { tasks: 2, tokens: 3000, dollars: 0.01, pastTasks: 0, warnings: 1 },
        changes: ['added T-5-a'],
      },
      asked: {
        answers: {
          'T-3': {
            choice: 'approve',
            by: 'ada',
            at: null,
            text: '',
            tasks: [],
            sha: 'c'.repeat(40),
          },
        },
        feedback: { 'T-4': { by: 'ada', text: 'Shorter', threads: [] } },
        grants: { 'T-4': [{ path: '.github/ci.yml', by: 'ada' }] },
        issues: [
          {
            number: 7,
            title: 'A wish',
            body: '- [ ] x',
            by: 'ada',
            at: '2026-01-02T03:04:05.000Z',
          },
        ],
      },
      progress: {
        next: 'validate_code',
        limits: ['5 open pull requests'],
        retryAt: null,
        stopped: null,
        resumeAt: null,
      },
      attempt,
      tasks: {
        parked: { 'T-3': { ...attempt, draft: null, plan: null, tests: null, receipt: null } },
        results: { 'T-1': sampleResult('T-1') },
        heads: { 'T-9': 'c'.repeat(40) },
        questions: { 'T-3': [{ number: 8, url: 'https://example.org/8', head: 'agent/T-3' }] },
        retried: ['T-4'],
        leases: { 'T-9': 'run 12 works on it' },
        failedBefore: { 'T-5': 'An earlier attempt at this task failed. It was too big.' },
        lacked: {
          'T-5': {
            fingerprint: 'c'.repeat(64),
            cause: {
              ...{ kind: 'set-up', message: "The package 'b' is not installed.", file: null },
              ...{ line: null, lacks: 'b', language: 'javascript', install: 'npm install b' },
            },
          },
        },
      },
      spent: {
        usage,
        calls: 3,
        seconds: 20,
        nodes: { execute_task: { calls: 2, seconds: 9, usage } },
      },
      record: {
        recoveries: [
          {
            taskId: 'T-5',
            proposal: {
              strategy: 'DEFER',
              reason: 'missing_dependency',
              explanation: 'later',
              tasks: [],
            },
            decision: 'approved',
            by: 'ada',
            at: '2026-01-02T03:04:05.000Z',
          },
        ],
        destructive: [
          {
            taskId: 'T-1',
            operations: [operation],
            decision: 'waiting',
            by: 'nobody',
            at: '2026-01-02T03:04:05.000Z',
            patch: '+rm -rf "$1"',
          },
        ],
        errors: [{ code: 'git_failed', message: 'm', next: 'n', taskId: null }],
        hidden: [
          { taskId: 'T-1', path: null, channel: 'HTML comment', line: 3, excerpt: '<!-- x -->' },
          {
            taskId: 'T-1',
            path: 'README.md',
            channel: 'zero-width character',
            line: 1,
            excerpt: '<U+200B>',
          },
        ],
      },
      pullRequests: { opened: 1, open: [3, 7] },
      learned: {
        thinking: ['qwen3'],
        forgotten: [],
        windows: { 'gpt-4o': 8000 },
        corrections: { 'npm tset': 'npm test', 'make chek': null },
      },
    },
    changed,
  )
}
