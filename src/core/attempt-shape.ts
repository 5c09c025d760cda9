/**
 * What a stored attempt must look like: in the state on disk, and parked in the repository. Typed
 * against the domain, so that a field added there and forgotten here does not compile; keys it does
 * not know are kept.
 */
import { z } from 'zod'
import type { FileChange } from './domain/change-set.ts'
import type { Diagnosis } from './domain/diagnosis.ts'
import { runErrorCodes } from './domain/errors.ts'
import type { Attempt, Proposal } from './domain/run-state.ts'
import { errorTypes, remedies } from './domain/step-error.ts'
import { nodeNames, outcomeNames } from './domain/steps.ts'
import type { Task } from './domain/task.ts'
import type { Receipt, TestReport } from './domain/test-report.ts'

export const object = z.looseObject
export const text = z.string()
export const texts = z.array(text)
export const maybeText = text.nullable()
export const count = z.number()
export const strategy = z.enum(['REWRITE', 'DECOMPOSE', 'DEFER', 'SKIP', 'ESCALATE'])
export const reason = z.enum([
  'task_too_vague',
  'task_too_complex',
  'missing_dependency',
  'environment_issue',
  'unknown',
])
export const node = z.enum(nodeNames)
export const nextNode = z.enum([...nodeNames, 'END'])
export const outcome = z.enum(outcomeNames)
export const runErrorCode = z.enum(runErrorCodes)
const sandbox = z.enum(['bubblewrap', 'other-user', 'unshare', 'unsandboxed'])
export const commitShape = object({ branch: text, sha: text })

export const usage = object({
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
  unprepared: text.optional(),
})

export const diagnosis: z.ZodType<Diagnosis> = object({
  kind: z.enum(['test', 'build', 'lint', 'set-up', 'killed']),
  message: text,
  file: maybeText,
  line: count.nullable(),
  lacks: maybeText,
  language: text.optional(),
  install: maybeText,
})

export const receipt: z.ZodType<Receipt> = object({
  result: z.enum(['passed', 'unverified', 'failed']),
  commands: z.array(
    object({
      command: text,
      exitCode: count.nullable(),
      seconds: count,
      counts: counts.optional(),
      before: object({ exitCode: count.nullable(), counts }).nullable().optional(),
      output: text.optional(),
    }),
  ),
  warnings: texts.optional(),
  stubs: object({ found: count, lines: count }).optional(),
  before: counts,
  after: counts,
  seconds: count,
  sandbox: sandbox.nullable(),
  notes: texts,
})

export const proposedTasks = z.array(
  object({ id: text, title: text, details: texts, files: texts }),
)
export const proposal: z.ZodType<Proposal> = object({
  strategy,
  reason,
  explanation: text,
  tasks: proposedTasks.default([]),
  wish: object({ by: text, text }).optional(),
})

export const operations = z.array(
  object({
    path: text,
    line: count,
    column: count,
    category: z.enum([
      'filesystem',
      'database',
      'git',
      'cloud',
      'containers',
      'system',
      'packages',
    ]),
    operation: text,
    why: text,
    fingerprint: text,
  }),
)

export const grants = z.array(object({ path: text, by: text }))

export const feedback = object({
  by: text,
  text,
  threads: z.array(object({ id: text, path: text, line: count.nullable(), text })),
})

export const attemptShape: z.ZodType<Attempt> = object({
  task,
  number: count,
  starts: count,
  start: commitShape,
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
    refusals: z.array(
      object({
        path: text,
        reason: text,
        excerpt: text,
        lost: z.enum(['asked', 'again']).optional(),
        isEcho: z.literal(true).optional(),
      }),
    ),
    claimsDone: z.boolean(),
    summary: text,
    notes: texts,
    warnings: texts.optional(),
    isCut: z.boolean().optional(),
    locks: z.array(object({ change, command: text })).optional(),
  }).nullable(),
  problems: z.array(problem),
  validationRepairs: count,
  testRepairs: count,
  tests: tests.nullable(),
  receipt: receipt.nullable(),
  broken: z.array(failedTest),
  remedies: z
    .array(
      object({
        node,
        type: z.enum(errorTypes),
        strategy: z.enum(remedies),
        signature: text,
        message: text,
        subject: text,
        fix: text,
        tried: text.optional(),
        worked: z.boolean().nullable(),
      }),
    )
    .default([]),
  failure: object({
    at: outcome,
    message: text,
    problems: z.array(problem),
    failures: z.array(failedTest),
    output: text,
    diagnosis: diagnosis.optional(),
  }).nullable(),
  classification: object({
    reason,
    explanation: text,
    by: z.enum(['pattern', 'model', 'none']),
    installCommand: maybeText,
    suppliedBy: texts,
    diagnosis: diagnosis.optional(),
  }).nullable(),
  proposal: proposal.nullable(),
  destructive: operations.default([]),
  allowed: texts.default([]),
  feedback: feedback.nullable().default(null),
  earlier: text.optional(),
  grants: grants.default([]),
  usage,
})
