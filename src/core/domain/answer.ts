import { z } from 'zod'
import { proposedTaskSchema } from '../../../packages/task/task.ts'
import {
  count,
  maybeCount,
  maybeText,
  object,
  type Stored,
  text,
} from '../../../packages/text/text.ts'

const choiceSchema = z.enum([
  ...['approve', 'reject', 'skip', 'retry', 'defer', 'decompose', 'rewrite', 'edit'],
] as const)

export type Choice = z.infer<typeof choiceSchema>

/** A person's decision about a proposal, or about destructive operations. */
export const answerSchema = object({
  choice: choiceSchema,
  /** A login, or the person at the terminal. */
  by: text,
  /** ISO time; `null` means now. */
  at: maybeText,
  /** For `rewrite`: what to change in the wording. */
  text,
  /** For `edit`: the person's own tasks. */
  tasks: z.array(proposedTaskSchema),
  /** The commit of the answered proposal; only this one is merged. `null` without a forge. */
  sha: maybeText,
})

export type Answer = Stored<typeof answerSchema>

/** An answer given on the spot. */
export const answerNow = (choice: Choice, by: string): Answer => ({
  choice,
  by,
  at: null,
  text: '',
  tasks: [],
  sha: null,
})

/** Choices offered at a terminal. */
export type AskedChoice = Extract<Choice, 'approve' | 'reject' | 'skip' | 'retry' | 'defer'>

/** Changes that a finished task's pull request needs: those that reviewers request, or what failed in its checks. */
export const feedbackSchema = object({
  /** Absent for a review. */
  of: z.literal('checks').exactOptional(),
  by: text,
  /** The general remark; may be empty. */
  text,
  /** `id` is opaque, from `ReviewThread`. */
  threads: z.array(object({ id: text, path: text, line: maybeCount, text })),
})

export type Feedback = Stored<typeof feedbackSchema>
export type FeedbackThread = Feedback['threads'][number]

/** A protected path, or one outside the task's scope, that a writer allowed one task to change. */
export const grantSchema = object({ path: text, by: text })

export type Grant = Stored<typeof grantSchema>

/** An issue whose words are tasks, as they were when a writer labelled it. */
export const adoptedIssueSchema = object({
  number: count,
  title: text,
  body: text,
  /** The person who labelled it, and the time. */
  by: text,
  at: text,
  /** True when a writer labelled it after its commands were quoted: they may run without a sandbox. */
  confirmed: z.boolean().optional(),
})

export type AdoptedIssue = Stored<typeof adoptedIssueSchema>
