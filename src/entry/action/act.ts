import { join } from 'node:path'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { combineRuns } from '../../runs/run-results.ts'
import { type ServeRequest, serveTrigger } from '../../runs/serve-trigger.ts'
import type { Trigger } from '../../runs/triggers/trigger.ts'
import { findApiKey } from '../compose/compose.ts'
import { composeGitHub, type GitHubSession, openCheckout } from '../compose/compose-github.ts'
import { inLog, openProgress } from '../progress/open-progress.ts'
import { checkPull } from './check-pull.ts'
import { finishRun, finishWithoutRun, showBrokenRun } from './finish-run.ts'
import {
  type ActionInputs,
  findPlace,
  findPurpose,
  readActionInputs,
  readJobEvent,
  resolveInputs,
} from './read-job.ts'
import { rollBackTask } from './roll-back-task.ts'
import { type JobRunner, openRunner } from './runner.ts'
import { showLint, showPlan } from './show-roadmap.ts'

async function act(runner: JobRunner, signal: AbortSignal): Promise<number> {
  const inputs = readInputs(runner)
  const event = readJobEvent()
  const purpose = findPurpose(inputs, event)
  if (purpose.kind === 'nothing') {
    runner.say(`Nothing to do: ${purpose.reason}.`)
    return 0
  }
  const { githubToken: token } = inputs
  if (token === null) throw new ExecutorError('no_github_token')
  const key = inputs.apiKey ?? process.env.OPENAI_API_KEY
  runner.keepSecret(token)
  if (key) runner.keepSecret(key)
  const asked = findPlace(event)
  // Nothing of a checkout is needed, which may be the change's.
  const job =
    purpose.kind === 'check' ? { ...asked, base: purpose.pull.base, checkedOut: false } : asked
  const checkout = await openCheckout(job, () => token)
  const settings = await resolveInputs(inputs, checkout, runner)
  if (!settings.enabled) {
    const why = 'enabled is false, or EXECUTOR_DISABLED is set'
    runner.annotate('notice', `Switched off: ${why}. Nothing was done.`)
    return 0
  }
  // Pass the branch on, so that it is not looked up again.
  const place = { ...job, base: (await checkout.view()).base.branch }
  if (purpose.kind === 'lint') {
    const { onlyChanged } = purpose
    return showLint({ directory: place.workspace, checkout, settings, onlyChanged, runner })
  }
  if (purpose.kind === 'check') {
    const { pull } = purpose
    return checkPull({ pull, task: inputs.task, place, checkout, settings, token, runner, signal })
  }
  // Set before any work: the step that uploads the state also runs after a cancelled run.
  const isUploaded = settings.state.answers === 'artifact'
  runner.output('state', isUploaded ? join(place.workspace, '.executor') : '')
  const asksModel = purpose.kind === 'serve' && !inputs.dryRun ? mayAskModel(purpose.trigger) : 'no'
  const keys = { OPENAI_API_KEY: key }
  const perhaps = asksModel === 'perhaps' ? findKeyIfAny(settings, keys) : null
  const apiKey = asksModel === 'yes' ? findApiKey(settings, keys) : (perhaps ?? 'none')
  const log = runner.say
  const session = await composeGitHub({
    ...{ place, settings, apiKey, signal, log, dryRun: inputs.dryRun },
    progress: openProgress(inLog(log), settings, 'all tasks'),
    token: () => token,
    notice: (sentence) => runner.annotate('notice', sentence),
  })
  try {
    if (purpose.kind === 'rollback') {
      const { target } = purpose
      return await rollBackTask(target, session, { runner, dryRun: inputs.dryRun })
    }
    return purpose.kind === 'look'
      ? await showPlan(session, runner)
      : await serve(session, runner, {
          ...{ trigger: purpose.trigger, dryRun: inputs.dryRun, signal },
          model: asksModel === 'yes' || perhaps !== null,
        })
  } finally {
    await session.close()
  }
}

/** The key for repairs of checks; `null` where they are off or no model is set up. */
function findKeyIfAny(settings: Settings, keys: Parameters<typeof findApiKey>[1]): string | null {
  if (settings.limits.checkRepairs === 0) return null
  try {
    return findApiKey(settings, keys)
  } catch (error) {
    if (error instanceof ExecutorError) return null
    throw error
  }
}

/** A merge or a closed issue is handled without a model; checks that ended may be red. */
function mayAskModel(trigger: Trigger): 'yes' | 'perhaps' | 'no' {
  if (trigger.kind === 'reconcile') return trigger.after === 'checks' ? 'perhaps' : 'no'
  return trigger.kind === 'issue_dropped' ? 'no' : 'yes'
}

function readInputs(runner: JobRunner): ActionInputs {
  const read = readActionInputs(runner.input)
  if (read.status === 'ok') return read.inputs
  for (const { message, fix } of read.problems) runner.annotate('error', `${message}. ${fix}`)
  throw new ExecutorError('bad_usage', 'The inputs of the Action are not valid, see above.')
}

async function serve(
  session: GitHubSession,
  runner: JobRunner,
  request: Pick<ServeRequest, 'trigger' | 'dryRun' | 'signal' | 'model'>,
): Promise<number> {
  const { ports, discussion } = session
  const { say } = runner
  const { observer } = session
  const runs = await serveTrigger({ ...request, observer, say }, { ports, discussion }).catch(
    async (error: unknown) => {
      if (error instanceof ExecutorError) await showBrokenRun(session, runner)
      throw error
    },
  )
  const [first, ...others] = runs
  if (first === undefined) return finishWithoutRun(session, runner)
  const isWhole = others.length === 0
  return finishRun(combineRuns(first, ...others), { session, runner, isWhole })
}

export async function runAction(): Promise<number> {
  const runner = openRunner()
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('The job was cancelled.'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  // Node would print an error of a timer or a stream as it is: with secrets, and with commands to the runner.
  process.once('uncaughtException', (error) => process.exit(explain(error, runner)))
  try {
    const code = await act(runner, controller.signal)
    // Interrupted work may still be running; exiting ends it.
    if (controller.signal.aborted) process.exit(code)
    return code
  } catch (error) {
    return explain(error, runner)
  }
}

function explain(error: unknown, runner: JobRunner): number {
  if (error instanceof ExecutorError) {
    runner.fail(`${error.message} ${error.next}`)
  } else {
    runner.fail(`Internal error (report it as a bug): ${String(error)}`)
    if (error instanceof Error && error.stack) runner.say(error.stack)
  }
  return 1
}
