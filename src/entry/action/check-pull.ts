/**
 * `command: check`: gives a pull request what a draft of the executor gets. Anyone may have written the change, so its
 * settings are the base branch's, its tests run in a sandbox, and nothing of the job's checkout is used.
 */
import { join } from 'node:path'
import { createRedactor } from '../../../packages/text/text.ts'
import { openClient } from '../../adapters/octokit/client.ts'
import { createOctokitCheckRuns } from '../../adapters/octokit-check-runs.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { CheckRunDraft } from '../../core/ports/check-runs.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import { checkChange } from '../../runs/check/check-change.ts'
import { nameOfBase } from '../../runs/check/check-report.ts'
import { findCheckTask } from '../../runs/check/find-check-task.ts'
import { writeCheckRun } from '../../runs/check/write-check-run.ts'
import { machinePorts } from '../compose/compose.ts'
import { isThisMachine, type WorkflowPlace } from '../compose/compose-github.ts'
import { redactCheckRuns, secretsOfEnvironment } from '../redact/redact-ports.ts'
import type { CheckedPull } from './read-job.ts'
import type { JobRunner } from './runner.ts'

interface CheckPull {
  readonly pull: CheckedPull
  readonly task: string | null
  readonly place: WorkflowPlace
  /** Its base is the pull request's. */
  readonly checkout: Workspace
  readonly settings: Settings
  readonly token: string
  readonly runner: JobRunner
  readonly signal: AbortSignal
}

/** Returns the exit code: 0 when the change passes, else 1. */
export async function checkPull(options: CheckPull): Promise<number> {
  const { pull, place, checkout, token, runner } = options
  const { base } = await checkout.view()
  const start = await findStart(pull, checkout)
  const secrets = [token, ...secretsOfEnvironment(process.env)]
  const settings = sandboxed(options.settings, pull)
  const { clock, ...machine } = machinePorts(settings, {
    checkout: null,
    cache: join(place.temporary, 'roadmap-executor'),
    redact: createRedactor(secrets),
  })
  try {
    const ports = { ...machine, clock, workspace: checkout }
    const task = options.task === null ? null : await findCheckTask(options.task, start, ports)
    const change = { base: start, head: pull.head, task }
    const from = { name: base.branch, sha: start }
    runner.say(`Checking #${pull.number} against ${nameOfBase(from)}.`)
    const checked = await checkChange(change, ports, options.signal)
    if (options.signal.aborted) {
      runner.fail(`The job was cancelled before #${pull.number} was checked.`)
      return 1
    }
    if (checked === null) {
      runner.annotate('notice', `#${pull.number} changes no file: there is nothing to check.`)
      return 0
    }
    const about = { version: 1, change: `#${pull.number}` } as const
    const report = { ...about, base: from, ...checked }
    const draft = writeCheckRun(pull.number, pull.head, report)
    await runner.summarise(`${draft.summary}\n`)
    await publish(draft, { ...options, clock, secrets })
    if (checked.result === 'passed') return 0
    runner.fail(`#${pull.number}: ${draft.title}. The job's summary has the findings.`)
    return 1
  } finally {
    await machine.syntax.close()
  }
}

/** With `off`, a maintainer trusts people who may push, but not the author of a fork. */
function sandboxed(settings: Settings, { isFork }: CheckedPull): Settings {
  const { sandbox } = settings
  const mode = sandbox.mode === 'off' && !isFork ? 'off' : 'strict'
  return { ...settings, sandbox: { ...sandbox, mode } }
}

/** Returns the commit that the change starts from. @throws ExecutorError `bad_usage` */
async function findStart({ number, head }: CheckedPull, workspace: Workspace): Promise<string> {
  const { base } = await workspace.view()
  const now = (await workspace.fetch({ pullRequests: [number] })).get(number)
  if (now !== head) {
    const why = `#${number} has moved on from ${head.slice(0, 10)}; the job of its newest commit checks it`
    throw new ExecutorError('bad_usage', `${why}.`)
  }
  const start = await workspace.mergeBase(base.sha, head)
  if (start !== null) return start
  throw new ExecutorError('bad_usage', `#${number} and ${base.branch} share no commit.`)
}

interface Publish extends CheckPull {
  readonly clock: Clock
  readonly secrets: readonly string[]
}

/** GitHub shows ten annotations of each kind per step. */
const mostInLog = 30

/** Without the permission, the job's log shows the annotations. */
async function publish(draft: CheckRunDraft, options: Publish): Promise<void> {
  const { place, runner, token, clock, secrets, pull } = options
  const { owner, repo, apiUrl } = place
  const pace = !isThisMachine(apiUrl)
  const client = openClient({
    owner,
    repo,
    apiUrl,
    clock,
    pace,
    token: () => token,
    log: runner.say,
  })
  const written = await redactCheckRuns(createOctokitCheckRuns(client), secrets).upsert(draft)
  if (written.status === 'ok') return
  const what = `The check run could not be written: ${written.detail}.`
  const fork =
    'GitHub gives no pull request from a fork this permission; the job itself shows the result.'
  const next = pull.isFork ? fork : 'Add `checks: write` to the permissions of the job.'
  runner.annotate('warning', written.code === 'forge_denied' ? `${what} ${next}` : what)
  for (const { level, path, line, title, message } of draft.annotations.slice(0, mostInLog)) {
    const place = { title, file: path, startLine: line, startColumn: 1 }
    runner.annotate(level === 'failure' ? 'error' : 'warning', message, place)
  }
}
