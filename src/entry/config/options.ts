/** One setting, wherever it can be given. Help texts, tables and `action.yml` are checked against this. */
export interface Option {
  /** Key in the configuration file; dotted when it stands in a group. */
  readonly key: string
  /** As the command line spells it, `--max-tasks <number>`; `null` when it has none. */
  readonly flag: string | null
  readonly input: string | null
  readonly environment: string | null
  readonly description: string
}

/** A flag without a value that sets one setting. */
export interface Shorthand {
  readonly flag: string
  readonly key: string
  readonly value: string | boolean
  readonly description: string
}

/**
 * Every setting, in the order people read them.
 * What a flag or an input can set stands at the top of the file under the same name; the rest is grouped.
 */
export const options: readonly Option[] = [
  {
    ...inFile(
      'enabled',
      'The kill switch: `false` lets no run start. EXECUTOR_DISABLED does the same.',
    ),
    environment: 'EXECUTOR_DISABLED',
  },
  everywhere('roadmap', '<file>', 'The roadmap, a path inside the repository.'),
  inFile('granularity', 'What one task is: a `task` of the list, or each `leaf` of it.'),
  { ...everywhere('model', '<name>', 'Name of the model.'), environment: 'OPENAI_MODEL' },
  {
    ...everywhere('base-url', '<url>', 'Base URL of any OpenAI-compatible endpoint.'),
    environment: 'OPENAI_BASE_URL',
  },
  everywhere(
    'strategy',
    '<name>',
    '`single` asks for the code at once; `two_phase` asks for a plan first.',
  ),
  inEnvironment('dashboard', 'Keep one issue on GitHub that shows how every task stands.'),
  inEnvironment(
    'history',
    'Keep an index of what happened, `.executor/history.db`, for `executor history`.',
  ),
  inEnvironment('recovery', 'Propose what to do about a task that keeps failing.'),
  everywhere(
    'approval-mode',
    '<mode>',
    'Who decides about proposals: `interactive` waits for a person, `auto` applies them, `approve_decompose` waits for new tasks only, `review_only` writes them down (the default where nobody can answer).',
  ),
  inEnvironment(
    'pause-destructive',
    'A change that deletes or overwrites what nobody can bring back waits for a person, in every approval mode.',
  ),
  everywhere(
    'stack',
    '<mode>',
    'Where a task starts: `auto` from the work it depends on, `chain` from the task before (the default without a forge), `none` from the base branch.',
  ),
  everywhere(
    'sandbox',
    '<mode>',
    'Where tests run: `auto` takes the strongest sandbox there is, `strict` refuses to run without one, `off` takes none.',
  ),
  everywhere('max-tasks', '<number>', 'Tasks per run; 0 is no limit.'),
  onCommandLine('max-iterations', '<number>', 'Steps per task.'),
  asInput(
    'max-open-prs',
    'Open pull requests of ours at a time, of tasks and of proposals; 0 is no limit.',
  ),
  everywhere('max-cost', '<dollars>', 'Dollars per run. No limit when left out.'),
  everywhere('max-tokens', '<number>', 'Tokens per run. No limit when left out.'),
  onCommandLine(
    'verify-mode',
    '<mode>',
    '`auto` and `agent` run the tests (no difference in this version), `skip` runs nothing and says so.',
  ),
  asInput('setup-command', 'Installs dependencies. Detected when left out.'),
  asInput('test-command', 'Runs the tests. Detected when left out.'),
  asInput('lint-command', 'Checks the code besides the tests. None when left out.'),
  asInput('require-tests', 'A task without any test fails, instead of counting as `unverified`.'),
  asInput(
    'merge-on-approve',
    'An approval of a finished task merges its pull request, once its checks are green.',
  ),
  inFile(
    'merge-without-checks',
    'An approval also merges what nothing has checked: no check at all is not green otherwise.',
  ),
  inFile(
    'runner',
    "Where the GitHub App lets the work be done: `actions` starts the repository's workflow, `local` works on the App's own machine, if its operator allows that.",
  ),
  inFile('workflow', 'The workflow that the App starts, a file in `.github/workflows`.'),
  everywhere('log-level', '<level>', 'How much is said: `error`, `warn`, `info` or `debug`.'),
  inFile(
    'prices',
    'Dollars for a million tokens by model: `prompt` and `completion`. `my-model*` is for every name that begins so. A model without a price costs 0, and the report says so.',
  ),
  inFile('model-options.max-output-tokens', 'Largest answer asked for, in tokens.'),
  inFile('model-options.temperature', 'Left to the endpoint when left out.'),
  inFile('model-options.stall-seconds', 'Seconds without a byte before a call is given up.'),
  inFile('model-options.timeout-seconds', 'Seconds before a call is given up in any case.'),
  inFile('limits.validation-repairs', 'Repairs of code that does not parse, per attempt.'),
  inFile('limits.test-repairs', 'Repairs of code whose tests fail, per attempt.'),
  inFile('limits.starts', 'Starts of a task that crashes the run before it counts as failed.'),
  inFile('limits.minutes', 'Minutes per run. No limit when left out.'),
  inFile('limits.tokens-per-task', 'Tokens per task. No limit when left out.'),
  inFile('limits.cost-per-task', 'Dollars per task. No limit when left out.'),
  inFile(
    'limits.tokens-per-call',
    'Tokens of one request: prompt and answer. No limit when left out.',
  ),
  inFile('limits.cost-per-call', 'Dollars of one request. No limit when left out.'),
  inFile(
    'limits.tokens-per-day',
    'Tokens of all runs since 00:00 UTC, as `.executor/` and, on GitHub, `refs/executor/state` have them. No limit when left out.',
  ),
  inFile(
    'limits.cost-per-day',
    'Dollars of all runs since 00:00 UTC, counted in the same way. No limit when left out.',
  ),
  inFile(
    'limits.commands-per-hour',
    'Commands of one person in an hour that start a run; what is over is refused.',
  ),
  inFile('limits.context-tokens', "Tokens of the repository's code shown in one request."),
  inFile('verify.timeout-seconds', 'Seconds before a test run is ended.'),
  inFile(
    'verify.memory-mb',
    "Megabytes a test run and all it starts may use together; three quarters of the machine's when left out.",
  ),
  inFile('verify.install-scripts', 'Let packages run their install scripts.'),
  inFile(
    'verify.registries',
    'Addresses, `https://cdn.example`, that an installation or a `setup-command` may reach besides the registries of its installers and of the start commit.',
  ),
  inFile('verify.network', 'Let tests use the network.'),
  inFile(
    'state.answers',
    "Where the model's answers of unfinished tasks are kept, so that none is paid for twice: `ref` in the repository, under `refs/executor/state`; `artifact` in an artifact of the workflow run, for when that is run again; `off` nowhere.",
  ),
  inFile('state.retention-days', 'Days that the journals of finished runs are kept.'),
  inFile('protected-paths', 'Globs no task may touch, besides the built-in list.'),
  inFile('commit.title', 'Template of commit and pull request titles, with `{id}` and `{title}`.'),
  inFile('commit.name', 'Name of the author.'),
  inFile('commit.email', 'Address of the author.'),
  inFile('commit.co-authors', 'Added to each commit, as `Name <address>`.'),
  inFile('pull-request.reviewers', 'People asked for a review.'),
  inFile('pull-request.assignees', 'People assigned.'),
  inFile('pull-request.labels', 'Labels besides our own.'),
  inFile('pull-request.draft-when-escalated', 'A task that needs a person becomes a draft.'),
]

export const shorthands: readonly Shorthand[] = [
  shorthand('--enable-planning', 'strategy', 'two_phase', 'The same as --strategy two_phase.'),
  shorthand(
    '--enable-recovery',
    'recovery',
    true,
    'Propose what to do about a task that keeps failing.',
  ),
  shorthand('--no-recovery', 'recovery', false, 'Leave a task that keeps failing as failed.'),
  shorthand(
    '--pause-destructive',
    'pause-destructive',
    true,
    'Wait for a person before destructive operations are written (the default).',
  ),
  shorthand(
    '--no-pause-destructive',
    'pause-destructive',
    false,
    'Write destructive operations without asking; the report lists them.',
  ),
  shorthand('--verbose', 'log-level', 'debug', 'The same as --log-level debug.'),
]

function shorthand(
  flag: string,
  key: string,
  value: string | boolean,
  description: string,
): Shorthand {
  return { flag, key, value, description }
}

function inFile(key: string, description: string): Option {
  return { key, flag: null, input: null, environment: null, description }
}

function asInput(key: string, description: string): Option {
  const environment = `EXECUTOR_${key.replaceAll('-', '_').toUpperCase()}`
  return { key, flag: null, input: key, environment, description }
}

/** A switch of the file that the environment may turn. */
function inEnvironment(key: string, description: string): Option {
  return { ...asInput(key, description), input: null }
}

function onCommandLine(key: string, value: string, description: string): Option {
  return { ...everywhere(key, value, description), input: null }
}

function everywhere(key: string, value: string, description: string): Option {
  return { ...asInput(key, description), flag: `--${key} ${value}` }
}

/**
 * The settings among a parsed command line's options, by key, ready for `resolveSettings`.
 * Takes the names commander makes: `--max-tasks` is `maxTasks`, `--no-recovery` is `recovery: false`.
 */
export function readFlags(
  parsed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const flags: Record<string, unknown> = {}
  for (const { flag, key, value } of shorthands) {
    const negated = flag.startsWith('--no-')
    const name = camelCase(flag.replace(/^--(no-)?/, ''))
    if (parsed[name] === !negated) flags[key] = value
  }
  for (const { flag, key } of options) {
    const given = flag === null ? undefined : parsed[camelCase(key)]
    if (given !== undefined) flags[key] = given
  }
  return flags
}

const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
