/**
 * What a saved state must look like. Typed against the domain, so that a field added there and
 * forgotten here does not compile; keys it does not know are kept.
 */
import { z } from 'zod'
import {
  attemptShape,
  commitShape,
  count,
  diagnosis,
  feedback,
  grants,
  maybeText,
  nextNode,
  node,
  object,
  operations,
  proposal,
  proposedTasks,
  reason,
  receipt,
  runErrorCode,
  strategy,
  text,
  texts,
  usage,
} from '../../core/attempt-shape.ts'
import type { RecoveryRecord, RunState } from '../../core/domain/run-state.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'

/** What reports make a link of. */
const webAddress = z.string().regex(/^(?:https?:\/\/[^\s"'<>()[\]\\|`]{1,2000})?$/)

const answer = object({
  choice: z.enum(['approve', 'reject', 'skip', 'retry', 'defer', 'decompose', 'rewrite', 'edit']),
  by: text,
  at: maybeText,
  text,
  tasks: proposedTasks,
  sha: maybeText,
})

const decision = z.enum([
  'approved',
  'edited',
  'changed',
  'retried',
  'rejected',
  'waiting',
  'logged',
])

const adoptedIssue = object({ number: count, title: text, body: text, by: text, at: text })

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
  pullRequest: object({ number: count, url: webAddress }).nullable(),
  attempts: count,
  repairs: count,
  usage,
  seconds: count,
  receipt: receipt.nullable(),
  diagnosis: diagnosis.optional(),
  forecastTokens: count.nullable().default(null),
  thisRun: z.boolean(),
})

export const recoveryShape: z.ZodType<RecoveryRecord> = object({
  taskId: text,
  proposal,
  decision,
  by: text,
  at: text,
})

/** Schemas that a run loads: its own, and the one before it, which differs in its number alone. */
const readable = [1, 2]

/** A state that another version of this program wrote: whole, and not to be guessed at. */
export class UnknownSchema extends Error {}

/**
 * A stored state, without its results.
 *
 * @throws UnknownSchema where its number is none of those that are read
 * @throws z.ZodError where it is damaged
 */
export function parseState(json: unknown): Omit<RunState, 'results'> {
  const version: unknown = Reflect.get(Object(json), 'version')
  if (Number.isInteger(version) && !readable.includes(Number(version))) {
    throw new UnknownSchema(
      `it has schema ${version}, and schemas ${readable.join(' and ')} are read`,
    )
  }
  return stateShape.parse(json)
}

/** Everything but the results, which have a file of their own. */
export const stateShape: z.ZodType<Omit<RunState, 'results'>> = object({
  version: z.literal(readable).transform(() => 2 as const),
  runId: text,
  startedAt: text,
  completedAt: maybeText,
  dryRun: z.boolean(),
  approvalMode: z.enum(['auto', 'interactive', 'review_only', 'approve_decompose']),
  roadmap: text,
  base: commitShape,
  only: texts.nullable(),
  answers: z.record(text, answer).default({}),
  feedback: z.record(text, feedback).default({}),
  grants: z.record(text, grants).default({}),
  issues: z.array(adoptedIssue).default([]),
  request: text.default(''),
  remark: maybeText.default(null),
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
  next: nextNode,
  attempt: attemptShape.nullable(),
  parked: z.record(text, attemptShape),
  heads: z.record(text, text),
  questions: z
    .record(text, z.array(object({ number: count, url: webAddress, head: text })))
    .default({}),
  retried: texts,
  usage,
  calls: count.default(0),
  seconds: count,
  nodes: z.partialRecord(node, object({ calls: count, seconds: count, usage })),
  recoveries: z.array(recoveryShape),
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
  errors: z.array(
    object({
      code: runErrorCode,
      message: text,
      next: text,
      taskId: maybeText,
      output: text.optional(),
    }),
  ),
  hidden: z
    .array(object({ taskId: text, path: maybeText, channel: text, line: count, excerpt: text }))
    .default([]),
  limits: texts,
  retryAt: maybeText,
  stopped: z.enum(['limit', 'cancelled', 'unavailable']).nullable(),
  stuck: diagnosis.optional(),
  resumeAt: nextNode.nullable(),
  pullRequestsOpened: count,
  openPullRequests: z.array(count).default([]),
  windows: z.record(text, count).default({}),
  corrections: z.record(text, maybeText).default({}),
  held: z.record(text, text).default({}),
  failedBefore: z.record(text, text).default({}),
  lacked: z.record(text, object({ fingerprint: text, cause: diagnosis })).default({}),
  gap: object({ cron: text, missed: texts, missedRuns: count, lateSeconds: count })
    .nullable()
    .default(null),
})
