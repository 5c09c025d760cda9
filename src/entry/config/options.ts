/** One setting and every place that can set it. Tests check the help, the tables and `action.yml` against this. */
export interface Option {
  /** Key in the configuration file; dotted inside a group. */
  readonly key: string
  /** As on the command line, `--max-tasks <number>`; `null` without a flag. */
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
 * Every setting, in reading order.
 * A setting with a flag or an input is a top-level key of the same name; the others are grouped.
 */
export const options: readonly Option[] = [
  {
    ...inFile(
      'enabled',
      'Kill switch: with `false`, no run starts. `EXECUTOR_DISABLED` does the same.',
    ),
    environment: 'EXECUTOR_DISABLED',
  },
  everywhere('roadmap', '<file>', 'Path of the roadmap inside the repository.'),
  inFile('granularity', 'What counts as one task: a `task` with its subtasks, or each `leaf`.'),
  onCommandLine(
    'group',
    '<rule>',
    'Do up to four small tasks in one request and one pull request: those that share a `file`, a `section`, or a written `**Group**` (`explicit`).',
  ),
  { ...everywhere('model', '<name>', 'Name of the model.'), environment: 'OPENAI_MODEL' },
  inFile(
    'fallback-model',
    'Model to propose for a task that `model` had its tries at, as a `**Model**` line in the roadmap.',
  ),
  {
    ...everywhere('base-url', '<url>', 'Base URL of any OpenAI-compatible endpoint.'),
    environment: 'OPENAI_BASE_URL',
  },
  everywhere(
    'strategy',
    '<name>',
    '`single` asks for the code right away; `two_phase` asks for a plan first; `tools` lets the model read, search, write and test in a loop; `auto` chooses one of them for each task; `agent` lets your own program write the change.',
  ),
  {
    ...onCommandLine(
      'agent-command',
      '<command>',
      'With `strategy: agent`, the shell command of the agent, which reads the task on its standard input. In a file, only that of the default branch counts.',
    ),
    environment: null,
  },
  inFile(
    'agent-network',
    'Hosts that the agent may reach besides the model: `registry.npmjs.org`, `host:8080`, or `*` for all of the internet. None by default.',
  ),
  inEnvironment(
    'samples',
    'When tests stay red, ask the first question again for this many further answers at a higher temperature before a repair is asked for.',
  ),
  inEnvironment(
    'critic',
    'With `two_phase`, compare three plans for a complex task and continue with the best.',
  ),
  inEnvironment(
    'reflect-after',
    'From this failure of an attempt on, ask for three lines of why before the next repair; 0 never asks.',
  ),
  inEnvironment('dashboard', 'Keep one GitHub issue that shows the status of every task.'),
  inEnvironment(
    'report-comment',
    'Write the report of a run as a comment on its pull requests: on `all`, on the `last` one, or `off`. Later runs edit it.',
  ),
  inEnvironment(
    'history',
    'Keep an index of past runs, `.executor/history.db`, for `executor history`.',
  ),
  inEnvironment(
    'memory',
    'Show a task what earlier tasks made, and try first the fixes that worked before; `off` recalls and learns nothing. No verdict depends on it.',
  ),
  inEnvironment('recovery', 'Propose a way forward when a task keeps failing.'),
  everywhere(
    'approval-mode',
    '<mode>',
    'Who decides about proposals: `interactive` waits for a person, `auto` applies them, `approve_decompose` waits only when a task is split, `review_only` only records them (the default where no one can answer).',
  ),
  inEnvironment(
    'pause-destructive',
    'Wait for a person before writing a change with a destructive operation, in every approval mode.',
  ),
  everywhere(
    'stack',
    '<mode>',
    "Where a task's branch starts: `auto` from the work it depends on, `chain` from the previous task (the default without a forge), `none` from the base branch.",
  ),
  onCommandLine(
    'parallel',
    '<number>',
    'Maximum number of independent tasks at the same time. With more than one, `stack` is `auto` unless it is set.',
  ),
  everywhere(
    'sandbox',
    '<mode>',
    'Where tests run: `auto` in the strongest sandbox available, `strict` in a sandbox or not at all, `off` without one.',
  ),
  everywhere('max-tasks', '<number>', 'Maximum number of tasks per run; 0 means no limit.'),
  onCommandLine('max-iterations', '<number>', 'Maximum number of steps per task.'),
  asInput(
    'max-open-prs',
    'Maximum number of open pull requests by the executor, tasks and proposals together; 0 means no limit.',
  ),
  everywhere('max-cost', '<dollars>', 'Maximum dollars per run. No limit by default.'),
  everywhere('max-tokens', '<number>', 'Maximum tokens per run. No limit by default.'),
  onCommandLine(
    'verify-mode',
    '<mode>',
    '`auto` and `agent` run the tests (they are the same in this version); `skip` runs nothing and says so.',
  ),
  asInput('setup-command', 'Command that installs dependencies. Detected by default.'),
  asInput('test-command', 'Command that runs the tests. Detected by default.'),
  asInput('lint-command', 'Command that checks the code besides the tests. None by default.'),
  asInput('require-tests', 'Fail a task without tests instead of counting it as `unverified`.'),
  asInput('merge-on-approve', 'Merge an approved pull request once its checks are green.'),
  inFile(
    'merge-without-checks',
    'Also merge an approved pull request that has no checks. Otherwise, no checks is not green.',
  ),
  inFile(
    'runner',
    "Where the GitHub App runs the work: `actions` starts the repository's workflow, `local` uses the App's own machine if its operator allows it.",
  ),
  inFile('workflow', 'Workflow that the App starts, a file in `.github/workflows`.'),
  inFile(
    'schedule',
    "With `runner: local`, when the App starts a run by itself: a cron expression in UTC, or `off`. By default the App's operator decides (`EXECUTOR_SCHEDULE`).",
  ),
  inFile(
    'workspace',
    'With `runner: local`, the repository whose `workspace.yml` names this one, `owner/name`: tasks can then depend on those of other repositories, and sets of tasks are merged together.',
  ),
  everywhere(
    'log-level',
    '<level>',
    'Log level: `error` or `warn` (no progress), `info`, or `debug` (adds the plan, prompt sizes, commands and the time of each step).',
  ),
  inFile(
    'prices',
    'Dollars per million tokens for each model: `prompt` and `completion`. `my-model*` matches every name with that prefix. Without a price the cost is `unknown`, and a limit in dollars is refused; `prompt: 0, completion: 0` is a price.',
  ),
  inFile('model-options.max-output-tokens', 'Maximum length of an answer, in tokens.'),
  inFile('model-options.temperature', 'Sampling temperature. The endpoint decides by default.'),
  inFile(
    'model-options.form',
    'How an existing file is sent: `whole`, `edits` (SEARCH/REPLACE blocks) or `function` (the changed functions alone). By default small files whole, long ones as edits.',
  ),
  inFile(
    'model-options.first-byte-seconds',
    'Abort a request after this many seconds without the first piece of its answer. By default, at least `stall-seconds`, and as long as the endpoint needs to read the prompt.',
  ),
  inFile(
    'model-options.stall-seconds',
    'Abort a request after this many seconds without data within an answer.',
  ),
  inFile(
    'model-options.timeout-seconds',
    'Abort a request after this many seconds in total. By default 600, or longer where the endpoint needs it for the longest answer.',
  ),
  inFile('limits.validation-repairs', 'Maximum repairs of code that does not parse, per attempt.'),
  inFile('limits.test-repairs', 'Maximum repairs of code whose tests fail, per attempt.'),
  inFile(
    'limits.ci-repairs',
    'Maximum repairs of a pull request whose checks fail, but not at its base; 0 never repairs.',
  ),
  inFile('limits.starts', 'A task fails once it has crashed the run this many times.'),
  inFile('limits.minutes', 'Maximum minutes per run. No limit by default.'),
  inFile('limits.agent-minutes', 'Stop an agent after this many minutes.'),
  inFile('limits.tokens-per-task', 'Maximum tokens per task. No limit by default.'),
  inFile('limits.cost-per-task', 'Maximum dollars per task. No limit by default.'),
  inFile(
    'limits.tokens-per-call',
    'Maximum tokens per request, prompt and answer. No limit by default.',
  ),
  inFile('limits.cost-per-call', 'Maximum dollars per request. No limit by default.'),
  inFile(
    'limits.tokens-per-day',
    'Maximum tokens of all runs since 00:00 UTC, counted from `.executor/` and, on GitHub, `refs/executor/state`. No limit by default.',
  ),
  inFile('limits.cost-per-day', 'Maximum dollars since 00:00 UTC. No limit by default.'),
  inFile(
    'limits.commands-per-hour',
    "Maximum number of runs that one person's commands may start per hour; further commands are refused.",
  ),
  inFile(
    'limits.context-tokens',
    'Maximum tokens of repository code in one request; fewer where a local model needs more than a minute for them.',
  ),
  inFile(
    'limits.tool-calls',
    'Maximum tool calls per attempt, with `strategy: tools`. A call takes up to two steps of `max-iterations`.',
  ),
  inFile('limits.reflections', 'Maximum reflections per attempt.'),
  inFile(
    'limits.failing-changes',
    'End an attempt after this many changes in a row whose checks or tests failed, with `strategy: tools`.',
  ),
  inFile(
    'limits.tool-test-runs',
    'Maximum test runs that the model may ask for per attempt, with `strategy: tools`.',
  ),
  inFile(
    'tools.allowed',
    'Tools that the model may use, with `strategy: tools`; `write_diff` and `done` always are.',
  ),
  inFile(
    'tools.native',
    'Also offer the tools as native tool calls. An endpoint that refuses them is asked without.',
  ),
  inFile(
    'tools.summarise-over',
    'Shorten the older notes of a task once its scratchpad exceeds this many tokens.',
  ),
  inFile(
    'verify.timeout-seconds',
    'Stop a test run after this many seconds. By default 600; less after a change to tests that compile nothing and took seconds before it (docs/verification.md).',
  ),
  inFile(
    'verify.memory-mb',
    "Maximum megabytes of memory for a test run and its child processes. Three quarters of the machine's memory by default.",
  ),
  inFile('verify.install-scripts', 'Allow packages to run their install scripts.'),
  inFile(
    'verify.registries',
    'Additional addresses, such as `https://cdn.example`, that an installation or a `setup-command` may reach. The registries of its installers and of the start commit are always allowed.',
  ),
  inFile('verify.network', 'Allow tests to use the network.'),
  inFile(
    'state.answers',
    "Where to keep the model's answers until their task is finished, so that you pay for each only once: `ref` in the repository, under `refs/executor/state`; `artifact` in an artifact of the workflow run, for its re-runs; `off` nowhere.",
  ),
  inFile('state.retention-days', 'Number of days to keep the journals of finished runs.'),
  inFile('protected-paths', 'Globs that no task may change, besides the built-in list.'),
  inFile('commit.title', 'Template for commit and pull request titles: `{id}`, `{title}`.'),
  inFile('commit.name', 'Author name of commits.'),
  inFile('commit.email', 'Author email of commits.'),
  inFile('commit.co-authors', 'Co-authors added to each commit, as `Name <email>`.'),
  inFile('pull-request.reviewers', 'Logins to request a review from.'),
  inFile('pull-request.assignees', 'Logins to assign.'),
  inFile('pull-request.labels', 'Additional labels.'),
  inFile('pull-request.draft-when-escalated', 'Open a draft when a task needs a person.'),
]

export const shorthands: readonly Shorthand[] = [
  shorthand('--enable-planning', 'strategy', 'two_phase', 'Same as --strategy two_phase.'),
  shorthand(
    '--enable-recovery',
    'recovery',
    true,
    'Propose a way forward when a task keeps failing.',
  ),
  shorthand('--no-memory', 'memory', 'off', 'Recall nothing of earlier tasks and runs.'),
  shorthand('--no-recovery', 'recovery', false, 'Report a task that keeps failing as failed.'),
  shorthand(
    '--pause-destructive',
    'pause-destructive',
    true,
    'Wait for a person before writing a destructive operation (the default).',
  ),
  shorthand(
    '--no-pause-destructive',
    'pause-destructive',
    false,
    'Write destructive operations without asking; the report lists them.',
  ),
  shorthand('--verbose', 'log-level', 'debug', 'Same as --log-level debug.'),
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

/** A switch in the file that the environment can override. */
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
 * Picks the settings, by key, from a parsed command line, ready for `resolveSettings`.
 * Takes commander's names: `--max-tasks` is `maxTasks`, `--no-recovery` is `recovery: false`.
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
