import type { SandboxKind } from './test-report.ts'

export const approvalModes = ['auto', 'interactive', 'review_only', 'approve_decompose'] as const
export type ApprovalMode = (typeof approvalModes)[number]
export type StackMode = 'chain' | 'auto' | 'none'
export type VerifyMode = 'auto' | 'agent' | 'skip'

/** A price in dollars for a million tokens. */
export interface Price {
  readonly prompt: number
  readonly completion: number
}

/** Every setting of a run, after flags, environment, file and defaults were merged. */
export interface Settings {
  readonly enabled: boolean
  /** Path of the roadmap inside the repository. */
  readonly roadmap: string
  readonly granularity: 'task' | 'leaf'
  readonly model: {
    readonly name: string
    readonly baseUrl: string
    /** Largest answer asked for, in tokens. */
    readonly maxOutputTokens: number
    readonly temperature: number | null
    /** Seconds without a byte before a call is given up. */
    readonly stallSeconds: number
    readonly timeoutSeconds: number
    /** Prices by model name, or by its beginning (`my-model*`); a model without one costs 0 and the report says so. */
    readonly prices: Readonly<Record<string, Price>>
  }
  readonly planning: boolean
  /** One issue that shows how every task stands; only with a forge. */
  readonly dashboard: boolean
  /** Whether finished tasks go into `.executor/history.db`. */
  readonly history: boolean
  readonly recovery: boolean
  readonly approvalMode: ApprovalMode
  /** Destructive operations in a change wait for a person, whatever the approval mode. */
  readonly pauseDestructive: boolean
  readonly stack: StackMode
  readonly limits: {
    /** Tasks per run; 0 is no limit. */
    readonly tasks: number
    /** Node steps per task. */
    readonly iterations: number
    readonly openPullRequests: number
    readonly validationRepairs: number
    readonly testRepairs: number
    readonly starts: number
    /** Per run; `null` is no limit. */
    readonly tokens: number | null
    readonly dollars: number | null
    readonly minutes: number | null
    readonly tokensPerTask: number | null
    readonly dollarsPerTask: number | null
    /** Prompt and answer of one request. */
    readonly tokensPerCall: number | null
    readonly dollarsPerCall: number | null
    /** All runs of this repository since 00:00 UTC, as far as `.executor/` knows them. */
    readonly tokensPerDay: number | null
    readonly dollarsPerDay: number | null
    /** Of one person, that start a run. */
    readonly commandsPerHour: number
    /** Prompt tokens for one request's context. */
    readonly contextTokens: number
  }
  /** What an approval of a finished task does. */
  readonly merge: {
    readonly onApprove: boolean
    /** Whether no check at all is as good as green ones. */
    readonly withoutChecks: boolean
  }
  readonly verify: {
    readonly mode: VerifyMode
    readonly requireTests: boolean
    /** `null`: detected. */
    readonly setupCommand: string | null
    readonly testCommand: string | null
    readonly lintCommand: string | null
    readonly timeoutSeconds: number
    /** Megabytes for a test run and all it starts; `null` is three quarters of the machine's. */
    readonly memoryMegabytes: number | null
    readonly installScripts: boolean
    /** URLs that installations may reach, besides those that installers and the start commit name. */
    readonly registries: readonly string[]
  }
  readonly sandbox: {
    /** `auto`: the strongest there is; `strict`: refuse without one; `off`: none, and said. */
    readonly mode: 'auto' | 'off' | 'strict'
    readonly network: boolean
  }
  /** Globs protected besides the built-in list. */
  readonly protectedPaths: readonly string[]
  readonly commit: {
    /** Template with `{id}` and `{title}`. */
    readonly title: string
    readonly name: string
    readonly email: string
    readonly coAuthors: readonly string[]
  }
  readonly pullRequest: {
    readonly reviewers: readonly string[]
    readonly assignees: readonly string[]
    readonly labels: readonly string[]
    readonly draftWhenEscalated: boolean
  }
  /** Who works when the GitHub App is told of something: the repository's workflow, or the App's machine. */
  readonly app: {
    readonly runner: 'actions' | 'local'
    /** A file's name in `.github/workflows`. */
    readonly workflow: string
  }
  /** What a run leaves for the next one. */
  readonly state: {
    /**
     * Where the model's answers of unfinished tasks are: in the repository's state (`ref`), on this disk
     * alone, which the workflow uploads for when it is run again (`artifact`), or nowhere (`off`).
     */
    readonly answers: 'ref' | 'artifact' | 'off'
    readonly retentionDays: number
  }
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug'
}

/** What the sandbox preflight found; asked for once per run. */
export interface SandboxAbility {
  readonly kind: SandboxKind
  readonly network: 'none' | 'host'
  /** Why nothing stronger was taken. */
  readonly reason: string
}
