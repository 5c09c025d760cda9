import { z } from 'zod'
import { feedbackSchema, grantSchema } from './answer.ts'
import { fileChangeSchema, refusalSchema } from './change-set.ts'
import { destructiveOperationSchema } from './destructive.ts'
import { diagnosisSchema } from './diagnosis.ts'
import { codeProblemSchema } from './problem.ts'
import { proposedTaskSchema } from './proposed-task.ts'
import { triedRemedySchema } from './step-error.ts'
import { outcomeSchema } from './steps.ts'
import { commitSchema, count, maybeText, object, type Stored, text, texts } from './stored.ts'
import { taskSchema } from './task.ts'
import { receiptSchema, testFailureSchema, testReportSchema } from './test-report.ts'
import { usageSchema } from './usage.ts'

export const strategySchema = z.enum(['REWRITE', 'DECOMPOSE', 'DEFER', 'SKIP', 'ESCALATE'])

export type Strategy = z.infer<typeof strategySchema>

export const failureReasonSchema = z.enum([
  'task_too_vague',
  'task_too_complex',
  'missing_dependency',
  'environment_issue',
  'unknown',
])

export type FailureReason = z.infer<typeof failureReasonSchema>

/** What went wrong in an attempt, before anyone has judged it. */
const failureSchema = object({
  /** The node's outcome that led here: `repairs_spent`, `cannot_run`, `refused`, … */
  at: outcomeSchema,
  message: text,
  problems: z.array(codeProblemSchema),
  failures: z.array(testFailureSchema),
  /** Shortened output. */
  output: text,
  /** As whoever read the output tells it; of a change that was not run there is none. */
  diagnosis: diagnosisSchema.optional(),
})

export type Failure = Stored<typeof failureSchema>

const classificationSchema = object({
  reason: failureReasonSchema,
  /** Plain sentence with the evidence in it. */
  explanation: text,
  /** `pattern`, `model`, or `none` when neither could tell. */
  by: z.enum(['pattern', 'model', 'none']),
  /** For `environment_issue`: the command that would mend it. */
  installCommand: maybeText,
  /** For `missing_dependency`: the tasks that would supply it. */
  suppliedBy: texts,
  /** For `environment_issue`: what lacks. */
  diagnosis: diagnosisSchema.optional(),
})

export type Classification = Stored<typeof classificationSchema>

export const proposalSchema = object({
  strategy: strategySchema,
  reason: failureReasonSchema,
  explanation: text,
  /** Of DECOMPOSE and REWRITE: what takes the task's place in the roadmap. */
  tasks: z.array(proposedTaskSchema).default([]),
  /** Who asked for this strategy, and in which words; nobody, when it was chosen by the reason. */
  wish: object({ by: text, text }).optional(),
})

export type Proposal = Stored<typeof proposalSchema>

/** What the model said of a task before code was asked for. */
const planSchema = object({
  files: texts,
  complexity: z.enum(['low', 'medium', 'high']),
  steps: texts,
})

export type Plan = Stored<typeof planSchema>

/** The code a model was shown, so that repairs need not gather it again. `whole`: it is no outline. */
const contextFileSchema = object({ path: text, text, whole: z.boolean() })

export type ContextFile = Stored<typeof contextFileSchema>

/** A lock file as the package manager makes it of the changed manifest, and how it was told to. */
const renewedLockSchema = object({ change: fileChangeSchema, command: text })

export type RenewedLock = Stored<typeof renewedLockSchema>

const draftSchema = object({
  changes: z.array(fileChangeSchema),
  refusals: z.array(refusalSchema),
  /** True when the answer said there is nothing to do. */
  claimsDone: z.boolean(),
  /** The answer's prose, for the commit and PR body. */
  summary: text,
  /** What was done to use the answer (tolerated drift, files left out), in sentences. */
  notes: texts,
  /** Those of the notes that a person must see: what was left out, what was lost. */
  warnings: texts.optional(),
  /** True when the answer was cut off at its length. */
  isCut: z.boolean().optional(),
  /** Lock files that we wrote anew for these changes; not there before `write_files` has looked. */
  locks: z.array(renewedLockSchema).optional(),
})

export type Draft = Stored<typeof draftSchema>

/** One try at one task, from `pick_task` to a verdict. */
export const attemptSchema = object({
  task: taskSchema,
  /** 1 for the first; a deferred task's retry is 2. */
  number: count,
  /** How often a run was (re)started while this attempt was under way. */
  starts: count,
  /** Where the branch grows from: the PR's base. */
  start: commitSchema,
  /** What this attempt's own branch holds now, when an earlier attempt left it. */
  head: maybeText,
  startedAt: text,
  seconds: count,
  steps: count,
  plan: planSchema.nullable(),
  /** The project map and the files the model was shown. */
  map: text,
  context: z.array(contextFileSchema),
  draft: draftSchema.nullable(),
  problems: z.array(codeProblemSchema),
  validationRepairs: count,
  testRepairs: count,
  tests: testReportSchema.nullable(),
  /** Its tests failed by chance before: what fails runs twice before it is judged. */
  isFlaky: z.boolean().optional(),
  receipt: receiptSchema.nullable(),
  /** What only this change broke; empty when nothing. */
  broken: z.array(testFailureSchema),
  /** What was tried against errors of its steps; bounded by the tries of each type. */
  remedies: z.array(triedRemedySchema).default([]),
  failure: failureSchema.nullable(),
  classification: classificationSchema.nullable(),
  proposal: proposalSchema.nullable(),
  /** Destructive operations of the draft that wait for a person; empty when nothing waits. */
  destructive: z.array(destructiveOperationSchema).default([]),
  /** Fingerprints of those that were approved, once for each. */
  allowed: texts.default([]),
  /** What reviewers want changed in the work of an earlier attempt, which this one goes on from. */
  feedback: feedbackSchema.nullable().default(null),
  /** Why the attempt before this one failed, as the model is told. */
  earlier: text.optional(),
  /** What writers let this task change besides its scope. */
  grants: z.array(grantSchema).default([]),
  usage: usageSchema,
})

export type Attempt = Stored<typeof attemptSchema>
