import { z } from 'zod'
import type { Stored } from '../../../packages/text/text.ts'
import { answerForms } from './answer-form.ts'
import { isRepositoryName } from './repository-name.ts'
import { ways } from './route.ts'
import { type ToolName, toolNames } from './tool-call.ts'

export const approvalModes = ['auto', 'interactive', 'review_only', 'approve_decompose'] as const
export type ApprovalMode = (typeof approvalModes)[number]

/** A way for every task, a program of the user's for every task, or `auto`: a way for each. */
const strategies = [...ways, 'agent', 'auto'] as const

/** Without these, no task could be done. */
const always: ReadonlySet<ToolName> = new Set(['write_diff', 'done'])

const count = z.int().min(0)
const atLeastOne = z.int().min(1)
const seconds = z.int().min(1).max(86_400)
const dollars = z.number().positive()
const limit = atLeastOne.nullable().default(null)
const dollarLimit = dollars.nullable().default(null)
const oneLine = z
  .string()
  .max(300)
  .regex(/^[^\r\n\0]*$/, 'must be one line')
const filled = oneLine.min(1)
const listOf = <Item extends z.ZodType<string>>(item: Item) =>
  z.array(item).max(100).readonly().default([])
const lines = listOf(filled)
const command = z.string().trim().min(1).max(4000).nullable().default(null)
/** Hosts that an agent may reach: names with an optional port, or `*` for all of the internet. */
const hosts = listOf(
  z
    .string()
    .regex(/^(?:\*|[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?(?::\d{1,5})?)$/, 'must be a host, or *'),
)
const pathInside = filled.regex(
  /^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\]+$/,
  'must be a path inside the repository',
)

/** Keys that may all be left out. */
const group = <Keys extends z.core.$ZodLooseShape>(keys: Keys) =>
  z.strictObject(keys).prefault({} as never)

/** Dollars per million tokens. */
const price = z.strictObject({ prompt: z.number().min(0), completion: z.number().min(0) })
export type Price = Stored<typeof price>

export const usualEndpoint = 'https://api.openai.com/v1'

/** What small tasks must share to be done in one request. */
export const groupings = ['off', 'file', 'section', 'explicit'] as const

/** Which pull requests of a run get its report as a comment. */
const reportComments = ['all', 'last', 'off'] as const

/**
 * The configuration file, and the only list of settings. Groups and keys match `options`. The defaults are GitHub's;
 * callers of `resolveSettings` pass others for the two that depend on the place. Limits as in docs/graph.md.
 */
export const fileSchema = z.strictObject({
  enabled: z.boolean().default(true),
  roadmap: pathInside.default('ROADMAP.md'),
  granularity: z.enum(['task', 'leaf']).default('task'),
  group: z.enum(groupings).default('off'),
  model: oneLine.default(''),
  'fallback-model': oneLine.default(''),
  'base-url': z.url({ protocol: /^https?$/ }).default(usualEndpoint),
  strategy: z.enum(strategies).default('single'),
  'agent-command': command,
  'agent-network': hosts,
  samples: count.max(10).default(3),
  critic: z.boolean().default(false),
  'reflect-after': count.max(10).default(0),
  dashboard: z.boolean().default(true),
  'report-comment': z.enum(reportComments).default('all'),
  history: z.boolean().default(true),
  memory: z.enum(['on', 'off']).default('on'),
  recovery: z.boolean().default(true),
  'approval-mode': z.enum(approvalModes).default('interactive'),
  'pause-destructive': z.boolean().default(true),
  stack: z.enum(['chain', 'auto', 'none']).default('auto'),
  sandbox: z.enum(['auto', 'off', 'strict']).default('auto'),
  parallel: atLeastOne.max(64).default(1),
  'max-tasks': count.default(0),
  'max-iterations': atLeastOne.default(100),
  'max-open-prs': count.default(5),
  'max-cost': dollarLimit,
  'max-tokens': limit,
  'verify-mode': z.enum(['auto', 'agent', 'skip']).default('auto'),
  'setup-command': command,
  'test-command': command,
  'lint-command': command,
  'require-tests': z.boolean().default(false),
  'merge-on-approve': z.boolean().default(false),
  'merge-without-checks': z.boolean().default(false),
  runner: z.enum(['actions', 'local']).default('actions'),
  workflow: filled
    .regex(/^[\w.-]+\.ya?ml$/, 'must be the name of a file in .github/workflows')
    .default('executor.yml'),
  schedule: z
    .string()
    .regex(/^(?:off|[\w*,/\- ]{9,100})$/, 'must be a cron expression of five fields, or off')
    .nullable()
    .default(null),
  workspace: z
    .string()
    .refine(isRepositoryName, 'must be a repository like owner/name')
    .nullable()
    .default(null),
  'log-level': z.enum(['error', 'warn', 'info', 'debug']).default('info'),
  prices: z.record(filled, price).default({}),
  'model-options': group({
    'max-output-tokens': atLeastOne.default(16_000),
    temperature: z.number().min(0).max(2).nullable().default(null),
    form: z.enum(answerForms).nullable().default(null),
    'first-byte-seconds': seconds.nullable().default(null),
    'stall-seconds': seconds.default(60),
    'timeout-seconds': seconds.nullable().default(null),
  }),
  limits: group({
    'validation-repairs': count.max(10).default(2),
    'test-repairs': count.max(10).default(2),
    'ci-repairs': count.max(5).default(1),
    starts: atLeastOne.default(3),
    minutes: limit,
    'agent-minutes': atLeastOne.max(24 * 60).default(30),
    'tokens-per-task': limit,
    'cost-per-task': dollarLimit,
    'tokens-per-call': limit,
    'cost-per-call': dollarLimit,
    'tokens-per-day': limit,
    'cost-per-day': dollarLimit,
    'commands-per-hour': count.default(5),
    'context-tokens': z.int().min(500).default(12_000),
    'tool-calls': atLeastOne.max(200).default(30),
    reflections: count.max(10).default(3),
    'failing-changes': atLeastOne.max(50).default(5),
    'tool-test-runs': count.max(50).default(5),
  }),
  tools: group({
    allowed: z
      .array(z.enum(toolNames))
      .readonly()
      .default([...toolNames]),
    native: z.boolean().default(true),
    'summarise-over': z.int().min(500).default(4_000),
  }),
  verify: group({
    'timeout-seconds': seconds.nullable().default(null),
    'memory-mb': z.int().min(256).nullable().default(null),
    'install-scripts': z.boolean().default(false),
    registries: listOf(z.url({ protocol: /^https?$/ })),
    network: z.boolean().default(false),
  }),
  state: group({
    answers: z.enum(['ref', 'artifact', 'off']).default('ref'),
    'retention-days': atLeastOne.max(3650).default(90),
  }),
  'protected-paths': lines,
  commit: group({
    title: filled.default('[Agent] Complete {id}: {title}'),
    name: filled.default('roadmap-executor[bot]'),
    email: filled.default('roadmap-executor[bot]@users.noreply.github.com'),
    'co-authors': lines,
  }),
  'pull-request': group({
    reviewers: lines,
    assignees: lines,
    labels: lines,
    'draft-when-escalated': z.boolean().default(true),
  }),
})

/** Converts file keys to `Settings`. */
export const settingsSchema = fileSchema.transform(toSettings)

/** Every setting of a run, merged from flags, environment, file and defaults; `options` describes each. */
export type Settings = Stored<typeof settingsSchema>
export type StackMode = Settings['stack']

function toSettings(file: z.output<typeof fileSchema>) {
  return {
    enabled: file.enabled,
    roadmap: file.roadmap,
    granularity: file.granularity,
    // An agent's work on several tasks could not be told apart.
    group: file.strategy === 'agent' ? ('off' as const) : file.group,
    model: modelOf(file),
    strategy: file.strategy,
    agent: agentOf(file),
    samples: file.samples,
    critic: file.critic,
    reflectAfter: file['reflect-after'],
    tools: {
      allowed: toolNames.filter((name) => always.has(name) || file.tools.allowed.includes(name)),
      native: file.tools.native,
      summariseOver: file.tools['summarise-over'],
    },
    dashboard: file.dashboard,
    reportComment: file['report-comment'],
    history: file.history,
    memory: file.memory === 'on',
    recovery: file.recovery,
    approvalMode: file['approval-mode'],
    pauseDestructive: file['pause-destructive'],
    stack: file.stack,
    parallel: file.parallel,
    limits: limitsOf(file),
    merge: {
      onApprove: file['merge-on-approve'],
      withoutChecks: file['merge-without-checks'],
    },
    verify: {
      mode: file['verify-mode'],
      requireTests: file['require-tests'],
      setupCommand: file['setup-command'],
      testCommand: file['test-command'],
      lintCommand: file['lint-command'],
      timeoutSeconds: file.verify['timeout-seconds'],
      memoryMegabytes: file.verify['memory-mb'],
      installScripts: file.verify['install-scripts'],
      registries: file.verify.registries,
    },
    sandbox: { mode: file.sandbox, network: file.verify.network },
    protectedPaths: file['protected-paths'],
    commit: {
      title: file.commit.title,
      name: file.commit.name,
      email: file.commit.email,
      coAuthors: file.commit['co-authors'],
    },
    pullRequest: {
      reviewers: file['pull-request'].reviewers,
      assignees: file['pull-request'].assignees,
      labels: file['pull-request'].labels,
      draftWhenEscalated: file['pull-request']['draft-when-escalated'],
    },
    app: appOf(file),
    state: { answers: file.state.answers, retentionDays: file.state['retention-days'] },
    logLevel: file['log-level'],
  }
}

const appOf = ({ runner, workflow, schedule, workspace }: z.output<typeof fileSchema>) => ({
  runner,
  workflow,
  schedule,
  workspace,
})

const modelOf = ({ 'model-options': options, ...file }: z.output<typeof fileSchema>) => ({
  name: file.model,
  fallback: file['fallback-model'],
  baseUrl: file['base-url'],
  maxOutputTokens: options['max-output-tokens'],
  temperature: options.temperature,
  form: options.form,
  firstByteSeconds: options['first-byte-seconds'],
  stallSeconds: options['stall-seconds'],
  timeoutSeconds: options['timeout-seconds'],
  prices: file.prices,
})

const agentOf = (file: z.output<typeof fileSchema>) => ({
  command: file['agent-command'],
  network: file['agent-network'],
  seconds: file.limits['agent-minutes'] * 60,
})

function limitsOf(file: z.output<typeof fileSchema>) {
  return {
    tasks: file['max-tasks'],
    iterations: file['max-iterations'],
    openPullRequests: file['max-open-prs'],
    validationRepairs: file.limits['validation-repairs'],
    testRepairs: file.limits['test-repairs'],
    checkRepairs: file.limits['ci-repairs'],
    starts: file.limits.starts,
    tokens: file['max-tokens'],
    dollars: file['max-cost'],
    minutes: file.limits.minutes,
    tokensPerTask: file.limits['tokens-per-task'],
    dollarsPerTask: file.limits['cost-per-task'],
    tokensPerCall: file.limits['tokens-per-call'],
    dollarsPerCall: file.limits['cost-per-call'],
    tokensPerDay: file.limits['tokens-per-day'],
    dollarsPerDay: file.limits['cost-per-day'],
    commandsPerHour: file.limits['commands-per-hour'],
    contextTokens: file.limits['context-tokens'],
    toolCalls: file.limits['tool-calls'],
    reflections: file.limits.reflections,
    failingChanges: file.limits['failing-changes'],
    toolTestRuns: file.limits['tool-test-runs'],
  }
}
