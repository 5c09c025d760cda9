/** A fault of the set-up: what happened, and what to do next. */
interface CatalogueEntry {
  readonly exitCode: 2 | 4 | 5
  readonly what: (detail: string) => string
  readonly next: string
}

/** Every error that a user can meet and that is not the outcome of a task. */
export const catalogue = {
  not_a_repository: {
    exitCode: 2,
    what: (d) => `${d} is not inside a git repository.`,
    next: 'Run it in a repository, or make one: git init && git add -A && git commit -m start',
  },
  no_commits: {
    exitCode: 2,
    what: (d) => `The repository ${d} has no commit yet.`,
    next: 'Commit at least the roadmap: git add -A && git commit -m start',
  },
  no_roadmap: {
    exitCode: 2,
    what: (d) => `There is no ${d} in the base commit.`,
    next: 'Write one (executor init makes a sample) and commit it, or name another with --roadmap.',
  },
  no_model: {
    exitCode: 2,
    what: () => 'No model is configured.',
    next: 'Name one: --model NAME, OPENAI_MODEL, or model in .github/executor.yml. To see it work without one: executor demo',
  },
  no_agent: {
    exitCode: 2,
    what: () => 'strategy: agent needs a program, but no agent-command is set.',
    next: 'Name it: --agent-command "codex exec …", or agent-command in .github/executor.yml. docs/agents.md has the lines of known agents.',
  },
  no_api_key: {
    exitCode: 2,
    what: (d) => `No API key for ${d}.`,
    next: 'Set OPENAI_API_KEY (any value for a local server that needs none).',
  },
  no_price: {
    exitCode: 2,
    what: (d) => d,
    next: 'Add the line, with 0 and 0 for a model that costs nothing; or leave the limit out: max-tokens needs no price.',
  },
  switched_off: {
    exitCode: 4,
    what: () => 'Switched off: enabled is false, or EXECUTOR_DISABLED is set. Nothing was done.',
    next: 'Set enabled to true in .github/executor.yml, or unset EXECUTOR_DISABLED.',
  },
  model_rejected: {
    exitCode: 2,
    what: (d) => `The model endpoint refused the request: ${d}`,
    next: 'Check OPENAI_API_KEY, --base-url and --model. executor doctor tries them.',
  },
  config_invalid: {
    exitCode: 2,
    what: (d) => `The configuration is not valid: ${d}`,
    next: 'executor config check shows every problem with its line.',
  },
  bad_usage: { exitCode: 2, what: (d) => d, next: 'executor --help shows every command and flag.' },
  unknown_task: {
    exitCode: 2,
    what: (d) => `The roadmap has no task ${d}.`,
    next: 'executor plan lists the tasks with their ids.',
  },
  unknown_run: {
    exitCode: 2,
    what: (d) => d,
    next: 'Name a run by its id or the beginning of one, or say last; executor replay lists the runs.',
  },
  no_run: {
    exitCode: 2,
    what: () => 'No run is recorded here yet.',
    next: 'executor run records one. GitHub has the records of runs there: executor rollback --github, executor history --github.',
  },
  git_failed: {
    exitCode: 5,
    what: (d) => `git failed: ${d}`,
    next: 'executor doctor checks the repository. Nothing was lost: run the same command again.',
  },
  git_missing: {
    exitCode: 2,
    what: (d) => `git cannot be used: ${d}`,
    next: 'Install git 2.30 or newer.',
  },
  no_github_token: {
    exitCode: 2,
    what: () => 'There is no GitHub token.',
    next: 'Pass the input github-token, with the permissions contents: write and pull-requests: write.',
  },
  actions_may_not_create_pull_requests: {
    exitCode: 2,
    what: (d) => `GitHub does not let Actions create pull requests in ${d}. The branch is pushed.`,
    next: 'Settings → Actions → General → Workflow permissions → allow GitHub Actions to create pull requests; or pass the token of an App. The next run opens the PR from the branch.',
  },
  forge_denied: {
    exitCode: 2,
    what: (d) => `GitHub refused: ${d}`,
    next: 'Check the token and its permissions: contents: write, pull-requests: write, issues: write.',
  },
  forge_unreachable: {
    exitCode: 4,
    what: (d) => `GitHub cannot be reached: ${d}`,
    next: 'Run it again later; finished work is on its branches.',
  },
  branch_protected: {
    exitCode: 2,
    what: (d) => `The push was refused by branch protection (GH006): ${d}`,
    next: 'Let the bot push to agent/** and executor/**.',
  },
  sandbox_missing: {
    exitCode: 2,
    what: (d) => `sandbox: strict, but no sandbox is available here: ${d}`,
    next: 'Install bubblewrap (apt-get install bubblewrap), or choose sandbox: auto.',
  },
  agent_unconfined: {
    exitCode: 2,
    what: (d) =>
      `strategy: agent needs a sandbox with a network of its own, and none is available here: ${d}`,
    next: 'Install bubblewrap (apt-get install bubblewrap). On a machine that holds nothing to protect: sandbox: off.',
  },
  another_run: {
    exitCode: 4,
    what: (d) => `Another run is in progress in this repository (${d}).`,
    next: 'Wait for it, or stop it. The next run takes over from one that died.',
  },
  state_corrupt: {
    exitCode: 2,
    what: (d) => `The saved state cannot be read: ${d}`,
    next: 'A copy of the file is beside it as .corrupt. Finished work is on its branches: run again with --fresh.',
  },
  state_unwritable: {
    exitCode: 4,
    what: (d) => `The run's state cannot be saved: ${d}`,
    next: 'Free some space on the disk, or allow writing there, and run the same command again: the state before this step is intact.',
  },
  disk_unwritable: {
    exitCode: 4,
    what: (d) => `Writing to the disk failed: ${d}`,
    next: 'Free some space, or allow writing there, and run the same command again: finished work is kept.',
  },
  folder_unwritable: {
    exitCode: 2,
    what: (d) => `Cannot write ${d}.`,
    next: 'Allow writing there (ls -ld shows who may), or run the command in a copy of the repository that you own.',
  },
  app_not_configured: {
    exitCode: 2,
    what: (d) => `The App is not configured: ${d}.`,
    next: 'Set APP_ID, PRIVATE_KEY or PRIVATE_KEY_PATH, and WEBHOOK_SECRET, or none of them to set the App up at its address; docs/app.md describes both.',
  },
  app_not_installed: {
    exitCode: 2,
    what: (d) => `The libraries that only the App needs are not installed. Install them:\n  ${d}`,
    next: 'Then start the App again. The image in docs/app.md includes them.',
  },
  weak_webhook_secret: {
    exitCode: 2,
    what: (d) => `WEBHOOK_SECRET protects nothing: ${d}.`,
    next: "Make one with: openssl rand -hex 32. Enter it in the App's settings on GitHub and here.",
  },
  queue_locked: {
    exitCode: 4,
    what: (d) => `Another process uses the queue in ${d}.`,
    next: 'Stop it, or set DATABASE_URL to a PostgreSQL database, which several processes can share.',
  },
  queue_unreachable: {
    exitCode: 4,
    what: (d) => `The queue cannot be opened: ${d}`,
    next: 'Check that the PostgreSQL server in DATABASE_URL runs and accepts the login; without DATABASE_URL, that the folder in EXECUTOR_DATA is writable.',
  },
  no_report: {
    exitCode: 2,
    what: (d) => `There is no report of a run in ${d} yet.`,
    next: 'executor run writes one into .executor/.',
  },
  file_unreadable: {
    exitCode: 2,
    what: (d) => `Cannot read ${d}.`,
    next: 'Check the path and its permissions.',
  },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof catalogue

/** Reasons that end a run whose set-up is sound; the remedy depends on the case. */
const endings = [
  'no_tasks_found',
  'not_prepared',
  'still_so',
  'same_cause',
  'model_unavailable',
  'forge_unavailable',
] as const

/** Rules that a roadmap's text can break. */
const problemRules = [
  'invalid-id',
  'duplicate-id',
  'same-task',
  'unknown-dependency',
  'unread-dependency',
  'dependency-cycle',
  'invalid-path',
  'unread-text',
  'unread-status',
  'unsandboxed-commands',
  'edited-since',
  'issue',
] as const

export type ProblemRule = (typeof problemRules)[number]

/** Every code in a report; problems of the roadmap's text carry the code of their rule. */
export const runErrorCodes = [
  ...(Object.keys(catalogue) as ErrorCode[]),
  ...endings,
  ...problemRules,
] as const

export type RunErrorCode = (typeof runErrorCodes)[number]

export const isCatalogued = (code: RunErrorCode): code is ErrorCode =>
  Object.hasOwn(catalogue, code)

/** A fault of the set-up, thrown anywhere and shown in one place (`entry`). */
export class ExecutorError extends Error {
  readonly code: ErrorCode
  readonly next: string
  readonly exitCode: number
  /** ISO time after which a retry makes sense, when known. */
  readonly retryAt: string | null

  constructor(
    code: ErrorCode,
    detail = '',
    { retryAt = null, ...options }: { cause?: unknown; retryAt?: string | null } = {},
  ) {
    super(catalogue[code].what(detail), options)
    this.name = 'ExecutorError'
    this.code = code
    this.next =
      retryAt === null
        ? catalogue[code].next
        : `Run it again after ${retryAt}; finished work is kept.`
    this.retryAt = retryAt
    this.exitCode = catalogue[code].exitCode
  }

  /** The error as the report keeps it. */
  toRecord(taskId: string | null): RunErrorRecord {
    return { code: this.code, message: this.message, next: this.next, taskId }
  }
}

/** A refusal by the forge, as the report keeps it. */
export const recordOfRefusal = (
  { code, detail }: { readonly code: ErrorCode; readonly detail: string },
  taskId: string | null,
): RunErrorRecord => new ExecutorError(code, detail).toRecord(taskId)

interface RunErrorRecord {
  readonly code: ErrorCode
  readonly message: string
  readonly next: string
  readonly taskId: string | null
}

/** True for an error of the catalogue with one of these codes. */
export const isError = (error: unknown, ...codes: readonly ErrorCode[]): error is ExecutorError =>
  error instanceof ExecutorError && codes.includes(error.code)
