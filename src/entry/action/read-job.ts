import * as github from '@actions/github'
import { z } from 'zod'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import { readEvent } from '../../runs/triggers/read-event.ts'
import type { Trigger } from '../../runs/triggers/trigger.ts'
import type { WorkflowPlace } from '../compose/compose-github.ts'
import type { ActionInputs } from '../config/action-inputs.ts'
import { readConfigFile } from '../config/read-config-file.ts'
import { resolveSettings } from '../config/resolve-settings.ts'
import type { JobRunner } from './runner.ts'

/** The event that started this job: its name, and what GitHub says of it. */
export interface JobEvent {
  readonly name: string
  readonly payload: unknown
}

/** Where this job works. */
export interface JobPlace {
  readonly owner: string
  readonly repo: string
  readonly serverUrl: string
  readonly apiUrl: string
  /** The checkout, and a folder that is gone after the job. */
  readonly workspace: string
  readonly temporary: string
}

type Context = typeof github.context

/** The package reads what the runner says once, when it is loaded; a process may serve several jobs. */
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

/** The default branch, where the event names it. */
export function defaultBranchOf({ payload }: JobEvent): string | null {
  return ofRepository.safeParse(payload).data?.repository.default_branch ?? null
}

/** What this job is for: to look only, or to serve what the event asks for. */
type Purpose =
  | { readonly kind: 'look'; readonly command: 'plan' | 'report' }
  | { readonly kind: 'lint'; readonly onlyChanged: boolean }
  | { readonly kind: 'serve'; readonly trigger: Trigger }
  | { readonly kind: 'nothing'; readonly reason: string }

/**
 * The event, as far as the `command` input leaves it to the event. A pull request's code is a stranger's:
 * of one that is open, only the roadmap is looked at, whatever was asked.
 */
export function findPurpose(
  { command, task }: Pick<ActionInputs, 'command' | 'task'>,
  event: { readonly name: string; readonly payload: unknown },
): Purpose {
  const asked = readEvent(event.name, event.payload)
  if (event.name === 'pull_request' && asked.kind !== 'reconcile') {
    const isLint = asked.kind === 'lint' && (command === 'auto' || command === 'lint')
    return isLint
      ? { kind: 'lint', onlyChanged: command === 'auto' }
      : { kind: 'nothing', reason: 'of a pull request, only the roadmap is looked at' }
  }
  switch (command) {
    case 'plan':
    case 'report':
      return { kind: 'look', command }
    case 'lint':
      return { kind: 'lint', onlyChanged: false }
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

/** Where this job runs, from the runner's environment. */
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

/** `.github/workflows/executor.yml`, out of `ada/engine/.github/workflows/executor.yml@refs/heads/main`. */
function workflowPathOf(reference: string): { readonly workflowPath?: string } {
  const workflowPath = /^[^/]+\/[^/]+\/([^@]+)@/.exec(reference)?.[1]
  return workflowPath === undefined ? {} : { workflowPath }
}

/**
 * Inputs over environment over the configuration file over defaults. The file is the default
 * branch's: what a pull request, or another branch this job was started on, says does not count.
 *
 * @throws ExecutorError `config_invalid` after every problem was annotated
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
