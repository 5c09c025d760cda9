import type { KeyObject } from 'node:crypto'

/** Someone with an account. */
export interface Identity {
  readonly login: string
  /** Stays when the login changes. */
  readonly id: number
  readonly type: 'User' | 'Bot'
  /** In every repository that does not say otherwise; an owner is `admin`, anyone else `write` when not given. */
  readonly permission?: Permission
  /** The app that a person's token speaks through. */
  readonly viaApp?: string
}

export type Permission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin'

export interface Label {
  readonly id: number
  readonly name: string
  readonly color: string
  readonly description: string
}

/** What people wrote and may change later. Times are GitHub's: whole seconds, UTC. */
interface Text {
  readonly id: number
  readonly author: Identity
  readonly createdAt: string
  updatedAt: string
  /** Only of the text; `updatedAt` is also moved by other things. */
  lastEditedAt: string | null
}

export interface Issue extends Text {
  readonly number: number
  title: string
  body: string | null
  state: 'open' | 'closed'
  stateReason: 'completed' | 'not_planned' | 'duplicate' | 'reopened' | null
  labels: string[]
  assignees: Identity[]
  closedAt: string | null
  closedBy: Identity | null
}

/** On GitHub a pull request is an issue too, and shares the issues' numbers. */
export interface Pull extends Issue {
  /** Branch names, and the commits they had when last seen. */
  readonly head: string
  headSha: string
  base: string
  baseSha: string
  draft: boolean
  reviewers: Identity[]
  /** Set while it waits for auto-merge. */
  autoMerge: AutoMerge | null
  merged: { readonly at: string; readonly by: Identity; readonly sha: string } | null
}

export type MergeMethod = 'merge' | 'squash' | 'rebase'

export interface AutoMerge {
  readonly by: Identity
  readonly at: string
  readonly method: MergeMethod
  readonly title: string | null
  readonly message: string | null
}

export interface WorkflowRun {
  readonly id: number
  /** Of the workflow's file. */
  readonly path: string
  readonly event: string
  readonly branch: string
  readonly sha: string
  readonly inputs: Readonly<Record<string, string>>
  readonly suite: number
  readonly actor: Identity
  readonly at: string
  /** Nothing runs here: a run ends when a test says so. */
  isOver: boolean
}

/** A `repository_dispatch`. */
export interface Dispatch {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly actor: Identity
  readonly at: string
}

/** A commit's status or check run, as it was at one time. */
export interface Check {
  readonly id: number
  readonly kind: 'status' | 'check_run'
  readonly sha: string
  readonly name: string
  readonly outcome:
    | 'pending'
    | 'success'
    | 'failure'
    | 'error'
    | 'neutral'
    | 'cancelled'
    | 'skipped'
    | 'timed_out'
    | 'action_required'
  /** A status's description, a check run's summary. */
  readonly description: string | null
  /** What only a check run has; `null` for a status. */
  readonly output: CheckOutput | null
  /** The app of a check run, by its slug. */
  readonly app: string | null
  /** Shared by what one workflow run reports. */
  readonly suite: number
  /** What the job of a check run of Actions printed. */
  readonly log?: string | undefined
  readonly at: string
}

export interface CheckOutput {
  readonly externalId: string | null
  readonly title: string | null
  /** Each request adds its own. */
  readonly annotations: readonly CheckAnnotation[]
}

/** As a request has it. */
export interface CheckAnnotation {
  readonly path: string
  readonly start_line: number
  readonly annotation_level: 'notice' | 'warning' | 'failure'
  readonly message: string
}

export interface Comment extends Text {
  readonly issue: number
  body: string
}

export interface Review extends Text {
  readonly pull: number
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING'
  /** `null` while only its author sees it. */
  submittedAt: string | null
  body: string
  /** The commit that its author read. */
  readonly commit: string
}

/** Where review comments stand; its id is that of the first of them. */
export interface ReviewThread {
  readonly id: number
  readonly pull: number
  readonly path: string
  readonly side: 'LEFT' | 'RIGHT'
  /** `null` of a comment on the whole file. */
  readonly originalLine: number | null
  readonly originalStartLine: number | null
  readonly originalCommit: string
  /** Moves with the text, to `null` when that was changed since. */
  line: number | null
  startLine: number | null
  /** The newest commit that has this line. */
  commit: string
  readonly diffHunk: string
  /** Lines down in the diff that it was made on. */
  readonly position: number | null
  outdated: boolean
  resolvedBy: Identity | null
}

export interface ReviewComment extends Text {
  readonly pull: number
  readonly review: number
  readonly thread: number
  body: string
}

/** A line of an issue's timeline that is not a comment. */
export interface IssueEvent {
  readonly id: number
  readonly issue: number
  readonly actor: Identity
  readonly createdAt: string
  readonly event:
    | 'labeled'
    | 'unlabeled'
    | 'renamed'
    | 'closed'
    | 'reopened'
    | 'merged'
    | 'base_ref_deleted'
  /** Its name, where the event is about one. */
  readonly label: string | null
  /** The titles before and after. */
  readonly rename?: { readonly from: string; readonly to: string }
}

export const reactionContents = [
  '+1',
  '-1',
  'laugh',
  'confused',
  'heart',
  'hooray',
  'rocket',
  'eyes',
] as const

export type ReactionContent = (typeof reactionContents)[number]

export interface Reaction {
  readonly id: number
  /** The kind of its subject. */
  readonly kind: 'issue' | 'comment' | 'review_comment'
  readonly subject: number
  readonly author: Identity
  readonly content: ReactionContent
  readonly createdAt: string
}

/** What git says about a pull request. */
export interface PullFigures {
  readonly commits: number
  readonly changedFiles: number
  readonly additions: number
  readonly deletions: number
  readonly mergeable: boolean
}

/** One webhook as GitHub would send it. */
export interface WebhookEvent {
  /** Of the `X-GitHub-Delivery` header. */
  readonly id: string
  /** Of the `X-GitHub-Event` header. */
  readonly name: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Whether workflows see it: what a workflow's own token does starts no other. */
  readonly startsWorkflows: boolean
}

/** What a token opens. */
export interface Token {
  readonly person: Identity
  /** Milliseconds; `null` for ever. */
  readonly expiresAt: number | null
  /** Their numbers; `null` for all that its person may see. */
  readonly repositories: ReadonlySet<number> | null
}

/** What GitHub hands to the one who registers an app. */
export interface Registration {
  /** PEM. */
  readonly privateKey: string
  readonly webhookSecret: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface App {
  readonly id: number
  readonly slug: string
  /** Of the key that signs the app's own tokens. */
  readonly key: KeyObject
  readonly tokenSeconds: number
  readonly registration: Registration | undefined
  /** Who it is when it writes something. */
  readonly bot: Identity
}
