import { problemRules } from '../../../packages/task/task.ts'

type What = (detail: string) => string

/** A fault of the set-up: what happened, and what to do next. */
const setUp = (what: What, next: string) => ({ exitCode: 2, what, next }) as const

/** What passes, so that running again resumes. */
const later = (what: What, next: string) => ({ exitCode: 4, what, next }) as const

/** Every error that a user can meet and that is not the outcome of a task. */
export const catalogue = {
  not_a_repository: setUp(
    (d) => `${d} is not inside a git repository.`,
    'Run it in a repository, or make one: git init && git add -A && git commit -m start',
  ),
  no_commits: setUp(
    (d) => `The repository ${d} has no commit yet.`,
    'Commit at least the roadmap: git add -A && git commit -m start',
  ),
  no_roadmap: setUp(
    (d) => `There is no ${d}${d.endsWith('?') ? '' : '.'}`,
    'Write one (executor init makes a sample) and commit it, or name another with --roadmap.',
  ),
  no_model: setUp(
    () => 'No model is configured.',
    'Name one: --model NAME, OPENAI_MODEL, or model in .github/executor.yml. To see it work without one: executor demo',
  ),
  no_agent: setUp(
    () => 'strategy: agent needs a program, but no agent-command is set.',
    'Name it: --agent-command "codex exec …", or agent-command in .github/executor.yml. docs/agents.md has the lines of known agents.',
  ),
  no_api_key: setUp(
    (d) => `OPENAI_API_KEY is not set, and ${d} needs a key.`,
    'Set it, or name another endpoint with --base-url: a local server usually needs no key.',
  ),
  no_price: setUp(
    (d) => d,
    'Add the line, with 0 and 0 for a model that costs nothing; or leave the limit out: max-tokens needs no price.',
  ),
  switched_off: later(
    () => 'Switched off: enabled is false, or EXECUTOR_DISABLED is set. Nothing was done.',
    'Set enabled to true in .github/executor.yml, or unset EXECUTOR_DISABLED.',
  ),
  model_rejected: setUp(
    (d) => `The model endpoint refused the request: ${d}`,
    'Check OPENAI_API_KEY, --base-url and --model. executor doctor tries them.',
  ),
  model_unreachable: later(
    (d) => `The model does not answer: ${d}`,
    'Run it again when the endpoint answers; executor doctor tries it.',
  ),
  config_invalid: setUp(
    (d) => `The configuration is not valid: ${d}`,
    'executor config check shows every problem with its line.',
  ),
  workspace_invalid: setUp(
    (d) => `The workspace cannot be used: ${d}`,
    'Name every repository in workspace.yml, and the workspace in every .github/executor.yml.',
  ),
  bad_usage: setUp((d) => d, 'executor --help shows every command and flag.'),
  unknown_task: setUp(
    (d) => `The roadmap has no task ${d}.`,
    'executor plan lists the tasks with their ids.',
  ),
  unknown_run: setUp(
    (d) => d,
    'Name a run by its id or the beginning of one, or say last; executor replay lists the runs.',
  ),
  no_run: setUp(
    () => 'No run is recorded here yet.',
    'executor run records one. GitHub has the records of runs there: executor rollback --github, executor history --github.',
  ),
  git_failed: {
    exitCode: 5,
    what: (d: string) => `git failed: ${d}`,
    next: 'executor doctor checks the repository. Nothing was lost: run the same command again.',
  },
  git_missing: setUp((d) => `git cannot be used: ${d}`, 'Install git 2.30 or newer.'),
  no_github_token: setUp(
    () => 'There is no GitHub token.',
    'Pass the input github-token, with the permissions contents: write and pull-requests: write.',
  ),
  actions_may_not_create_pull_requests: setUp(
    (d) => `GitHub does not let Actions create pull requests in ${d}. The branch is pushed.`,
    'Settings → Actions → General → Workflow permissions → allow GitHub Actions to create pull requests; or pass the token of an App. The next run opens the PR from the branch.',
  ),
  forge_denied: setUp(
    (d) => `GitHub refused: ${d}`,
    'Check the token and its permissions: contents: write, pull-requests: write, issues: write.',
  ),
  forge_unreachable: later(
    (d) => `GitHub cannot be reached: ${d}`,
    'Run it again later; finished work is on its branches.',
  ),
  branch_refused: setUp(
    (d) => `git cannot write a branch of ours: ${d}`,
    'Rename that branch, or check out another one there, and run the same command again. The executor writes agent/<id> and executor/….',
  ),
  branch_protected: setUp(
    (d) => `The push was refused by branch protection (GH006): ${d}`,
    'Let the bot push to agent/** and executor/**.',
  ),
  sandbox_missing: setUp(
    (d) => `sandbox: strict, but no sandbox is available here: ${d}`,
    'Install bubblewrap (apt-get install bubblewrap), or choose sandbox: auto.',
  ),
  agent_unconfined: setUp(
    (d) =>
      `strategy: agent needs a sandbox with a network of its own, and none is available here: ${d}`,
    'Install bubblewrap (apt-get install bubblewrap). On a machine that holds nothing to protect: sandbox: off.',
  ),
  another_run: later(
    (d) => `Another run is in progress in this repository (${d}).`,
    'Wait for it, or stop it. The next run takes over from one that died.',
  ),
  state_corrupt: setUp(
    (d) => `The saved state cannot be read: ${d}`,
    'A copy of the file is beside it as .corrupt. Finished work is on its branches: run again with --fresh.',
  ),
  state_unwritable: later(
    (d) => `The run's state cannot be saved: ${d}`,
    'Free some space on the disk, or allow writing there, and run the same command again: the state before this step is intact.',
  ),
  disk_unwritable: later(
    (d) => `Writing to the disk failed: ${d}`,
    'Free some space, or allow writing there, and run the same command again: finished work is kept.',
  ),
  folder_unwritable: setUp(
    (d) => `Cannot write ${d}.`,
    'Allow writing there (ls -ld shows who may), or run the command in a copy of the repository that you own.',
  ),
  app_not_configured: setUp(
    (d) => `The App is not configured: ${d}.`,
    'Set APP_ID, PRIVATE_KEY or PRIVATE_KEY_PATH, and WEBHOOK_SECRET, or none of them to set the App up at its address; docs/app.md describes both.',
  ),
  app_not_installed: setUp(
    (d) => `The libraries that only the App needs are not installed. Install them:\n  ${d}`,
    'Then start the App again. The image in docs/app.md includes them.',
  ),
  weak_webhook_secret: setUp(
    (d) => `WEBHOOK_SECRET protects nothing: ${d}.`,
    "Make one with: openssl rand -hex 32. Enter it in the App's settings on GitHub and here.",
  ),
  queue_locked: later(
    (d) => `Another process uses the queue in ${d}.`,
    'Stop it, or set DATABASE_URL to a PostgreSQL database, which several processes can share.',
  ),
  queue_unreachable: later(
    (d) => `The queue cannot be opened: ${d}`,
    'Check that the PostgreSQL server in DATABASE_URL runs and accepts the login; without DATABASE_URL, that the folder in EXECUTOR_DATA is writable.',
  ),
  no_report: setUp(
    (d) => `There is no report of a run in ${d} yet.`,
    'executor run writes one into .executor/.',
  ),
  file_unreadable: setUp(
    (d) => `Cannot read ${d}${d.endsWith('?') ? '' : '.'}`,
    'Check the path and its permissions.',
  ),
} as const

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
