import * as github from '@actions/github'
import { z } from 'zod'
import { closestName } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import { readEvent } from '../../runs/triggers/read-event.ts'
import type { Trigger } from '../../runs/triggers/trigger.ts'
import type { WorkflowPlace } from '../compose/compose-github.ts'
import { options } from '../config/options.ts'
import { type ConfigProblem, readConfigFile } from '../config/read-config-file.ts'
import { resolveSettings } from '../config/resolve-settings.ts'
import type { JobRunner } from './runner.ts'

/** The event that started this job: its name and GitHub's payload. */
export interface JobEvent {
  readonly name: string
  readonly payload: unknown
}

export type JobPlace = Omit<
  WorkflowPlace,
  'base' | 'workflowPath' | 'runId' | 'runAttempt' | 'checkedOut'
>

type Context = typeof github.context

/** The package reads the runner's environment once, when it is loaded; a process may serve several jobs. */
const readContext = (): Context => new (github.context.constructor as new () => Context)()

export function readJobEvent(): JobEvent {
  const { eventName, payload } = readContext()
  return { name: eventName ?? '', payload }
}

/** @throws ExecutorError `bad_usage` outside a job */
export function readJobPlace(): JobPlace {
  const { GITHUB_REPOSITORY, GITHUB_WORKSPACE, RUNNER_TEMP } = process.env
  if (!GITHUB_REPOSITORY || !GITHUB_WORKSPACE || !RUNNER_TEMP) {
    throw new ExecutorError('bad_usage', 'This entry runs as a GitHub Action only.')
  }
  const { serverUrl, apiUrl, repo } = readContext()
  return { ...repo, serverUrl, apiUrl, workspace: GITHUB_WORKSPACE, temporary: RUNNER_TEMP }
}

const ofRepository = z.object({ repository: z.object({ default_branch: z.string() }) })

export const defaultBranchOf = ({ payload }: JobEvent): string | null =>
  ofRepository.safeParse(payload).data?.repository.default_branch ?? null

/** The pull request of the event; its number and its commits are looked up again. */
export interface CheckedPull {
  readonly number: number
  readonly head: string
  /** Name of the branch that it goes into. */
  readonly base: string
  /** True when its head is in another repository, or in none. */
  readonly isFork: boolean
}

const identified = z.object({ id: z.number() })
const ofPullRequest = z.object({
  action: z.string(),
  repository: identified,
  pull_request: z.object({
    number: z.int().positive(),
    head: z.object({ sha: z.string().regex(/^[0-9a-f]{40,64}$/), repo: identified.nullable() }),
    base: z.object({ ref: z.string() }),
  }),
})

type Purpose =
  | { readonly kind: 'check'; readonly pull: CheckedPull }
  | { readonly kind: 'look'; readonly command: 'plan' | 'report' }
  | { readonly kind: 'lint'; readonly onlyChanged: boolean }
  | { readonly kind: 'rollback'; readonly target: string }
  | { readonly kind: 'serve'; readonly trigger: Trigger }
  | { readonly kind: 'nothing'; readonly reason: string }

/**
 * The purpose of the job, from the `command` input and the event. Anyone may have written a pull request's code, so
 * the job of an open one only lints the roadmap or checks the change, whatever the input.
 *
 * @throws ExecutorError `bad_usage` for a check on any event but `pull_request`, and for a rollback of no task
 */
export function findPurpose(
  { command, task }: Pick<ActionInputs, 'command' | 'task'>,
  event: { readonly name: string; readonly payload: unknown },
): Purpose {
  if (command === 'check') return findPullToCheck(event)
  const asked = readEvent(event.name, event.payload)
  if (event.name === 'pull_request' && asked.kind !== 'reconcile') {
    const isLint = asked.kind === 'lint' && (command === 'auto' || command === 'lint')
    return isLint
      ? { kind: 'lint', onlyChanged: command === 'auto' }
      : { kind: 'nothing', reason: 'for a pull request, the executor only checks the roadmap' }
  }
  switch (command) {
    case 'plan':
    case 'report':
      return { kind: 'look', command }
    case 'lint':
      return { kind: 'lint', onlyChanged: false }
    case 'rollback':
      if (task !== null) return { kind: 'rollback', target: task }
      throw new ExecutorError(
        'bad_usage',
        'Say in the input `task` what to revert: T-1, a run, or last.',
      )
    case 'reconcile':
      return { kind: 'serve', trigger: { kind: 'reconcile' } }
    case 'run':
      if (task === null && asked.kind === 'run' && asked.only === null) break
      return { kind: 'serve', trigger: { kind: 'run', only: task === null ? null : [task] } }
    default:
      break
  }
  if (asked.kind === 'ignored') return { kind: 'nothing', reason: asked.reason }
  return asked.kind === 'run' && task !== null
    ? { kind: 'serve', trigger: { kind: 'run', only: [task] } }
    : { kind: 'serve', trigger: asked }
}

function findPullToCheck({ name, payload }: JobEvent): Purpose {
  if (name === 'pull_request_target') {
    const why = 'its job may hold secrets and write, and the change is foreign code'
    throw new ExecutorError('bad_usage', `Nothing is checked on pull_request_target: ${why}.`)
  }
  if (name !== 'pull_request') {
    const how = 'put it into a workflow with `on: pull_request`'
    throw new ExecutorError('bad_usage', `command: check needs the event pull_request: ${how}.`)
  }
  const read = ofPullRequest.safeParse(payload)
  if (!read.success) throw new ExecutorError('bad_usage', 'The payload names no pull request.')
  const { action, repository, pull_request: pull } = read.data
  if (action === 'closed') return { kind: 'nothing', reason: 'the pull request is closed' }
  const { number, head, base } = pull
  const isFork = head.repo?.id !== repository.id
  return { kind: 'check', pull: { number, head: head.sha, base: base.ref, isFork } }
}

export function findPlace(event: JobEvent): WorkflowPlace {
  return {
    ...readJobPlace(),
    base: defaultBranchOf(event),
    checkedOut: true,
    ...(process.env.GITHUB_RUN_ID ? { runId: process.env.GITHUB_RUN_ID } : {}),
    runAttempt: Number(process.env.GITHUB_RUN_ATTEMPT) || 1,
    ...workflowPathOf(process.env.GITHUB_WORKFLOW_REF ?? ''),
  }
}

/** `.github/workflows/executor.yml` from `ada/engine/.github/workflows/executor.yml@refs/heads/main`. */
function workflowPathOf(reference: string): { readonly workflowPath?: string } {
  const workflowPath = /^[^/]+\/[^/]+\/([^@]+)@/.exec(reference)?.[1]
  return workflowPath === undefined ? {} : { workflowPath }
}

/**
 * Resolves inputs over environment over configuration file over defaults. The file is the default branch's: the one
 * in a pull request, or on the branch that the job was started on, does not count.
 *
 * @throws ExecutorError `config_invalid` after annotating every problem
 */
export async function resolveInputs(
  inputs: ActionInputs,
  checkout: Workspace,
  runner: JobRunner,
): Promise<Settings> {
  const { base } = await checkout.refresh()
  const text = (await checkout.readFiles(base.sha, [inputs.config])).get(inputs.config)
  const resolved = resolveSettings({
    flags: inputs.settings,
    environment: process.env,
    file: text === undefined ? null : readConfigFile(inputs.config, text),
    defaults: { approvalMode: 'interactive', stack: 'auto' },
  })
  if (resolved.status === 'ok') return resolved.settings
  for (const { path, line, column, message, fix } of resolved.problems) {
    const place = { file: path, startLine: line, startColumn: column }
    runner.annotate('error', `${message}. ${fix}`, place)
  }
  throw new ExecutorError('config_invalid', `${resolved.problems.length} problem(s), see above.`)
}

const commands = [
  'auto',
  'run',
  'lint',
  'plan',
  'reconcile',
  'report',
  'check',
  'rollback',
] as const

export interface ActionInputs {
  readonly command: (typeof commands)[number]
  readonly task: string | null
  /** Path of the configuration file in the repository. */
  readonly config: string
  readonly dryRun: boolean
  readonly apiKey: string | null
  readonly githubToken: string | null
  /** The inputs that are settings, verbatim and only if given: the `flags` of `resolveSettings`. */
  readonly settings: Readonly<Record<string, string>>
}

type ReadInputs =
  | { readonly status: 'ok'; readonly inputs: ActionInputs }
  | { readonly status: 'invalid'; readonly problems: readonly ConfigProblem[] }

/** `getInput` is from @actions/core: trimmed, empty for an input that is not given. */
export function readActionInputs(getInput: (name: string) => string): ReadInputs {
  const problems: ConfigProblem[] = []
  const refuse = (name: string, message: string, fix: string) => {
    problems.push({ path: name, line: 0, column: 0, message: `${name} ${message}`, fix })
  }
  const text = (name: string): string | null => getInput(name) || null
  const yesOrNo = (name: string): boolean => {
    const written = getInput(name).toLowerCase()
    if (written !== '' && written !== 'true' && written !== 'false')
      refuse(name, `must be true or false, not ${written}`, 'Write true or false.')
    return written === 'true'
  }
  const readCommand = (): ActionInputs['command'] => {
    const written = text('command') ?? 'auto'
    const command = commands.find((one) => one === written)
    if (command !== undefined) return command
    const meant = closestName(written, commands)
    refuse(
      'command',
      `must be one of ${commands.join(', ')}, not ${written}`,
      meant === null ? 'Leave it out to let the event decide.' : `Did you mean ${meant}?`,
    )
    return 'auto'
  }

  const inputs: ActionInputs = {
    command: readCommand(),
    task: text('task'),
    config: text('config') ?? '.github/executor.yml',
    dryRun: yesOrNo('dry-run'),
    apiKey: text('api-key'),
    githubToken: text('github-token'),
    settings: Object.fromEntries(
      options.flatMap(({ input }): [string, string][] => {
        const written = input === null ? null : text(input)
        return input === null || written === null ? [] : [[input, written]]
      }),
    ),
  }
  return problems.length > 0 ? { status: 'invalid', problems } : { status: 'ok', inputs }
}
