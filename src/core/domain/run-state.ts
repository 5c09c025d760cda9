import { z } from 'zod'
import { diagnosisSchema } from '../../../packages/diagnosis/diagnosis.ts'
import { judgedSchemas } from '../../../packages/judge/judge.ts'
import { proposedTaskSchema, taskMarkSchema } from '../../../packages/task/task.ts'
import {
  commitSchema,
  count,
  hiddenRecordSchema,
  maybeCount,
  maybeText,
  object,
  type Stored,
  text,
  texts,
  webAddress,
} from '../../../packages/text/text.ts'
import { adoptedIssueSchema, answerSchema, feedbackSchema, grantSchema } from './answer.ts'
import { attemptSchema, failureReasonSchema, proposalSchema, strategySchema } from './attempt.ts'
import { measuredFormsSchema } from './calibration.ts'
import { runErrorCodes } from './errors.ts'
import { scheduleGapSchema } from './schedule-gap.ts'
import { approvalModes } from './settings.ts'
import { nextNodeSchema, nodeSchema } from './steps.ts'
import { usageSchema } from './usage.ts'
import { taskResultSchema } from './verdict.ts'

/** An edit of the roadmap that is in effect for this run, committed to `executor/recovery/<id>`. */
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
  /** `edited`: approved with other tasks; `changed`: another strategy was requested. */
  decision: z.enum([
    ...['approved', 'edited', 'changed', 'retried', 'rejected', 'waiting', 'logged'],
  ] as const),
  by: text,
  at: text,
})

export type RecoveryRecord = Stored<typeof recoveryRecordSchema>
export type Decision = RecoveryRecord['decision']

/** The decision about a task's destructive operations, for the report. */
const destructiveDecisionSchema = object({
  taskId: text,
  operations: z.array(judgedSchemas.operation),
  decision: z.enum(['approved', 'rejected', 'waiting']),
  /** The person, or the setting that let them through. */
  by: text,
  /** ISO 8601. */
  at: text,
  /** The change that contains them, as a unified diff, shortened. */
  patch: text,
})

export type DestructiveDecision = Stored<typeof destructiveDecisionSchema>

/** An open pull request that waits for a person's answer, or one whose manual merge is the answer. */
const taskQuestionSchema = object({ number: count, url: webAddress, head: text })

export type TaskQuestion = Stored<typeof taskQuestionSchema>

const runErrorSchema = object({
  code: z.enum(runErrorCodes),
  message: text,
  next: text,
  taskId: maybeText,
  /** Last lines of the output. */
  output: text.optional(),
})

export type RunError = Stored<typeof runErrorSchema>

/** The plan of a run at its start: the tasks it would reach, and their forecast. */
const runPreviewSchema = object({
  tasks: count,
  tokens: count,
  /** `null` when a model has no known price. */
  dollars: maybeCount,
  /** Number of finished tasks behind the forecast; with 0 it is a guess. */
  pastTasks: count,
  /** Lint's warnings about the whole roadmap. */
  warnings: count,
  /** Lint's notes on what looks like a task and is none, if there are any. */
  likeTasks: count.exactOptional(),
})

export type RunPreview = Stored<typeof runPreviewSchema>

/** The run, the person who asked for it, and its purpose. */
const runSchema = object({
  id: text,
  startedAt: text,
  completedAt: maybeText,
  dryRun: z.boolean(),
  approvalMode: z.enum(approvalModes),
  /** The requested ids; `null` means all. */
  only: texts.nullable(),
  /** Identifies the request that started this run: only the same request resumes it. */
  request: text.default(''),
  /** The remark that asked for this run, `comment-12`: it is carried out once. */
  remark: maybeText.default(null),
  /** Runs that this run's schedule missed; `null` when none, or unknown. */
  gap: scheduleGapSchema.nullable().default(null),
})

/** The parsed roadmap is derived, not stored. */
const roadmapSchema = object({
  path: text,
  /** The commit that it is read from. */
  base: commitSchema,
  /** Tasks that a model found in a roadmap without boxes, and the fingerprint of the text it read. */
  normalized: object({ source: text, marks: z.array(taskMarkSchema) })
    .nullable()
    .default(null),
  /** Replacements of tasks that the base does not have yet. */
  amendments: z.array(amendmentSchema).default([]),
  /** `null` until the roadmap is read. */
  preview: runPreviewSchema.nullable().default(null),
  /** Edits of this run, in words. */
  changes: texts,
})

/** Answers and requests from the forge that a run acts on, by task; used answers are removed. */
const askedSchema = object({
  answers: z.record(text, answerSchema).default({}),
  feedback: z.record(text, feedbackSchema).default({}),
  grants: z.record(text, z.array(grantSchema)).default({}),
  /** Issues whose words are tasks in addition to those of the roadmap. */
  issues: z.array(adoptedIssueSchema).default([]),
})

/** The run's position, and why it ended early. */
const progressSchema = object({
  next: nextNodeSchema,
  /** The node that could not continue; the next run resumes there. */
  resumeAt: nextNodeSchema.nullable(),
  /** Why the run stopped early: exit code 4. */
  stopped: z.enum(['limit', 'cancelled', 'unavailable']).nullable(),
  /** The cause that ended this run, or the previous one, before all tasks were tried. */
  stuck: diagnosisSchema.optional(),
  /** The tests of the start commit end before the first request: in the run before, some were red, or all were quick. */
  awaitsTests: z.literal(true).exactOptional(),
  /** When a retry of a run that ended early makes sense, if known. */
  retryAt: maybeText,
  /** Limits that were reached, in words. */
  limits: texts,
})

/** The standing of each task, by id. */
const tasksSchema = object({
  results: z.record(text, taskResultSchema),
  /** Attempts that wait for a person. */
  parked: z.record(text, attemptSchema),
  /** Shas of our branches that an earlier attempt left and this run may continue. */
  heads: z.record(text, text),
  /** Our pull requests that ask people about a task: proposals, questions, failed attempts. */
  questions: z.record(text, z.array(taskQuestionSchema)).default({}),
  /** Why the last attempt at an open task failed, from this run and earlier ones. */
  failedBefore: z.record(text, text).default({}),
  /**
   * The missing program or package of each tried task, and the fingerprint of its text: checked before the task costs
   * anything again.
   */
  lacked: z.record(text, object({ fingerprint: text, cause: diagnosisSchema })).default({}),
  /** Deferred tasks that had their second try. */
  retried: texts,
  /**
   * Tasks that were in a group of this run and go alone now: their share of its cost, and the number of attempts so
   * far. Absent until a group is dissolved.
   */
  alone: z
    .record(text, object({ usage: usageSchema, seconds: count, attempts: count }))
    .exactOptional(),
  /** Members, by their first, of groups whose pull request a person wants worked on again. */
  groups: z.record(text, texts).exactOptional(),
  /**
   * Groups of tasks whose files import each other, by their first: no member can be done before the others. With what
   * the attempts at each alone cost.
   */
  joined: z
    .record(text, object({ members: texts, usage: usageSchema, seconds: count, attempts: count }))
    .exactOptional(),
  /** Tasks whose lease another run holds, and its name in words: they get no verdict here. */
  leases: z.record(text, text).default({}),
})

/** The cost of the run. */
const spentSchema = object({
  usage: usageSchema,
  /** Number of calls that the model has answered; the ordinal of the next one. */
  calls: count.default(0),
  seconds: count,
  nodes: z.partialRecord(nodeSchema, nodeMetricsSchema),
})

/** Facts for the report besides results. */
const recordSchema = object({
  recoveries: z.array(recoveryRecordSchema),
  /** Decisions about destructive operations, oldest first. */
  destructive: z.array(destructiveDecisionSchema).default([]),
  errors: z.array(runErrorSchema),
  /** Text hidden in the model's material, which was kept from it. */
  hidden: z.array(hiddenRecordSchema).default([]),
})

/** Facts that the run learned, so that it asks once. */
const learnedSchema = object({
  /**
   * By model, the tokens of a request with its answer: as a server nearby said when the run began, or after an
   * endpoint refused a request as too large: its number, or less than the refused size.
   */
  windows: z.record(text, count).default({}),
  /** By model, the tokens of a prompt that a server nearby reads in a second; absent until one was measured. */
  speeds: z.record(text, count).exactOptional(),
  /** Models whose thoughts used up the room of an answer: they get the full length. */
  thinking: texts.default([]),
  /** By model, its usable answers by form, as measured before the run; absent where nothing was. */
  forms: z.record(text, measuredFormsSchema).exactOptional(),
  /** Corrections of command lines that cannot run; `null` means that there is none. */
  corrections: z.record(text, maybeText).default({}),
  /** Ids of facts that a person had forgotten before the run: no prompt holds them. */
  forgotten: texts.default([]),
})

const pullRequestsSchema = object({
  /** Number of pull requests that this run opened. */
  opened: count,
  /** Numbers of our pull requests, of tasks and of proposals, that were open when the roadmap was read. */
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

/** Schemas that a run loads: its own, and the previous one. */
export const readableVersions = [stateVersion - 1, stateVersion]

/** A walk of its own through the table, with one task, beside others of the same run. */
const laneSchema = object({
  /** From 1; a lane that is free again is used again. */
  lane: count,
  next: nextNodeSchema,
  /** The node that could not continue; the next run resumes there. */
  resumeAt: nextNodeSchema.nullable(),
  /** The ordinal of its next call to the model. */
  calls: count,
  attempt: attemptSchema,
})

export type Lane = Stored<typeof laneSchema>

/** All knowledge of a run. Saved after every node; small, and flat in the number of finished tasks. */
export const runStateSchema = object({
  version: z.literal(stateVersion),
  ...groups,
  /** The attempt under way; `null` between tasks, and while lanes have their own. */
  attempt: attemptSchema.nullable(),
  /** Tasks that are under way side by side; absent in a run that takes one after another. */
  lanes: z.array(laneSchema).optional(),
})

export type RunState = Stored<typeof runStateSchema>
export type Asked = RunState['asked']

/** A state as it is stored: results of tasks may have their own lines, and then it names them. */
export const storedState = <Results extends z.ZodType>(results: Results) =>
  z.preprocess(migrateState, runStateSchema.extend({ tasks: tasksSchema.extend({ results }) }))

/** Names that schema 2 used. */
const formerNames: Readonly<Record<string, string>> = {
  'run.id': 'runId',
  'roadmap.path': 'roadmap',
  'roadmap.changes': 'roadmapChanges',
  'tasks.leases': 'held',
  'pullRequests.opened': 'pullRequestsOpened',
  'pullRequests.open': 'openPullRequests',
}

/** Converts a state of schema 2, which had no groups, to schema 3; returns any other unchanged. */
function migrateState(json: unknown): unknown {
  const flat: Record<string, unknown> = Object(json)
  if (flat.version !== stateVersion - 1) return json
  const grouped = Object.entries(groups).map(([group, { shape }]) => {
    const facts = Object.keys(shape)
      .map((key) => [key, flat[formerNames[`${group}.${key}`] ?? key]] as const)
      .filter(([, value]) => value !== undefined)
    return [group, Object.fromEntries(facts)]
  })
  return { ...Object.fromEntries(grouped), version: stateVersion, attempt: flat.attempt }
}
