import type { ProposedTask } from './proposed-task.ts'

export type Choice =
  | 'approve'
  | 'reject'
  | 'skip'
  | 'retry'
  | 'defer'
  | 'decompose'
  | 'rewrite'
  | 'edit'

/** What a person decided about a proposal, or about destructive operations. */
export interface Answer {
  readonly choice: Choice
  /** Login, or who sits at the terminal. */
  readonly by: string
  /** ISO time; `null`: now. */
  readonly at: string | null
  /** Of `rewrite`: what to say differently. */
  readonly text: string
  /** Of `edit`: the tasks that the person wrote. */
  readonly tasks: readonly ProposedTask[]
  /** The commit of the proposal that was answered; nothing else is merged. `null` without a forge. */
  readonly sha: string | null
}

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
export interface Feedback {
  readonly by: string
  /** What was said in general; may be empty. */
  readonly text: string
  readonly threads: readonly FeedbackThread[]
}

export interface FeedbackThread {
  /** Opaque, of `ReviewThread`. */
  readonly id: string
  readonly path: string
  readonly line: number | null
  readonly text: string
}

/** A path outside a task's scope, or a protected one, that a writer let one task change. */
export interface Grant {
  readonly path: string
  readonly by: string
}

/** An issue whose words are tasks, as they were when a writer labelled it. */
export interface AdoptedIssue {
  readonly number: number
  readonly title: string
  readonly body: string
  /** Who labelled it, and when. */
  readonly by: string
  readonly at: string
  /** True where a writer labelled it after its commands were quoted: they may run without a sandbox. */
  readonly confirmed?: boolean | undefined
}
