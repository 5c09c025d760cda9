import { z } from 'zod'
import {
  codeProblemSchema,
  draftSchema,
  fileChangeSchema,
  refusalSchema,
} from '../../../packages/change/change.ts'
import { diagnosisSchema, triedSchema } from '../../../packages/diagnosis/diagnosis.ts'
import { judgedSchemas } from '../../../packages/judge/judge.ts'
import { proposedTaskSchema, taskSchema } from '../../../packages/task/task.ts'
import {
  commitSchema,
  count,
  maybeText,
  object,
  type Stored,
  text,
  texts,
} from '../../../packages/text/text.ts'
import { feedbackSchema, grantSchema } from './answer.ts'
import { triedRequestSchema } from './answer-form.ts'
import { complexitySchema, refinementSchema, routeSchema, taskSizeSchema } from './route.ts'
import { nodeSchema, outcomeSchema } from './steps.ts'
import { toolLoopSchema } from './tool-loop.ts'
import { usageSchema } from './usage.ts'

/** A remedy that a node tried in an attempt. */
export const triedRemedySchema = triedSchema.extend({ node: nodeSchema })

export type TriedRemedy = Stored<typeof triedRemedySchema>

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

/** An attempt's failure, before it is classified. */
const failureSchema = object({
  /** The node's outcome that led here: `repairs_spent`, `cannot_run`, `refused`, … */
  at: outcomeSchema,
  message: text,
  problems: z.array(codeProblemSchema),
  failures: z.array(judgedSchemas.failure),
  /** Shortened output. */
  output: text,
  /** Made where the output was read; absent for a change that did not run. */
  diagnosis: diagnosisSchema.optional(),
})

export type Failure = Stored<typeof failureSchema>

const classificationSchema = object({
  reason: failureReasonSchema,
  /** A plain sentence with the evidence. */
  explanation: text,
  /** `pattern`, `model`, or `none` when neither could tell. */
  by: z.enum(['pattern', 'model', 'none']),
  /** For `environment_issue`: the command that would fix it. */
  installCommand: maybeText,
  /** For `missing_dependency`: the tasks that would supply it. */
  suppliedBy: texts,
  /** For `environment_issue`: the missing program or package. */
  diagnosis: diagnosisSchema.optional(),
})

export type Classification = Stored<typeof classificationSchema>

export const proposalSchema = object({
  strategy: strategySchema,
  reason: failureReasonSchema,
  explanation: text,
  /** For DECOMPOSE and REWRITE: the tasks that replace this one in the roadmap. */
  tasks: z.array(proposedTaskSchema).default([]),
  /** The person who asked for this strategy, and their words; absent when the failure's reason chose it. */
  wish: object({ by: text, text }).optional(),
})

export type Proposal = Stored<typeof proposalSchema>

/** A step of a plan with the files that it changes; `needs` are ids of the steps that it builds on. */
const planPartSchema = object({ id: text, does: text, files: texts, needs: texts })

export type PlanPart = Stored<typeof planPartSchema>

/** The model's plan for a task, made before it writes code. */
const planSchema = object({
  files: texts,
  complexity: complexitySchema,
  steps: texts,
  /** The steps with their files, each after the steps that it needs; absent when the plan has plain steps. */
  parts: z.array(planPartSchema).optional(),
  /** The plans that were compared with this one, a line each. */
  others: texts.optional(),
})

export type Plan = Stored<typeof planSchema>

/** Code that the model was shown, kept so that repairs need not gather it again. `whole`: not an outline. */
const contextFileSchema = object({ path: text, text, whole: z.boolean() })

export type ContextFile = Stored<typeof contextFileSchema>

/** The part of a group's draft that is one member's: `before` is what the members before it left. */
const memberChangesSchema = object({ id: text, changes: z.array(fileChangeSchema) })

export type MemberChanges = Stored<typeof memberChangesSchema>

/** Progress through a plan whose parts are asked for one by one. */
const partProgressSchema = object({
  /** Ids of the parts that are written. */
  done: texts,
  /** Parts of their answers that stay unusable. */
  refusals: z.array(refusalSchema),
  /** Why the last answer for the next part could not be used; empty before its first. */
  again: text,
})

/** The draft that came nearest to passing, and its tests as they were counted then. */
const bestDraftSchema = object({
  draft: draftSchema,
  broken: z.array(judgedSchemas.failure),
  tests: judgedSchemas.report,
  receipt: judgedSchemas.receipt,
})

export type BestDraft = Stored<typeof bestDraftSchema>

/** One try at one task, from `pick_task` to a verdict. */
export const attemptSchema = object({
  task: taskSchema,
  /** 1 for the first; a deferred task's retry is 2. */
  number: count,
  /** How often a run (re)started during this attempt. */
  starts: count,
  /** The commit that the branch starts from: the PR's base. */
  start: commitSchema,
  /** Present head of this attempt's own branch, when an earlier attempt left one. */
  head: maybeText,
  startedAt: text,
  seconds: count,
  steps: count,
  /** By the task's words; absent in attempts of older versions. */
  size: taskSizeSchema.optional(),
  /** With `strategy: auto`; absent otherwise. */
  route: routeSchema.optional(),
  /** What its first request holds or leaves out, learned from earlier ones. */
  refinement: refinementSchema.optional(),
  plan: planSchema.nullable(),
  /** `null` while the plan is not written part by part. */
  parts: partProgressSchema.nullable().default(null),
  /** The project map and the files that the model was shown. */
  map: text,
  context: z.array(contextFileSchema),
  /** The files that an answer has to write, where that is certain. */
  targets: texts.default([]),
  draft: draftSchema.nullable(),
  /** How each answer in full was asked for; the present draft began with the last one. */
  requests: z.array(triedRequestSchema).default([]),
  /** A digest of each answered request: the same is never sent twice. */
  asked: texts.default([]),
  /** The best of several drafts whose tests failed; `null` before the second. */
  best: bestDraftSchema.nullable().default(null),
  /** Of a group whose answer told its tasks apart: each one's changes, before any repair. */
  attributed: z.array(memberChangesSchema).exactOptional(),
  problems: z.array(codeProblemSchema),
  validationRepairs: count,
  testRepairs: count,
  /** Of the repairs of failing tests, those whose answer held no change. */
  emptyRepairs: count.default(0),
  tests: judgedSchemas.report.nullable(),
  /** Its tests have failed by chance before: failures run twice before they are judged. */
  isFlaky: z.boolean().optional(),
  receipt: judgedSchemas.receipt.nullable(),
  /** Failures that only this change caused. */
  broken: z.array(judgedSchemas.failure),
  /** Remedies tried against errors of its steps; bounded by the tries of each type. */
  remedies: z.array(triedRemedySchema).default([]),
  /** Why earlier changes of this attempt failed, in the model's words; one entry for each reflection. */
  reflections: texts.default([]),
  /** The loop of tools; `null` for an attempt without one. */
  loop: toolLoopSchema.nullable().default(null),
  failure: failureSchema.nullable(),
  classification: classificationSchema.nullable(),
  proposal: proposalSchema.nullable(),
  /** Destructive operations of the draft that wait for a person. */
  destructive: z.array(judgedSchemas.operation).default([]),
  /** Fingerprints of the approved ones, one for each. */
  allowed: texts.default([]),
  /** Changes that reviewers request in an earlier attempt's work, which this one continues. */
  feedback: feedbackSchema.nullable().default(null),
  /** What earlier tasks made that concerns this one, as the model reads it; absent when nothing does. */
  recalled: text.optional(),
  /** Why the previous attempt failed, as the model reads it. */
  earlier: text.optional(),
  /** Paths outside its scope that writers allowed this task to change. */
  grants: z.array(grantSchema).default([]),
  usage: usageSchema,
})

export type Attempt = Stored<typeof attemptSchema>
