import { z } from 'zod'
import { proposedTaskSchema } from './proposed-task.ts'
import { count, maybeCount, maybeText, object, type Stored, text } from './stored.ts'

const choiceSchema = z.enum([
  ...['approve', 'reject', 'skip', 'retry', 'defer', 'decompose', 'rewrite', 'edit'],
] as const)

export type Choice = z.infer<typeof choiceSchema>

/** What a person decided about a proposal, or about destructive operations. */
export const answerSchema = object({
  choice: choiceSchema,
  /** Login, or who sits at the terminal. */
  by: text,
  /** ISO time; `null`: now. */
  at: maybeText,
  /** Of `rewrite`: what to say differently. */
  text,
  /** Of `edit`: the tasks that the person wrote. */
  tasks: z.array(proposedTaskSchema),
  /** The commit of the proposal that was answered; nothing else is merged. `null` without a forge. */
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

/** What can be chosen at a terminal. */
export type AskedChoice = Extract<Choice, 'approve' | 'reject' | 'skip' | 'retry' | 'defer'>

/** What reviewers want changed in a finished task's pull request. */
export const feedbackSchema = object({
  by: text,
  /** What was said in general; may be empty. */
  text,
  /** `id` is opaque, of `ReviewThread`. */
  threads: z.array(object({ id: text, path: text, line: maybeCount, text })),
})

export type Feedback = Stored<typeof feedbackSchema>
export type FeedbackThread = Feedback['threads'][number]

/** A path outside a task's scope, or a protected one, that a writer let one task change. */
export const grantSchema = object({ path: text, by: text })

export type Grant = Stored<typeof grantSchema>

/** An issue whose words are tasks, as they were when a writer labelled it. */
export const adoptedIssueSchema = object({
  number: count,
  title: text,
  body: text,
  /** Who labelled it, and when. */
  by: text,
  at: text,
  /** True where a writer labelled it after its commands were quoted: they may run without a sandbox. */
  confirmed: z.boolean().optional(),
})

export type AdoptedIssue = Stored<typeof adoptedIssueSchema>
