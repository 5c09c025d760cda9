import { z } from 'zod'
import { adoptedIssueSchema, answerSchema, feedbackSchema, grantSchema } from './answer.ts'
import { attemptSchema, failureReasonSchema, proposalSchema, strategySchema } from './attempt.ts'
import { destructiveDecisionSchema } from './destructive.ts'
import { diagnosisSchema } from './diagnosis.ts'
import { runErrorCodes } from './errors.ts'
import { hiddenRecordSchema } from './hidden-text.ts'
import { proposedTaskSchema } from './proposed-task.ts'
import { scheduleGapSchema } from './schedule-gap.ts'
import { approvalModes } from './settings.ts'
import { nextNodeSchema, nodeSchema } from './steps.ts'
import {
  commitSchema,
  count,
  maybeCount,
  maybeText,
  object,
  type Stored,
  text,
  texts,
  webAddress,
} from './stored.ts'
import { taskMarkSchema } from './task.ts'
import { usageSchema } from './usage.ts'
import { taskResultSchema } from './verdict.ts'

/** An edit of the roadmap that is in effect for this run, and lies on `executor/recovery/<id>`. */
const amendmentSchema = object({
  task: object({ id: text, fingerprint: text, title: text }),
  strategy: strategySchema,
  reason: failureReasonSchema,
  /** ISO time. */
  at: text,
  tasks: z.array(proposedTaskSchema),
})

export type Amendment = Stored<typeof amendmentSchema>

const nodeMetricsSchema = object({ calls: count, seconds: count, usage: usageSchema })

export type NodeMetrics = Stored<typeof nodeMetricsSchema>

export const recoveryRecordSchema = object({
  taskId: text,
  proposal: proposalSchema,
  /** `edited`: approved with other tasks; `changed`: another strategy was asked for. */
  decision: z.enum([
    ...['approved', 'edited', 'changed', 'retried', 'rejected', 'waiting', 'logged'],
  ] as const),
  by: text,
  at: text,
})

export type RecoveryRecord = Stored<typeof recoveryRecordSchema>
export type Decision = RecoveryRecord['decision']

/** An open pull request that waits for a person's word, or one that was merged by hand as the word. */
const taskQuestionSchema = object({ number: count, url: webAddress, head: text })

export type TaskQuestion = Stored<typeof taskQuestionSchema>

const runErrorSchema = object({
  code: z.enum(runErrorCodes),
  message: text,
  next: text,
  taskId: maybeText,
  /** The last lines of what was said. */
  output: text.optional(),
})

export type RunError = Stored<typeof runErrorSchema>

/** What a run was about to do when it began: the tasks it would come to, and what they would take. */
const runPreviewSchema = object({
  tasks: count,
  tokens: count,
  /** `null` when a model has no known price. */
  dollars: maybeCount,
  /** The finished tasks that the forecast was learned from; 0: it is a guess. */
  pastTasks: count,
  /** Of lint, about the whole roadmap. */
  warnings: count,
})

export type RunPreview = Stored<typeof runPreviewSchema>

/** What the run is, who asked for it, and for what. */
const runSchema = object({
  id: text,
  startedAt: text,
  completedAt: maybeText,
  dryRun: z.boolean(),
  approvalMode: z.enum(approvalModes),
  /** The ids that were asked for; `null` is all. */
  only: texts.nullable(),
  /** Names the request that started this run: only the same one goes on with it. */
  request: text.default(''),
  /** The remark that asked for this run, `comment-12`: what it asks for is done once. */
  remark: maybeText.default(null),
  /** What the schedule that began this run left out before; `null` when nothing, or unknown. */
  gap: scheduleGapSchema.nullable().default(null),
})

/** The parsed roadmap is derived, not stored. */
const roadmapSchema = object({
  path: text,
  /** The commit it is read from. */
  base: commitSchema,
  /** What a model found in a roadmap without boxes, and the fingerprint of the text it read. */
  normalized: object({ source: text, marks: z.array(taskMarkSchema) })
    .nullable()
    .default(null),
  /** Tasks that were replaced, by edits that the base does not have yet. */
  amendments: z.array(amendmentSchema).default([]),
  /** `null` until the roadmap was read. */
  preview: runPreviewSchema.nullable().default(null),
  /** Edits of this run, in words. */
  changes: texts,
})

/** What people said on the forge that a run is to act on, by task; an answer is taken out when it was used. */
const askedSchema = object({
  answers: z.record(text, answerSchema).default({}),
  feedback: z.record(text, feedbackSchema).default({}),
  grants: z.record(text, z.array(grantSchema)).default({}),
  /** Issues whose words are tasks besides those of the roadmap. */
  issues: z.array(adoptedIssueSchema).default([]),
})

/** Where the run is, and why it ended early. */
const progressSchema = object({
  next: nextNodeSchema,
  /** The node that could not go on for now; the next run goes on there. */
  resumeAt: nextNodeSchema.nullable(),
  /** Why the run stopped before all was done: exit code 4. */
  stopped: z.enum(['limit', 'cancelled', 'unavailable']).nullable(),
  /** What ended this run, or the one before it, before all was tried. */
  stuck: diagnosisSchema.optional(),
  /** When a run ended early: when it makes sense to come back, if anyone said. */
  retryAt: maybeText,
  /** Limits that were hit, in words. */
  limits: texts,
})

/** How each task stands, by id. */
const tasksSchema = object({
  results: z.record(text, taskResultSchema),
  /** Attempts that wait for a person. */
  parked: z.record(text, attemptSchema),
  /** Shas of our branches that an earlier attempt left and this run may go on from. */
  heads: z.record(text, text),
  /** Pull requests of ours that ask people about a task: proposals, questions, failed attempts. */
  questions: z.record(text, z.array(taskQuestionSchema)).default({}),
  /** Why the last attempt at a task that is not done failed, from this run and those before it. */
  failedBefore: z.record(text, text).default({}),
  /**
   * What each task that was tried lacked besides the right code, and the fingerprint of its text: it is looked
   * for before the task is paid for again.
   */
  lacked: z.record(text, object({ fingerprint: text, cause: diagnosisSchema })).default({}),
  /** Deferred tasks that had their second chance. */
  retried: texts,
  /** Tasks that another run holds the lease of, and who in words: they are left to it, and get no verdict here. */
  leases: z.record(text, text).default({}),
})

/** What the run has cost. */
const spentSchema = object({
  usage: usageSchema,
  /** How many calls the model has answered; the ordinal of the next one. */
  calls: count.default(0),
  seconds: count,
  nodes: z.partialRecord(nodeSchema, nodeMetricsSchema),
})

/** What the report tells besides results. */
const recordSchema = object({
  recoveries: z.array(recoveryRecordSchema),
  /** What was decided about destructive operations, oldest first. */
  destructive: z.array(destructiveDecisionSchema).default([]),
  errors: z.array(runErrorSchema),
  /** What was hidden in texts that a model was shown, and kept from it. */
  hidden: z.array(hiddenRecordSchema).default([]),
})

/** What the run found out, so that it asks once. */
const learnedSchema = object({
  /**
   * By model, the tokens that a request may have with its answer, where an endpoint refused one as too
   * large: as it said, or less than what it refused.
   */
  windows: z.record(text, count).default({}),
  /** What was found for command lines that cannot run: `null`, that there is nothing. */
  corrections: z.record(text, maybeText).default({}),
})

const pullRequestsSchema = object({
  /** How many this run opened. */
  opened: count,
  /** Numbers of those of ours that were open when the roadmap was read: of tasks, and of proposals. */
  open: z.array(count).default([]),
})

const groups = {
  run: runSchema,
  roadmap: roadmapSchema,
  asked: askedSchema,
  progress: progressSchema,
  tasks: tasksSchema,
  spent: spentSchema,
  record: recordSchema,
  learned: learnedSchema,
  pullRequests: pullRequestsSchema,
}

export const stateVersion = 3

/** Schemas that a run loads: its own, and the one before it. */
export const readableVersions = [stateVersion - 1, stateVersion]

/** Everything a run knows. Saved after every node; small, and flat in the number of finished tasks. */
export const runStateSchema = object({
  version: z.literal(stateVersion),
  ...groups,
  attempt: attemptSchema.nullable(),
})

export type RunState = Stored<typeof runStateSchema>
export type Asked = RunState['asked']

/** A state as it is stored: results of tasks may have lines of their own, and then it says which. */
export const storedState = <Results extends z.ZodType>(results: Results) =>
  z.preprocess(migrateState, runStateSchema.extend({ tasks: tasksSchema.extend({ results }) }))

/** What schema 2 called otherwise. */
const formerNames: Readonly<Record<string, string>> = {
  'run.id': 'runId',
  'roadmap.path': 'roadmap',
  'roadmap.changes': 'roadmapChanges',
  'tasks.leases': 'held',
  'pullRequests.opened': 'pullRequestsOpened',
  'pullRequests.open': 'openPullRequests',
}

/** A state of schema 2, which had no groups, as one of schema 3; any other as it is. */
function migrateState(json: unknown): unknown {
  const flat: Record<string, unknown> = Object(json)
  if (flat.version !== stateVersion - 1) return json
  const grouped = Object.entries(groups).map(([group, { shape }]) => {
    const facts = Object.keys(shape).map((key) => [
      key,
      flat[formerNames[`${group}.${key}`] ?? key],
    ])
    return [group, Object.fromEntries(facts)]
  })
  return { ...Object.fromEntries(grouped), version: stateVersion, attempt: flat.attempt }
}
