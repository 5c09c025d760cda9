// Generated from src/entry/library.ts by npm run generate.

export interface Answer {
  readonly choice: "approve" | "decompose" | "defer" | "edit" | "reject" | "retry" | "rewrite" | "skip"
  /** A login, or the person at the terminal. */
  readonly by: string
  /** ISO time; `null` means now. */
  readonly at: string | null
  /** For `rewrite`: what to change in the wording. */
  readonly text: string
  /** For `edit`: the person's own tasks. */
  readonly tasks: readonly ProposedTask[]
  /** The commit of the answered proposal; only this one is merged. `null` without a forge. */
  readonly sha: string | null
}

export type AnswerProgress = {
  readonly kind: "reading"
  readonly tokens: number
  readonly seconds: number | null
} | {
  readonly kind: "received"
  readonly characters: number
} | {
  readonly kind: "retrying"
  readonly seconds: number
  readonly reason: string
}

/** Choices offered at a terminal. */
export type AskedChoice = "approve" | "defer" | "reject" | "retry" | "skip"

/** The combined result of a commit's statuses and check runs. */
export type Checks = "green" | "none" | "pending" | "red"

/** A model for tests: gives these answers in order. One request too many is a plain error. */
export declare function createScriptedModel(replies: readonly ScriptedReply[]): ScriptedModel

/** Tasks that a person wrote in place of a proposal, or why they cannot be used. */
export type EditedTasks = {
  readonly status: "ok"
  readonly tasks: readonly ProposedTask[]
} | {
  readonly status: "refused"
  readonly reason: string
}

/** The endpoint did not answer, and was asked again after `seconds`. */
export interface EndpointWait {
  readonly reason: string
  readonly seconds: number
}

export type ErrorCode = "actions_may_not_create_pull_requests" | "agent_unconfined" | "another_run" | "app_not_configured" | "app_not_installed" | "bad_usage" | "branch_protected" | "branch_refused" | "config_invalid" | "disk_unwritable" | "file_unreadable" | "folder_unwritable" | "forge_denied" | "forge_unreachable" | "git_failed" | "git_missing" | "model_rejected" | "model_unreachable" | "no_agent" | "no_api_key" | "no_commits" | "no_github_token" | "no_model" | "no_price" | "no_report" | "no_roadmap" | "no_run" | "not_a_repository" | "queue_locked" | "queue_unreachable" | "sandbox_missing" | "state_corrupt" | "state_unwritable" | "switched_off" | "unknown_run" | "unknown_task" | "weak_webhook_secret" | "workspace_invalid"

/** A fault of the set-up, thrown anywhere and shown in one place (`entry`). */
export declare class ExecutorError extends Error {
  constructor(code: ErrorCode, detail?: string | undefined, options?: {
    readonly cause?: unknown | undefined
    readonly retryAt?: string | null | undefined
  } | undefined)
  readonly code: ErrorCode
  readonly next: string
  readonly exitCode: number
  /** ISO time after which a retry makes sense, when known. */
  readonly retryAt: string | null
  /** The error as the report keeps it. */
  toRecord(taskId: string | null): {
    readonly code: ErrorCode
    readonly message: string
    readonly next: string
    readonly taskId: string | null
  }
}

export interface Forge {
  /** `local` has branches only: finished work is `done`, not `in_review`. */
  readonly kind: "github" | "local"
  /** Web address of the log of the workflow run that this program runs in, where it runs in one. */
  readonly runLog?: string | undefined
  /**
   * Our own, by head `agent/*` or `executor/recovery/*` in this very repository, in any state; newest first. `known`:
   * as last read, plus those published since; reads again after any other change to one.
   */
  pullRequests(how?: "known" | undefined): Promise<readonly PullRequest[]>
  /** Reads it again; `null` when no pull request has this number. */
  pullRequest(number: number): Promise<PullRequest | null>
  /** Creates, or updates the open one with this head unless `keepsOpen`. A local forge returns `null`. */
  upsertPullRequest(draft: PullRequestDraft): Promise<ForgeResult<PullRequest | null>>
  /** One comment per marker and author, on a pull request or an issue. */
  upsertComment(number: number, marker: string, body: string): Promise<ForgeResult<null>>
  /** On a line of a pull request's diff. A line outside the diff is `forge_denied`. */
  upsertReviewComment(pullRequest: number, draft: ReviewCommentDraft): Promise<ForgeResult<null>>
  /**
   * Merges exactly this commit by a method that the repository allows (merge, else squash, else rebase). `blocked`
   * when `approver` pushed it and the base requires another person to approve the last push.
   */
  merge(pullRequest: number, sha: string, approver?: string | undefined): Promise<MergeResult>
  checks(sha: string): Promise<Checks>
  /** Closes an issue or a pull request. Does nothing to a closed one. */
  close(number: number): Promise<ForgeResult<null>>
  /** Changes the base of an open pull request. */
  retarget(pullRequest: number, base: string): Promise<ForgeResult<null>>
  /** Adds and removes labels of an issue or a pull request; keeps the others. */
  label(number: number, change: {
    readonly add?: readonly string[] | undefined
    readonly remove?: readonly string[] | undefined
  }): Promise<ForgeResult<null>>
  /**
   * Creates or updates the issue with this marker: replaces a body that differs and adds missing labels. Keeps its
   * title and state as people left them.
   */
  upsertIssue(draft: IssueDraft): Promise<ForgeResult<{
    readonly number: number
    readonly url: string
  }>>
}

export interface ForgeRefusal {
  readonly status: "refused"
  /** A code of the error catalogue; the branch is pushed and nothing is lost. */
  readonly code: "actions_may_not_create_pull_requests" | "forge_denied" | "forge_unreachable"
  readonly detail: string
}

export type ForgeResult<T> = ForgeRefusal | {
  readonly status: "ok"
  readonly value: T
}

export interface IssueDraft {
  /** Unique per author, over open and closed issues. */
  readonly marker: string
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
  /** The issue as this pass read it, by its first label; `null`: none. Looked up when not given. */
  readonly seen?: {
    readonly number: number
    readonly url: string
    readonly body: string
    readonly labels: readonly string[]
  } | null | undefined
}

export type MergeResult = ForgeRefusal | {
  readonly status: "merged"
  readonly sha: string
} | {
  readonly status: "queued"
} | {
  readonly status: "moved"
  readonly headSha: string
} | {
  readonly status: "blocked"
  readonly reason: string
}

export interface Message {
  readonly role: "assistant" | "system" | "user"
  readonly content: string
}

export interface Model {
  /** @throws ExecutorError `model_rejected` when no retry can help (401, 404, 400). */
  complete(request: ModelRequest): Promise<ModelReply>
  /**
   * Tokens that a request may have with its answer, as a server on this machine or its private network says at once;
   * `null` where it does not, and for any other endpoint, which is not asked. Never throws.
   */
  readonly window?: ((model: string) => Promise<number | null>) | undefined
  /**
   * Whether the endpoint takes the key, at no cost.
   * @throws ExecutorError `model_rejected`
   */
  readonly tryKey?: (() => Promise<void>) | undefined
  /** By model of this endpoint, how usable its answers were in each form, as `executor calibrate` measured. Never throws. */
  readonly forms?: (() => Promise<{
    readonly [key: string]: {
      readonly function?: {
        readonly good: number
        readonly of: number
      } | undefined
      readonly whole?: {
        readonly good: number
        readonly of: number
      } | undefined
      readonly edits?: {
        readonly good: number
        readonly of: number
      } | undefined
    }
  }>) | undefined
}

export type ModelReply = {
  readonly usage: Usage
  /** Why the endpoint had to be asked again before this: overload, silence, a broken answer. */
  readonly setbacks?: readonly EndpointWait[] | undefined
  readonly status: "answered"
  /** May be empty. A cut answer was already continued as far as the limit allows. */
  readonly text: string
  /** `length`: the text is a part, whatever ended it. */
  readonly finish: "length" | "stop"
  /** Why the text is empty or a part, where the endpoint says: a filter, a refusal, only reasoning. */
  readonly why?: string | undefined
  /** The model repeated itself or wrote far more than allowed, and was cut off: the answer cannot be used. */
  readonly runaway?: true | undefined
  /** Tokens of a prompt that the server reads in a second, where it is nearby and that was measured. */
  readonly promptSpeed?: number | undefined
} | {
  readonly usage: Usage
  /** Why the endpoint had to be asked again before this: overload, silence, a broken answer. */
  readonly setbacks?: readonly EndpointWait[] | undefined
  readonly status: "unavailable"
  readonly reason: string
  readonly retryAt: string | null
} | {
  readonly usage: Usage
  /** Why the endpoint had to be asked again before this: overload, silence, a broken answer. */
  readonly setbacks?: readonly EndpointWait[] | undefined
  readonly status: "silent"
  readonly reason: string
} | {
  readonly usage: Usage
  /** Why the endpoint had to be asked again before this: overload, silence, a broken answer. */
  readonly setbacks?: readonly EndpointWait[] | undefined
  readonly status: "too_large"
  readonly reason: string
  readonly window: number | null
  readonly promptTokens: number | null
} | {
  readonly usage: Usage
  /** Why the endpoint had to be asked again before this: overload, silence, a broken answer. */
  readonly setbacks?: readonly EndpointWait[] | undefined
  readonly status: "withheld"
}

export interface ModelRequest {
  /** The purpose of the answer; appears in metrics and lets a scripted model distinguish calls. */
  readonly purpose: "agent" | "calibrate" | "choose_plan" | "classify" | "correct" | "doctor" | "draft" | "normalize" | "plan" | "recover" | "reflect" | "repair_code" | "repair_test" | "think"
  readonly model: string
  readonly messages: readonly Message[]
  /** 1, 2, … draws another answer to the same messages at a higher temperature; 0 when not said. */
  readonly sample?: number | undefined
  readonly maxOutputTokens: number
  /** How often an answer cut at that length may be continued, for another such answer each; 2 when not said. */
  readonly continuations?: number | undefined
  /** Ask for one JSON object where the endpoint can; the caller validates in any case. */
  readonly json: boolean
  /**
   * Tools to offer in the endpoint's own form, where it has one. A call becomes a part of the text, behind the rest: a
   * fence of JSON with `{"tool": name, "arguments": {…}}`. Arguments that are not JSON are a string there, and a call
   * that the length cut ends the text without the end of its fence.
   */
  readonly tools?: readonly ToolDefinition[] | undefined
  /** A silent endpoint ends the call as `silent` instead of being asked the same again: the caller asks for less. */
  readonly endsWhenSilent?: boolean | undefined
  /** Receives the progress of the answer; the result does not depend on it. */
  readonly heard?: ((progress: AnswerProgress) => void) | undefined
}

export interface Person {
  /** False where no person can answer: a pipe, a nightly run. */
  readonly present: boolean
  /** The answer, or `null` when no one can give one now. */
  ask(question: Question): Promise<Answer | null>
}

export interface ProposedTask {
  readonly id: string
  /** One line, without structural Markdown. */
  readonly title: string
  /** Further sentences, one per line. */
  readonly details: readonly string[]
  readonly files: readonly string[]
  /** It is the old task with this model, and nothing else changed. */
  readonly model?: string | undefined
  /** It belongs together with the other tasks of its proposal: all of them, or none. */
  readonly together?: true | undefined
}

export interface PullRequest {
  readonly number: number
  readonly url: string
  /** Login of its author. */
  readonly author: string
  readonly head: string
  readonly headSha: string
  readonly base: string
  readonly state: "closed" | "merged" | "open"
  /** For a merged one: its commit on the base; the last of several after a rebase. */
  readonly mergeSha: string | null
  readonly draft: boolean
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
}

export interface PullRequestDraft {
  readonly reviewers: readonly string[]
  readonly assignees: readonly string[]
  /** Leaves an open one of this head as it is: the run that opened it knows more about it. */
  readonly keepsOpen?: boolean | undefined
  readonly title: string
  readonly labels: readonly string[]
  readonly draft: boolean
  readonly head: string
  readonly base: string
  readonly body: string
}

export interface Question {
  readonly taskId: string
  readonly title: string
  /** Markdown that a person reads before answering. */
  readonly body: string
  readonly choices: readonly AskedChoice[]
  /** Set where the person may write other tasks instead. */
  readonly edit?: {
    /** The list to start from. */
    readonly text: string
    read(text: string): EditedTasks
  } | undefined
}

/** `report.json`, as in surface.md. Times are in seconds, shares in per cent. */
export interface Report {
  readonly runId: string
  readonly roadmapChanges: readonly string[]
  readonly durationSeconds: number
  /** Dollars; `null` when no model used has a known price. */
  readonly cost: number | null
  /** True when a model without a known price answered, too: then `cost` is the least that the run cost. */
  readonly isCostPartial: boolean
  /** The task that the run started and did not finish. */
  readonly unfinished: string | null
  /** Web address of the repository, `https://github.com/owner/repo`; `null` without a pull request to derive it from. */
  readonly repository: string | null
  /** Web address of the workflow run's log, if known. */
  readonly runLog: string | null
  /** Times of the run's work besides its tasks. Empty without its journal. */
  readonly phases: readonly {
    readonly phase: "installing" | "model" | "other" | "repair" | "tests" | "waiting"
    readonly at: number
    readonly seconds: number
  }[]
  /**
   * The share, 0 to 1, of attempted tasks that are done or in review and whose tests ran; `replaced` tasks do not
   * count. Without attempted tasks: 1 when nothing was left to do, else 0.
   */
  readonly successRate: number
  readonly totals: {
    readonly done: number
    readonly unverified: number
    readonly replaced: number
    readonly deferred: number
    readonly skipped: number
    readonly failed: number
    readonly waiting: number
    readonly rolledBack: number
  }
  /** Of the done tasks: what the tests show. */
  readonly evidence: {
    readonly proven: number
    readonly unharmed: number
  }
  /** Stubs per 1,000 changed lines of code; 0 without changes. */
  readonly lei: number
  /** How many proposals were carried out to get a task done, and for how many the tasks are done now. */
  readonly recovered: {
    readonly tried: number
    readonly succeeded: number
  }
  readonly tasks: readonly TaskReport[]
  readonly nodes: readonly {
    readonly node: string
    readonly calls: number
    readonly tokens: number
    /** Per cent of all tokens, or of all seconds if no tokens were used. Sums to 100. */
    readonly share: number
    /** Dollars; `null` when the price is unknown. */
    readonly cost: number | null
    readonly seconds: number
  }[]
  /** A sentence for each task that another run worked on meanwhile. */
  readonly held: readonly string[]
  /** The runs that this run's schedule missed before it, as data and as a sentence. */
  readonly schedule: {
    readonly cron: string
    /** Times at which no run began although one was due, oldest first; of many, the first few and the last. */
    readonly missed: readonly string[]
    /** Their total number; 1000 stands for that many or more. */
    readonly missedRuns: number
    /** Delay of this run's start; 0 when it is usual. */
    readonly lateSeconds: number
    readonly text: string
  } | null
  readonly startedAt: string
  readonly completedAt: string | null
  readonly dryRun: boolean
  /** The commit that it is read from. */
  readonly base: {
    readonly branch: string
    readonly sha: string
  }
  /** `null` until the roadmap is read. */
  readonly preview: {
    readonly tasks: number
    readonly tokens: number
    /** `null` when a model has no known price. */
    readonly dollars: number | null
    /** Number of finished tasks behind the forecast; with 0 it is a guess. */
    readonly pastTasks: number
    /** Lint's warnings about the whole roadmap. */
    readonly warnings: number
    /** Lint's notes on what looks like a task and is none, if there are any. */
    readonly likeTasks?: number | undefined
  } | null
  /** Limits that were reached, in words. */
  readonly limits: readonly string[]
  /** When a retry of a run that ended early makes sense, if known. */
  readonly retryAt: string | null
  readonly usage: Usage
  readonly recoveries: readonly {
    readonly taskId: string
    readonly proposal: {
      readonly strategy: "DECOMPOSE" | "DEFER" | "ESCALATE" | "REWRITE" | "SKIP"
      readonly reason: "environment_issue" | "missing_dependency" | "task_too_complex" | "task_too_vague" | "unknown"
      readonly explanation: string
      /** For DECOMPOSE and REWRITE: the tasks that replace this one in the roadmap. */
      readonly tasks: readonly ProposedTask[]
      /** The person who asked for this strategy, and their words; absent when the failure's reason chose it. */
      readonly wish?: {
        readonly by: string
        readonly text: string
      } | undefined
    }
    /** `edited`: approved with other tasks; `changed`: another strategy was requested. */
    readonly decision: "approved" | "changed" | "edited" | "logged" | "rejected" | "retried" | "waiting"
    readonly by: string
    readonly at: string
  }[]
  /** Decisions about destructive operations, oldest first. */
  readonly destructive: readonly {
    readonly taskId: string
    readonly operations: readonly {
      readonly path: string
      /** 1-based. */
      readonly line: number
      readonly column: number
      readonly category: "cloud" | "containers" | "database" | "filesystem" | "git" | "packages" | "system"
      /** The call or command as written, on one line and shortened. */
      readonly operation: string
      /** One plain sentence. */
      readonly why: string
      /**
       * Identifies the operation wherever it moves within its file: hex over path, category, the whole text and the
       * values of its variables. An approval is bound to it.
       */
      readonly fingerprint: string
    }[]
    readonly decision: "approved" | "rejected" | "waiting"
    /** The person, or the setting that let them through. */
    readonly by: string
    /** ISO 8601. */
    readonly at: string
    /** The change that contains them, as a unified diff, shortened. */
    readonly patch: string
  }[]
  readonly errors: readonly {
    readonly code: "actions_may_not_create_pull_requests" | "agent_unconfined" | "another_run" | "app_not_configured" | "app_not_installed" | "bad_usage" | "branch_protected" | "branch_refused" | "config_invalid" | "dependency-cycle" | "disk_unwritable" | "duplicate-id" | "edited-since" | "file_unreadable" | "folder_unwritable" | "forge_denied" | "forge_unavailable" | "forge_unreachable" | "git_failed" | "git_missing" | "invalid-id" | "invalid-path" | "issue" | "left-out-task" | "model_rejected" | "model_unavailable" | "model_unreachable" | "no_agent" | "no_api_key" | "no_commits" | "no_github_token" | "no_model" | "no_price" | "no_report" | "no_roadmap" | "no_run" | "no_tasks_found" | "not_a_repository" | "not_prepared" | "queue_locked" | "queue_unreachable" | "same_cause" | "same-task" | "sandbox_missing" | "state_corrupt" | "state_unwritable" | "still_so" | "switched_off" | "unknown_run" | "unknown_task" | "unknown-dependency" | "unread-box" | "unread-dependency" | "unread-status" | "unread-text" | "unread-value" | "unsandboxed-commands" | "weak_webhook_secret" | "workspace_invalid"
    readonly message: string
    readonly next: string
    readonly taskId: string | null
    /** Last lines of the output. */
    readonly output?: string | undefined
  }[]
  /** Text hidden in the model's material, which was kept from it. */
  readonly hidden: readonly {
    readonly taskId: string
    /** A repository path, or `null` for the task's own words in the roadmap. */
    readonly path: string | null
    /** How it was hidden, in plain words: `HTML comment`, `zero-width character`, … */
    readonly channel: string
    /** 1-based, in the original text. */
    readonly line: number
    /** The hidden text, shortened, with every invisible character written as `<U+200B>`. */
    readonly excerpt: string
  }[]
}

export interface ReviewCommentDraft {
  /** Unique per author; identifies the comment. */
  readonly marker: string
  /** The head commit whose diff has the line. */
  readonly sha: string
  readonly path: string
  /** 1-based, in the file at the head. */
  readonly line: number
  readonly body: string
}

export type RunEvent = {
  readonly task: null
  readonly v: 1
  readonly at: string
  readonly run: string
  readonly type: "run_started"
  readonly resumed: boolean
  readonly roadmap: string
  readonly branch: string
  readonly sha: string
  readonly model: string
  readonly strategy: string
} | {
  readonly task: string
  readonly v: 1
  readonly at: string
  readonly run: string
  readonly type: "task_started"
  readonly attempt: number
  readonly title: string
} | {
  readonly task: string | null
  readonly attempt: number | null
  readonly v: 1
  readonly at: string
  readonly run: string
  readonly type: "step_started"
  readonly step: string
} | {
  readonly task: string | null
  readonly attempt: number | null
  readonly v: 1
  readonly at: string
  readonly run: string
  readonly type: "step"
  readonly seconds: number
  readonly tokens: number
  readonly cost: number | null
  readonly step: string
  readonly outcome: string
} | {
  readonly task: string | null
  readonly attempt: number | null
  readonly v: 1
  readonly at: string
  readonly run: string
  readonly type: "model_call"
  readonly tokens: number
  readonly cost: number | null
  readonly purpose: string
  readonly outcome: "answered" | "refused" | "silent" | "too_large"
} | {
  readonly task: string
  readonly v: 1
  readonly at: string
  readonly run: string
  readonly type: "question"
  readonly title: string
  readonly text: string
  readonly choices: readonly string[]
} | {
  readonly task: string
  readonly v: 1
  readonly at: string
  readonly run: string
  readonly type: "answer"
  readonly choice: string | null
} | {
  readonly task: string
  readonly v: 1
  readonly at: string
  readonly run: string
  readonly type: "verdict"
  readonly seconds: number
  readonly attempts: number
  readonly repairs: number
  readonly tokens: number
  readonly cost: number | null
  readonly title: string
  readonly outcome: "budget_exceeded" | "deferred" | "done" | "failed" | "in_review" | "planned" | "rejected" | "replaced" | "rolled_back" | "skipped" | "unverified" | "waiting"
  readonly reason: string
  readonly branch: string | null
  readonly sha: string | null
  readonly pr: {
    readonly number: number
    readonly url: string
  } | null
} | {
  readonly task: null
  readonly v: 1
  readonly at: string
  readonly run: string
  readonly type: "run_ended"
  readonly tokens: number
  readonly cost: number | null
  readonly seconds: number
  readonly exitCode: number
  readonly stopped: string | null
  readonly totals: {
    readonly waiting: number
    readonly skipped: number
    readonly rolledBack: number
    readonly replaced: number
    readonly done: number
    readonly unverified: number
    readonly failed: number
    readonly deferred: number
  }
  readonly limits: readonly string[]
  readonly errors: readonly {
    readonly code: string
    readonly message: string
    readonly next: string
  }[]
}

/**
 * Works through the open tasks of a repository's roadmap, as `executor run` does, and returns the report that
 * `executor run --json` prints. Never exits the process, handles no signal, and prints nothing. Runs one after
 * another; a second one in the same repository at the same time is refused.
 * @throws ExecutorError for a fault of the set-up: its `code`, `message` and `next` say which, and what to do
 */
export declare function runRoadmap(options?: RunRoadmapOptions | undefined): Promise<Report>

/** What to run, and what takes the place of the usual model, forge and person. */
export interface RunRoadmapOptions {
  /** A folder inside the repository; the current directory by default. */
  readonly repository?: string | undefined
  /** They win over the environment and the repository's file. A group, such as `limits`, replaces that of the file. */
  readonly settings?: SettingsFile | undefined
  /** Ids, also of tasks that failed before; all open tasks by default. */
  readonly tasks?: readonly string[] | undefined
  /** Discards an unfinished run instead of resuming it. Finished branches still count. */
  readonly fresh?: boolean | undefined
  /** Writes nothing; the report has the order and a forecast. */
  readonly dryRun?: boolean | undefined
  /** The key for the endpoint; `OPENAI_API_KEY` by default. */
  readonly apiKey?: string | undefined
  /** Stops the run, which saves its state: the same call resumes it. */
  readonly signal?: AbortSignal | undefined
  /** Receives each event after its fact is saved. An error that it throws stops the run. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined
  /** Answers in place of the endpoint, and counts its own dollars. */
  readonly model?: Model | undefined
  /** Receives pull requests, comments and issues. By default there are only branches. */
  readonly forge?: Forge | undefined
  /** Decides about destructive operations and proposals. Without one, they wait. */
  readonly person?: Person | undefined
}

export interface ScriptedModel {
  /** Those that came so far. */
  readonly requests: readonly ModelRequest[]
  /** @throws ExecutorError `model_rejected` when no retry can help (401, 404, 400). */
  complete(request: ModelRequest): Promise<ModelReply>
  /**
   * Tokens that a request may have with its answer, as a server on this machine or its private network says at once;
   * `null` where it does not, and for any other endpoint, which is not asked. Never throws.
   */
  readonly window?: ((model: string) => Promise<number | null>) | undefined
  /**
   * Whether the endpoint takes the key, at no cost.
   * @throws ExecutorError `model_rejected`
   */
  readonly tryKey?: (() => Promise<void>) | undefined
  /** By model of this endpoint, how usable its answers were in each form, as `executor calibrate` measured. Never throws. */
  readonly forms?: (() => Promise<{
    readonly [key: string]: {
      readonly function?: {
        readonly good: number
        readonly of: number
      } | undefined
      readonly whole?: {
        readonly good: number
        readonly of: number
      } | undefined
      readonly edits?: {
        readonly good: number
        readonly of: number
      } | undefined
    }
  }>) | undefined
}

/** An answer, a fault of the endpoint, or a function that reads the request. */
export type ScriptedReply = string | {
  readonly text: string
  readonly finish?: "length" | "stop" | undefined
  readonly why?: string | undefined
  readonly runaway?: true | undefined
  readonly usage?: Usage | undefined
} | {
  readonly unavailable: string
  readonly retryAt?: string | undefined
  readonly usage?: Usage | undefined
} | {
  readonly rejected: string
} | {
  readonly silent: string
} | {
  readonly tooLarge: string
  readonly window?: number | undefined
  readonly promptTokens?: number | undefined
} | ((request: ModelRequest) => ScriptedReply)

/** The settings, with the keys of `.github/executor.yml`. docs/configuration.md describes each. */
export interface SettingsFile {
  /** Kill switch: with `false`, no run starts. `EXECUTOR_DISABLED` does the same. */
  readonly enabled?: boolean | undefined
  /** Path of the roadmap inside the repository. */
  readonly roadmap?: string | undefined
  /** What counts as one task: a `task` with its subtasks, or each `leaf`. */
  readonly granularity?: "leaf" | "task" | undefined
  /** Do up to four small tasks in one request and one pull request: those that share a `file`, a `section`, or a written `**Group**` (`explicit`). */
  readonly group?: "explicit" | "file" | "off" | "section" | undefined
  /** Name of the model. */
  readonly model?: string | undefined
  /** Model to propose for a task that `model` had its tries at, as a `**Model**` line in the roadmap. */
  readonly "fallback-model"?: string | undefined
  /** Base URL of any OpenAI-compatible endpoint. */
  readonly "base-url"?: string | undefined
  /** `single` asks for the code right away; `two_phase` asks for a plan first; `tools` lets the model read, search, write and test in a loop; `auto` chooses one of them for each task; `agent` lets your own program write the change. */
  readonly strategy?: "agent" | "auto" | "single" | "tools" | "two_phase" | undefined
  /** With `strategy: agent`, the shell command of the agent, which reads the task on its standard input. In a file, only that of the default branch counts. */
  readonly "agent-command"?: string | null | undefined
  /** Hosts that the agent may reach besides the model: `registry.npmjs.org`, `host:8080`, or `*` for all of the internet. None by default. */
  readonly "agent-network"?: readonly string[] | undefined
  /** When tests stay red, ask the first question again for this many further answers at a higher temperature before a repair is asked for. */
  readonly samples?: number | undefined
  /** With `two_phase`, compare three plans for a complex task and continue with the best. */
  readonly critic?: boolean | undefined
  /** From this failure of an attempt on, ask for three lines of why before the next repair; 0 never asks. */
  readonly "reflect-after"?: number | undefined
  /** Keep one GitHub issue that shows the status of every task. */
  readonly dashboard?: boolean | undefined
  /** Write the report of a run as a comment on its pull requests: on `all`, on the `last` one, or `off`. Later runs edit it. */
  readonly "report-comment"?: "all" | "last" | "off" | undefined
  /** Keep an index of past runs, `.executor/history.db`, for `executor history`. */
  readonly history?: boolean | undefined
  /** Show a task what earlier tasks made, and try first the fixes that worked before; `off` recalls and learns nothing. No verdict depends on it. */
  readonly memory?: "off" | "on" | undefined
  /** Propose a way forward when a task keeps failing. */
  readonly recovery?: boolean | undefined
  /** Who decides about proposals: `interactive` waits for a person, `auto` applies them, `approve_decompose` waits only when a task is split, `review_only` only records them (the default where no one can answer). */
  readonly "approval-mode"?: "approve_decompose" | "auto" | "interactive" | "review_only" | undefined
  /** Wait for a person before writing a change with a destructive operation, in every approval mode. */
  readonly "pause-destructive"?: boolean | undefined
  /** Where a task's branch starts: `auto` from the work it depends on, `chain` from the previous task (the default without a forge), `none` from the base branch. */
  readonly stack?: "auto" | "chain" | "none" | undefined
  /** Where tests run: `auto` in the strongest sandbox available, `strict` in a sandbox or not at all, `off` without one. */
  readonly sandbox?: "auto" | "off" | "strict" | undefined
  /** Maximum number of independent tasks at the same time. With more than one, `stack` is `auto` unless it is set. */
  readonly parallel?: number | undefined
  /** Maximum number of tasks per run; 0 means no limit. */
  readonly "max-tasks"?: number | undefined
  /** Maximum number of steps per task. */
  readonly "max-iterations"?: number | undefined
  /** Maximum number of open pull requests by the executor, tasks and proposals together; 0 means no limit. */
  readonly "max-open-prs"?: number | undefined
  /** Maximum dollars per run. No limit by default. */
  readonly "max-cost"?: number | null | undefined
  /** Maximum tokens per run. No limit by default. */
  readonly "max-tokens"?: number | null | undefined
  /** `auto` and `agent` run the tests (they are the same in this version); `skip` runs nothing and says so. */
  readonly "verify-mode"?: "agent" | "auto" | "skip" | undefined
  /** Command that installs dependencies. Detected by default. */
  readonly "setup-command"?: string | null | undefined
  /** Command that runs the tests. Detected by default. */
  readonly "test-command"?: string | null | undefined
  /** Command that checks the code besides the tests. None by default. */
  readonly "lint-command"?: string | null | undefined
  /** Fail a task without tests instead of counting it as `unverified`. */
  readonly "require-tests"?: boolean | undefined
  /** Merge an approved pull request once its checks are green. */
  readonly "merge-on-approve"?: boolean | undefined
  /** Also merge an approved pull request that has no checks. Otherwise, no checks is not green. */
  readonly "merge-without-checks"?: boolean | undefined
  /** Where the GitHub App runs the work: `actions` starts the repository's workflow, `local` uses the App's own machine if its operator allows it. */
  readonly runner?: "actions" | "local" | undefined
  /** Workflow that the App starts, a file in `.github/workflows`. */
  readonly workflow?: string | undefined
  /** With `runner: local`, when the App starts a run by itself: a cron expression in UTC, or `off`. By default the App's operator decides (`EXECUTOR_SCHEDULE`). */
  readonly schedule?: string | null | undefined
  /** With `runner: local`, the repository whose `workspace.yml` names this one, `owner/name`: tasks can then depend on those of other repositories, and sets of tasks are merged together. */
  readonly workspace?: string | null | undefined
  /** Log level: `error` or `warn` (no progress), `info`, or `debug` (adds the plan, prompt sizes, commands and the time of each step). */
  readonly "log-level"?: "debug" | "error" | "info" | "warn" | undefined
  /** Dollars per million tokens for each model: `prompt` and `completion`. `my-model*` matches every name with that prefix. Without a price the cost is `unknown`, and a limit in dollars is refused; `prompt: 0, completion: 0` is a price. */
  readonly prices?: {
    readonly [key: string]: {
      readonly prompt: number
      readonly completion: number
    }
  } | undefined
  readonly "model-options"?: {
    /** Maximum length of an answer, in tokens. */
    readonly "max-output-tokens"?: number | undefined
    /** Sampling temperature. The endpoint decides by default. */
    readonly temperature?: number | null | undefined
    /** How an existing file is sent: `whole`, `edits` (SEARCH/REPLACE blocks) or `function` (the changed functions alone). By default small files whole, long ones as edits. */
    readonly form?: "edits" | "function" | "whole" | null | undefined
    /** Abort a request after this many seconds without the first piece of its answer. By default, at least `stall-seconds`, and as long as the endpoint needs to read the prompt. */
    readonly "first-byte-seconds"?: number | null | undefined
    /** Abort a request after this many seconds without data within an answer. */
    readonly "stall-seconds"?: number | undefined
    /** Abort a request after this many seconds in total. By default 600, or longer where the endpoint needs it for the longest answer. */
    readonly "timeout-seconds"?: number | null | undefined
  } | undefined
  readonly limits?: {
    /** Maximum repairs of code that does not parse, per attempt. */
    readonly "validation-repairs"?: number | undefined
    /** Maximum repairs of code whose tests fail, per attempt. */
    readonly "test-repairs"?: number | undefined
    /** Maximum repairs of a pull request whose checks fail, but not at its base; 0 never repairs. */
    readonly "ci-repairs"?: number | undefined
    /** A task fails once it has crashed the run this many times. */
    readonly starts?: number | undefined
    /** Maximum minutes per run. No limit by default. */
    readonly minutes?: number | null | undefined
    /** Stop an agent after this many minutes. */
    readonly "agent-minutes"?: number | undefined
    /** Maximum tokens per task. No limit by default. */
    readonly "tokens-per-task"?: number | null | undefined
    /** Maximum dollars per task. No limit by default. */
    readonly "cost-per-task"?: number | null | undefined
    /** Maximum tokens per request, prompt and answer. No limit by default. */
    readonly "tokens-per-call"?: number | null | undefined
    /** Maximum dollars per request. No limit by default. */
    readonly "cost-per-call"?: number | null | undefined
    /** Maximum tokens of all runs since 00:00 UTC, counted from `.executor/` and, on GitHub, `refs/executor/state`. No limit by default. */
    readonly "tokens-per-day"?: number | null | undefined
    /** Maximum dollars since 00:00 UTC. No limit by default. */
    readonly "cost-per-day"?: number | null | undefined
    /** Maximum number of runs that one person's commands may start per hour; further commands are refused. */
    readonly "commands-per-hour"?: number | undefined
    /** Maximum tokens of repository code in one request; fewer where a local model needs more than a minute for them. */
    readonly "context-tokens"?: number | undefined
    /** Maximum tool calls per attempt, with `strategy: tools`. A call takes up to two steps of `max-iterations`. */
    readonly "tool-calls"?: number | undefined
    /** Maximum reflections per attempt. */
    readonly reflections?: number | undefined
    /** End an attempt after this many changes in a row whose checks or tests failed, with `strategy: tools`. */
    readonly "failing-changes"?: number | undefined
    /** Maximum test runs that the model may ask for per attempt, with `strategy: tools`. */
    readonly "tool-test-runs"?: number | undefined
  } | undefined
  readonly tools?: {
    /** Tools that the model may use, with `strategy: tools`; `write_diff` and `done` always are. */
    readonly allowed?: readonly ("done" | "grep" | "list_files" | "read_file" | "run_tests" | "search" | "static_analyze" | "write_diff")[] | undefined
    /** Also offer the tools as native tool calls. An endpoint that refuses them is asked without. */
    readonly native?: boolean | undefined
    /** Shorten the older notes of a task once its scratchpad exceeds this many tokens. */
    readonly "summarise-over"?: number | undefined
  } | undefined
  readonly verify?: {
    /** Stop a test run after this many seconds. By default 600; less after a change to tests that compile nothing and took seconds before it (docs/verification.md). */
    readonly "timeout-seconds"?: number | null | undefined
    /** Maximum megabytes of memory for a test run and its child processes. Three quarters of the machine's memory by default. */
    readonly "memory-mb"?: number | null | undefined
    /** Allow packages to run their install scripts. */
    readonly "install-scripts"?: boolean | undefined
    /** Additional addresses, such as `https://cdn.example`, that an installation or a `setup-command` may reach. The registries of its installers and of the start commit are always allowed. */
    readonly registries?: readonly string[] | undefined
    /** Allow tests to use the network. */
    readonly network?: boolean | undefined
  } | undefined
  readonly state?: {
    /** Where to keep the model's answers until their task is finished, so that you pay for each only once: `ref` in the repository, under `refs/executor/state`; `artifact` in an artifact of the workflow run, for its re-runs; `off` nowhere. */
    readonly answers?: "artifact" | "off" | "ref" | undefined
    /** Number of days to keep the journals of finished runs. */
    readonly "retention-days"?: number | undefined
  } | undefined
  /** Globs that no task may change, besides the built-in list. */
  readonly "protected-paths"?: readonly string[] | undefined
  readonly commit?: {
    /** Template for commit and pull request titles: `{id}`, `{title}`. */
    readonly title?: string | undefined
    /** Author name of commits. */
    readonly name?: string | undefined
    /** Author email of commits. */
    readonly email?: string | undefined
    /** Co-authors added to each commit, as `Name <email>`. */
    readonly "co-authors"?: readonly string[] | undefined
  } | undefined
  readonly "pull-request"?: {
    /** Logins to request a review from. */
    readonly reviewers?: readonly string[] | undefined
    /** Logins to assign. */
    readonly assignees?: readonly string[] | undefined
    /** Additional labels. */
    readonly labels?: readonly string[] | undefined
    /** Open a draft when a task needs a person. */
    readonly "draft-when-escalated"?: boolean | undefined
  } | undefined
}

export interface TaskReport {
  /**
   * A verdict as reports name it: `budget_exceeded` for a task that reached a limit or its Budget, `planned` for
   * every task of a dry run, which asks no one.
   */
  readonly outcome: "budget_exceeded" | "deferred" | "done" | "failed" | "in_review" | "planned" | "rejected" | "replaced" | "rolled_back" | "skipped" | "unverified" | "waiting"
  readonly pr: {
    readonly number: number
    readonly url: string
  } | null
  readonly tokens: number
  /** Dollars; `null` when the price is unknown. */
  readonly cost: number | null
  /** `null` when this run verified nothing. */
  readonly changed: {
    readonly files: number
    readonly added: number
    readonly removed: number
  } | null
  /** Times of the work on the task. Empty without the run's journal. */
  readonly phases: readonly {
    readonly phase: "installing" | "model" | "other" | "repair" | "tests" | "waiting"
    readonly at: number
    readonly seconds: number
  }[]
  /** Its tool calls and reflections. Empty without the run's journal. */
  readonly notes: readonly ({
    readonly attempt: number
    readonly kind: "call"
    /** The model's words before it. */
    readonly thought: string
    /** `grep "total"` */
    readonly call: string
    /** `3 in 2 files` */
    readonly summary: string
  } | {
    readonly attempt: number
    readonly kind: "reflection"
    readonly lines: readonly string[]
  })[]
  readonly id: string
  readonly title: string
  /** Head of the branch; `null` when there is no branch, or when the base contains it. */
  readonly sha: string | null
  readonly branch: string | null
  readonly seconds: number
  /** One plain sentence; empty when the verdict says it all. */
  readonly reason: string
  readonly attempts: number
  readonly repairs: number
  /** How its last answer was asked for, and why; absent for a first request. */
  readonly request?: string | undefined
  /** Of a finished commit that is kept beside its branch, because someone else pushed. */
  readonly overtaken?: {
    readonly task: string
    readonly forge: "github" | "local"
    readonly branch: string
    /** The ref that keeps our commit. */
    readonly ref: string
    readonly ours: {
      /** `null` where the branch was deleted. */
      readonly sha: string | null
      /** Newest first; `more` counts those that are left out. */
      readonly commits: readonly {
        readonly sha: string
        readonly author: string
        readonly title: string
      }[]
      readonly moreCommits: number
      readonly files: readonly {
        readonly path: string
        /** Before a rename; otherwise equal to `path`. */
        readonly from: string
        readonly added: number | null
        readonly removed: number | null
      }[]
      readonly moreFiles: number
    }
    readonly theirs: {
      /** `null` where the branch was deleted. */
      readonly sha: string | null
      /** Newest first; `more` counts those that are left out. */
      readonly commits: readonly {
        readonly sha: string
        readonly author: string
        readonly title: string
      }[]
      readonly moreCommits: number
      readonly files: readonly {
        readonly path: string
        /** Before a rename; otherwise equal to `path`. */
        readonly from: string
        readonly added: number | null
        readonly removed: number | null
      }[]
      readonly moreFiles: number
    }
    /** What a merge of the two would give. */
    readonly merge: "clean" | "conflict" | "deleted" | "unrelated"
    readonly conflicts: readonly string[]
    /** How many commits ours are, on one line. */
    readonly picks: number
    /** The parent of our first commit, from 1, that git needs to pick its change onto theirs; 0 for its only one. */
    readonly mainline: number
    /** The lines around the first conflict; absent where it is not one of text. */
    readonly hunk?: {
      readonly path: string
      readonly text: string
    } | undefined
  } | undefined
  /** The commit that the branch started from, when known. */
  readonly start: string | null
  readonly receipt: {
    readonly result: "failed" | "passed" | "unverified"
    readonly commands: readonly {
      readonly command: string
      readonly exitCode: number | null
      readonly seconds: number
      readonly counts?: {
        readonly passed: number
        readonly failed: number
        readonly skipped: number
      } | null | undefined
      /** `null` when it did not run on the start commit. */
      readonly before?: {
        readonly exitCode: number | null
        readonly counts: {
          readonly passed: number
          readonly failed: number
          readonly skipped: number
        } | null
      } | null | undefined
      /** Last lines of a failed command; absent when it has red tests of others. */
      readonly output?: string | undefined
    }[]
    readonly before: {
      readonly passed: number
      readonly failed: number
      readonly skipped: number
    } | null
    readonly after: {
      readonly passed: number
      readonly failed: number
      readonly skipped: number
    } | null
    readonly seconds: number
    readonly sandbox: "bubblewrap" | "other-user" | "unsandboxed" | "unshare" | null
    /** Plain sentences: flaky tests, tests that failed before, checks that could not run. */
    readonly notes: readonly string[]
    /** Absent for a change that failed, and when an older version verified it. */
    readonly evidence?: "proven" | "unharmed" | "unverified" | undefined
    /** Warnings that a reviewer must see first: weakened tests, missing files. */
    readonly warnings?: readonly string[] | undefined
    /** Functions that the change adds and that do nothing yet, and its added lines of code. */
    readonly stubs?: {
      readonly found: number
      readonly lines: number
    } | undefined
    /** Absent when an older version verified the change. */
    readonly changed?: {
      readonly files: number
      readonly added: number
      readonly removed: number
    } | undefined
    /** Files that import a changed one, and how many of them have a test; only where an index knows. */
    readonly touches?: {
      readonly importers: number
      readonly tested: number
    } | undefined
    /** The first ones, where the runner names its tests; of a change that passed. */
    readonly newTests?: readonly {
      readonly test: string
      readonly file: string
      /**
       * `not_run`: its file does not load. `guards`: it passes, and fails once the functions that it tests
       * throw.
       */
      readonly before: "failed" | "guards" | "not_run" | "passed" | "unknown"
    }[] | undefined
  } | null
  /** The way that `strategy: auto` chose, and why. */
  readonly route?: string | undefined
  /** False when an earlier run did the work and this one only found it. */
  readonly thisRun: boolean
}

/** A tool that the model may call. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** A JSON Schema of the arguments, which are an object. */
  readonly parameters: {
    readonly [key: string]: unknown
  }
}

export interface Usage {
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly dollars: number
}
