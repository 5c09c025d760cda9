import type { AdoptedIssue, Answer, Feedback, Grant } from './answer.ts'
import type { ChangeSet, FileChange, Refusal } from './change-set.ts'
import type { DestructiveDecision, DestructiveOperation } from './destructive.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { RunErrorCode } from './errors.ts'
import type { HiddenRecord } from './hidden-text.ts'
import type { CodeProblem } from './problem.ts'
import type { ProposedTask } from './proposed-task.ts'
import type { ScheduleGap } from './schedule-gap.ts'
import type { ApprovalMode } from './settings.ts'
import type { TriedRemedy } from './step-error.ts'
import type { NodeName, OutcomeOf } from './steps.ts'
import type { Task, TaskMark } from './task.ts'
import type { Receipt, TestFailure, TestReport } from './test-report.ts'
import type { Usage } from './usage.ts'
import type { TaskResult } from './verdict.ts'

export type Strategy = 'REWRITE' | 'DECOMPOSE' | 'DEFER' | 'SKIP' | 'ESCALATE'

export type FailureReason =
  | 'task_too_vague'
  | 'task_too_complex'
  | 'missing_dependency'
  | 'environment_issue'
  | 'unknown'

/** What went wrong in an attempt, before anyone has judged it. */
export interface Failure {
  /** The node's outcome that led here: `repairs_spent`, `cannot_run`, `refused`, … */
  readonly at: OutcomeOf<NodeName>
  readonly message: string
  readonly problems: readonly CodeProblem[]
  readonly failures: readonly TestFailure[]
  /** Shortened output. */
  readonly output: string
  /** As whoever read the output tells it; of a change that was not run there is none. */
  readonly diagnosis?: Diagnosis | undefined
}

export interface Classification {
  readonly reason: FailureReason
  /** Plain sentence with the evidence in it. */
  readonly explanation: string
  /** `pattern`, `model`, or `none` when neither could tell. */
  readonly by: 'pattern' | 'model' | 'none'
  /** For `environment_issue`: the command that would mend it. */
  readonly installCommand: string | null
  /** For `missing_dependency`: the tasks that would supply it. */
  readonly suppliedBy: readonly string[]
  /** For `environment_issue`: what lacks. */
  readonly diagnosis?: Diagnosis | undefined
}

export interface Proposal {
  readonly strategy: Strategy
  readonly reason: FailureReason
  readonly explanation: string
  /** Of DECOMPOSE and REWRITE: what takes the task's place in the roadmap. */
  readonly tasks: readonly ProposedTask[]
  /** Who asked for this strategy, and in which words; nobody, when it was chosen by the reason. */
  readonly wish?: { readonly by: string; readonly text: string } | undefined
}

/** An edit of the roadmap that is in effect for this run, and lies on `executor/recovery/<id>`. */
export interface Amendment {
  readonly task: Pick<Task, 'id' | 'fingerprint' | 'title'>
  readonly strategy: Strategy
  readonly reason: FailureReason
  /** ISO time. */
  readonly at: string
  readonly tasks: readonly ProposedTask[]
}

/** What the model said of a task before code was asked for. */
export interface Plan {
  readonly files: readonly string[]
  readonly complexity: 'low' | 'medium' | 'high'
  readonly steps: readonly string[]
}

/** The code a model was shown, so that repairs need not gather it again. */
export interface ContextFile {
  readonly path: string
  readonly text: string
  /** `false`: shortened to an outline. */
  readonly whole: boolean
}

export interface Draft {
  readonly changes: ChangeSet
  readonly refusals: readonly Refusal[]
  /** True when the answer said there is nothing to do. */
  readonly claimsDone: boolean
  /** The answer's prose, for the commit and PR body. */
  readonly summary: string
  /** What was done to use the answer (tolerated drift, files left out), in sentences. */
  readonly notes: readonly string[]
  /** Those of the notes that a person must see: what was left out, what was lost. */
  readonly warnings?: readonly string[] | undefined
  /** True when the answer was cut off at its length. */
  readonly isCut?: boolean | undefined
  /** Lock files that we wrote anew for these changes; not there before `write_files` has looked. */
  readonly locks?: readonly RenewedLock[] | undefined
}

/** A lock file as the package manager makes it of the changed manifest, and how it was told to. */
export interface RenewedLock {
  readonly change: FileChange
  readonly command: string
}

/** One try at one task, from `pick_task` to a verdict. */
export interface Attempt {
  readonly task: Task
  /** 1 for the first; a deferred task's retry is 2. */
  readonly number: number
  /** How often a run was (re)started while this attempt was under way. */
  readonly starts: number
  /** Where the branch grows from: the PR's base. */
  readonly start: { readonly branch: string; readonly sha: string }
  /** What this attempt's own branch holds now, when an earlier attempt left it. */
  readonly head: string | null
  readonly startedAt: string
  readonly seconds: number
  readonly steps: number
  readonly plan: Plan | null
  /** The project map and the files the model was shown. */
  readonly map: string
  readonly context: readonly ContextFile[]
  readonly draft: Draft | null
  readonly problems: readonly CodeProblem[]
  readonly validationRepairs: number
  readonly testRepairs: number
  readonly tests: TestReport | null
  readonly receipt: Receipt | null
  /** What only this change broke; empty when nothing. */
  readonly broken: readonly TestFailure[]
  /** What was tried against errors of its steps; bounded by the tries of each type. */
  readonly remedies: readonly TriedRemedy[]
  readonly failure: Failure | null
  readonly classification: Classification | null
  readonly proposal: Proposal | null
  /** Destructive operations of the draft that wait for a person; empty when nothing waits. */
  readonly destructive: readonly DestructiveOperation[]
  /** Fingerprints of those that were approved, once for each. */
  readonly allowed: readonly string[]
  /** What reviewers want changed in the work of an earlier attempt, which this one goes on from. */
  readonly feedback: Feedback | null
  /** What writers let this task change besides its scope. */
  readonly grants: readonly Grant[]
  /** Why the attempt before this one failed, as the model is told. */
  readonly earlier?: string | undefined
  readonly usage: Usage
}

export interface NodeMetrics {
  readonly calls: number
  readonly seconds: number
  readonly usage: Usage
}

/** `edited`: approved with other tasks; `changed`: another strategy was asked for. */
export type Decision =
  | 'approved'
  | 'edited'
  | 'changed'
  | 'retried'
  | 'rejected'
  | 'waiting'
  | 'logged'

export interface RecoveryRecord {
  readonly taskId: string
  readonly proposal: Proposal
  readonly decision: Decision
  readonly by: string
  readonly at: string
}

/** An open pull request that waits for a person's word, or one that was merged by hand as the word. */
export interface TaskQuestion {
  readonly number: number
  readonly url: string
  readonly head: string
}

export interface RunError {
  readonly code: RunErrorCode
  readonly message: string
  readonly next: string
  readonly taskId: string | null
  /** The last lines of what was said. */
  readonly output?: string | undefined
}

/** What ended the attempt at a task of this text. */
export type Lacked = Pick<Task, 'fingerprint'> & { readonly cause: Diagnosis }

/** What a run was about to do when it began: the tasks it would come to, and what they would take. */
export interface RunPreview {
  readonly tasks: number
  readonly tokens: number
  /** `null` when a model has no known price. */
  readonly dollars: number | null
  /** The finished tasks that the forecast was learned from; 0: it is a guess. */
  readonly pastTasks: number
  /** Of lint, about the whole roadmap. */
  readonly warnings: number
}

/** What people said on the forge that a run is to act on. */
export type Asked = Pick<RunState, 'answers' | 'feedback' | 'grants' | 'issues'>

/** Everything a run knows. Saved after every node; small, and flat in the number of finished tasks. */
export interface RunState {
  /** Of the schema: a run loads this one and the one before it. */
  readonly version: 2
  readonly runId: string
  readonly startedAt: string
  readonly completedAt: string | null
  readonly dryRun: boolean
  readonly approvalMode: ApprovalMode
  /** Path of the roadmap, and the commit it is read from; the parsed roadmap is derived, not stored. */
  readonly roadmap: string
  readonly base: { readonly branch: string; readonly sha: string }
  /** The ids that were asked for; `null` is all. */
  readonly only: readonly string[] | null
  /** What people said that this run is to act on, by task; an answer is taken out when it was used. */
  readonly answers: Readonly<Record<string, Answer>>
  readonly feedback: Readonly<Record<string, Feedback>>
  readonly grants: Readonly<Record<string, readonly Grant[]>>
  /** Issues whose words are tasks besides those of the roadmap. */
  readonly issues: readonly AdoptedIssue[]
  /** Names the request that started this run: only the same one goes on with it. */
  readonly request: string
  /** The remark that asked for this run, `comment-12`: what it asks for is done once. */
  readonly remark: string | null
  /** What a model found in a roadmap without boxes, and the fingerprint of the text it read. */
  readonly normalized: { readonly source: string; readonly marks: readonly TaskMark[] } | null
  /** Tasks that were replaced, by edits that the base does not have yet. */
  readonly amendments: readonly Amendment[]
  /** `null` until the roadmap was read. */
  readonly preview: RunPreview | null
  readonly next: NodeName | 'END'
  readonly attempt: Attempt | null
  readonly parked: Readonly<Record<string, Attempt>>
  readonly results: Readonly<Record<string, TaskResult>>
  /** Shas of our branches that an earlier attempt left and this run may go on from. */
  readonly heads: Readonly<Record<string, string>>
  /** Pull requests of ours that ask people about a task: proposals, questions, failed attempts. */
  readonly questions: Readonly<Record<string, readonly TaskQuestion[]>>
  /** Why the last attempt at a task that is not done failed, by id, from this run and those before it. */
  readonly failedBefore: Readonly<Record<string, string>>
  /**
   * What each task that was tried lacked besides the right code, by id: it is looked for before the task is paid for
   * again.
   */
  readonly lacked: Readonly<Record<string, Lacked>>
  /** Deferred tasks that had their second chance. */
  readonly retried: readonly string[]
  readonly usage: Usage
  /** How many calls the model has answered; the ordinal of the next one. */
  readonly calls: number
  readonly seconds: number
  readonly nodes: Readonly<Partial<Record<NodeName, NodeMetrics>>>
  readonly recoveries: readonly RecoveryRecord[]
  /** What was decided about destructive operations, oldest first. */
  readonly destructive: readonly DestructiveDecision[]
  readonly roadmapChanges: readonly string[]
  readonly errors: readonly RunError[]
  /** What was hidden in texts that a model was shown, and kept from it. */
  readonly hidden: readonly HiddenRecord[]
  /** Limits that were hit, in words. */
  readonly limits: readonly string[]
  /** When a run ended early: when it makes sense to come back, if anyone said. */
  readonly retryAt: string | null
  /** Why the run stopped before all was done: exit code 4. */
  readonly stopped: 'limit' | 'cancelled' | 'unavailable' | null
  /** What ended this run, or the one before it, before all was tried. */
  readonly stuck?: Diagnosis | undefined
  /** The node that could not go on for now; the next run goes on there. */
  readonly resumeAt: NodeName | 'END' | null
  readonly pullRequestsOpened: number
  /** Numbers of those of ours that were open when the roadmap was read: of tasks, and of proposals. */
  readonly openPullRequests: readonly number[]
  /**
   * By model, the tokens that a request may have with its answer, where an endpoint refused one as too
   * large: as it said, or less than what it refused.
   */
  readonly windows: Readonly<Record<string, number>>
  /** What was found for command lines that cannot run, so that it is asked once: `null`, that there is nothing. */
  readonly corrections: Readonly<Record<string, string | null>>
  /** Tasks that another run works on, by id, and who in words: they are left to it, and get no verdict here. */
  readonly held: Readonly<Record<string, string>>
  /** What the schedule that began this run left out before; `null` when nothing, or nobody knows. */
  readonly gap: ScheduleGap | null
}
