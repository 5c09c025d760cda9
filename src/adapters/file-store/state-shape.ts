/**
 * What a saved state must look like. Typed against the domain, so that a field added there and
 * forgotten here does not compile; keys it does not know are kept.
 */
import { z } from 'zod'
import type { FileChange } from '../../domain/change-set.ts'
import type { Attempt, Proposal, RunState } from '../../domain/run-state.ts'
import type { Task } from '../../domain/task.ts'
import type { Receipt, TestReport } from '../../domain/test-report.ts'
import type { TaskResult } from '../../domain/verdict.ts'

const object = z.looseObject
const text = z.string()
const texts = z.array(text)
const maybeText = text.nullable()
const count = z.number()
const strategy = z.enum(['REWRITE', 'DECOMPOSE', 'DEFER', 'SKIP', 'ESCALATE'])
const reason = z.enum([
  'task_too_vague',
  'task_too_complex',
  'missing_dependency',
  'environment_issue',
  'unknown',
])
const sandbox = z.enum(['bubblewrap', 'other-user', 'unshare', 'unsandboxed'])
const commit = object({ branch: text, sha: text })

const usage = object({
  requests: count,
  promptTokens: count,
  completionTokens: count,
  dollars: count,
})

const status = z.enum(['pending', 'in_progress', 'done', 'cancelled', 'blocked'])

const task: z.ZodType<Task> = object({
  id: text,
  fingerprint: text,
  title: text,
  details: text,
  status,
  line: count,
  endLine: count,
  headings: texts,
  phase: maybeText,
  section: maybeText,
  files: texts,
  dependsOn: texts,
  accept: texts,
  verify: maybeText,
  model: maybeText,
  priority: count,
  subtasks: z.array(object({ title: text, status, line: count })),
  budget: object({ tokens: count.nullable(), dollars: count.nullable() }).nullable(),
})

const change: z.ZodType<FileChange> = z.union([
  object({ action: z.literal('create'), path: text, content: text }),
  object({ action: z.literal('modify'), path: text, before: text, content: text }),
  object({ action: z.literal('delete'), path: text, before: text }),
])

const problem = object({ path: text, type: text, message: text, line: count, column: count })

const counts = object({ passed: count, failed: count, skipped: count }).nullable()

const failedTest = object({
  test: text,
  file: maybeText,
  line: count.nullable(),
  message: text,
  expected: maybeText,
  actual: maybeText,
  errorType: maybeText,
  trace: texts,
})

const tests: z.ZodType<TestReport> = object({
  commands: z.array(
    object({
      command: text,
      exitCode: count.nullable(),
      timedOut: z.boolean(),
      counts,
      failures: z.array(failedTest),
      flaky: z.array(failedTest).optional(),
      tail: text,
      seconds: count,
      sandbox,
    }),
  ),
  notRun: texts.optional(),
})

const receipt: z.ZodType<Receipt> = object({
  result: z.enum(['passed', 'unverified', 'failed']),
  commands: z.array(
    object({
      command: text,
      exitCode: count.nullable(),
      seconds: count,
      counts: counts.optional(),
      before: object({ exitCode: count.nullable(), counts }).nullable().optional(),
    }),
  ),
  warnings: texts.optional(),
  before: counts,
  after: counts,
  seconds: count,
  sandbox: sandbox.nullable(),
  notes: texts,
})

const proposedTasks = z.array(object({ id: text, title: text, details: texts, files: texts }))
const proposal: z.ZodType<Proposal> = object({
  strategy,
  reason,
  explanation: text,
  tasks: proposedTasks.default([]),
})

const operations = z.array(
  object({
    path: text,
    line: count,
    column: count,
    category: z.enum(['filesystem', 'database', 'git', 'cloud', 'containers', 'system']),
    operation: text,
    why: text,
    fingerprint: text,
  }),
)

const grants = z.array(object({ path: text, by: text }))

const feedback = object({
  by: text,
  text,
  threads: z.array(object({ id: text, path: text, line: count.nullable(), text })),
})

const answer = object({
  choice: z.enum(['approve', 'reject', 'skip', 'retry', 'defer', 'decompose', 'rewrite', 'edit']),
  by: text,
  at: maybeText,
  text,
  tasks: proposedTasks,
  sha: maybeText,
})

const adoptedIssue = object({ number: count, title: text, body: text, by: text, at: text })

const attemptShape: z.ZodType<Attempt> = object({
  task,
  number: count,
  starts: count,
  start: commit,
  head: maybeText,
  startedAt: text,
  seconds: count,
  steps: count,
  plan: object({
    files: texts,
    complexity: z.enum(['low', 'medium', 'high']),
    steps: texts,
  }).nullable(),
  map: text,
  context: z.array(object({ path: text, text, whole: z.boolean() })),
  draft: object({
    changes: z.array(change),
    refusals: z.array(object({ path: text, reason: text, excerpt: text })),
    claimsDone: z.boolean(),
    summary: text,
    notes: texts,
  }).nullable(),
  problems: z.array(problem),
  validationRepairs: count,
  testRepairs: count,
  tests: tests.nullable(),
  receipt: receipt.nullable(),
  broken: z.array(failedTest),
  failure: object({
    at: text,
    message: text,
    problems: z.array(problem),
    failures: z.array(failedTest),
    output: text,
  }).nullable(),
  classification: object({
    reason,
    explanation: text,
    by: z.enum(['pattern', 'model', 'none']),
    installCommand: maybeText,
    suppliedBy: texts,
  }).nullable(),
  proposal: proposal.nullable(),
  destructive: operations.default([]),
  allowed: texts.default([]),
  feedback: feedback.nullable().default(null),
  grants: grants.default([]),
  usage,
})

export const resultShape: z.ZodType<TaskResult> = object({
  id: text,
  title: text,
  fingerprint: text,
  verdict: z.enum([
    'done',
    'in_review',
    'unverified',
    'replaced',
    'deferred',
    'skipped',
    'failed',
    'waiting',
    'over_budget',
    'rejected',
  ]),
  reason: text,
  branch: maybeText,
  sha: maybeText,
  start: maybeText,
  pullRequest: object({ number: count, url: text }).nullable(),
  attempts: count,
  repairs: count,
  usage,
  seconds: count,
  receipt: receipt.nullable(),
  forecastTokens: count.nullable().default(null),
  thisRun: z.boolean(),
})

/** Everything but the results, which have a file of their own. */
export const stateShape: z.ZodType<Omit<RunState, 'results'>> = object({
  version: z.literal(1),
  runId: text,
  startedAt: text,
  completedAt: maybeText,
  dryRun: z.boolean(),
  approvalMode: z.enum(['auto', 'interactive', 'review_only', 'approve_decompose']),
  roadmap: text,
  base: commit,
  only: texts.nullable(),
  answers: z.record(text, answer).default({}),
  feedback: z.record(text, feedback).default({}),
  grants: z.record(text, grants).default({}),
  issues: z.array(adoptedIssue).default([]),
  request: text.default(''),
  normalized: object({
    source: text,
    marks: z.array(
      object({
        kind: z.enum(['item', 'line', 'row', 'heading', 'prose']),
        line: count,
        title: text,
        status: z.enum(['pending', 'in_progress', 'done', 'cancelled', 'blocked']),
      }),
    ),
  })
    .nullable()
    .default(null),
  amendments: z
    .array(
      object({
        task: object({ id: text, fingerprint: text, title: text }),
        strategy,
        reason,
        at: text,
        tasks: proposedTasks,
      }),
    )
    .default([]),
  preview: object({
    tasks: count,
    tokens: count,
    dollars: count.nullable(),
    pastTasks: count,
    warnings: count,
  })
    .nullable()
    .default(null),
  next: text,
  attempt: attemptShape.nullable(),
  parked: z.record(text, attemptShape),
  heads: z.record(text, text),
  retried: texts,
  usage,
  seconds: count,
  nodes: z.record(text, object({ calls: count, seconds: count, usage })),
  recoveries: z.array(
    object({
      taskId: text,
      proposal,
      decision: z.enum(['approved', 'rejected', 'waiting', 'logged']),
      by: text,
      at: text,
    }),
  ),
  destructive: z
    .array(
      object({
        taskId: text,
        operations,
        decision: z.enum(['approved', 'rejected', 'waiting']),
        by: text,
        at: text,
        patch: text,
      }),
    )
    .default([]),
  roadmapChanges: texts,
  errors: z.array(object({ code: text, message: text, next: text, taskId: maybeText })),
  hidden: z
    .array(object({ taskId: text, path: maybeText, channel: text, line: count, excerpt: text }))
    .default([]),
  limits: texts,
  retryAt: maybeText,
  stopped: z.enum(['limit', 'cancelled', 'unavailable']).nullable(),
  resumeAt: maybeText,
  pullRequestsOpened: count,
})
