import * as core from '@actions/core'
import * as github from '@actions/github'
import { ExecutorError } from '../../domain/errors.ts'
import { dryRunPorts } from '../../runs/dry-run-ports.ts'
import { runRoadmap } from '../../runs/run-roadmap.ts'
import { inertLog } from '../../safety/neutralise.ts'
import { type ActionInputs, readActionInputs } from '../action-inputs.ts'
import { composeGitHub, openCheckout } from '../compose-github.ts'
import { findApiKey, type Session } from '../compose-local.ts'
import { finishRun } from './finish-run.ts'
import { logProgress } from './log-progress.ts'
import { findPlace, resolveInputs } from './place.ts'
import { showLint } from './show-lint.ts'
import { showPlan } from './show-plan.ts'

const log = (line: string): void => core.info(inertLog(line))

/**
 * What the event and the `command` input ask for. A pull request's code is a stranger's: for one,
 * `auto` is lint, and nothing else is done whatever was asked. Otherwise `auto` is a run.
 */
export async function act(signal: AbortSignal): Promise<number> {
  const inputs = readInputs()
  const isPullRequest = github.context.eventName === 'pull_request'
  if (isPullRequest && !mayLint(inputs)) {
    core.info('Nothing to do: of a pull request, only the roadmap is looked at.')
    return 0
  }
  const { githubToken: token } = inputs
  if (token === null) throw new ExecutorError('no_github_token')
  const key = inputs.apiKey ?? process.env.OPENAI_API_KEY
  core.setSecret(token)
  if (key) core.setSecret(key)
  const place = findPlace()
  const checkout = await openCheckout(place, () => token)
  const settings = await resolveInputs(inputs, checkout)
  if (!settings.enabled) {
    core.notice('Switched off: enabled is false, or EXECUTOR_DISABLED is set. Nothing was done.')
    return 0
  }
  if (isPullRequest || inputs.command === 'lint') {
    const onlyChanged = isPullRequest && inputs.command === 'auto'
    return showLint({ directory: place.workspace, checkout, settings, onlyChanged })
  }
  const looksOnly = inputs.command === 'plan' || inputs.command === 'report'
  const needsModel = !looksOnly && !inputs.dryRun
  const apiKey = needsModel ? findApiKey(settings, { OPENAI_API_KEY: key }) : 'none'
  const session = await composeGitHub({ place, settings, apiKey, token: () => token, signal, log })
  try {
    return looksOnly ? await showPlan(session) : await run(session, inputs, signal)
  } finally {
    await session.close()
  }
}

/** One that is closed has nothing to be mended any more. */
const mayLint = ({ command }: ActionInputs): boolean =>
  (command === 'auto' || command === 'lint') && github.context.payload.action !== 'closed'

function readInputs(): ActionInputs {
  const read = readActionInputs((name) => core.getInput(name))
  if (read.status === 'ok') return read.inputs
  for (const { message, fix } of read.problems) core.error(`${message}. ${fix}`)
  throw new ExecutorError('bad_usage', 'The inputs of the Action are not valid, see above.')
}

async function run(session: Session, inputs: ActionInputs, signal: AbortSignal): Promise<number> {
  const { ports } = session
  const state = await runRoadmap(inputs.dryRun ? dryRunPorts(ports) : ports, {
    only: inputs.task === null ? null : [inputs.task],
    fresh: false,
    dryRun: inputs.dryRun,
    signal,
    observer: logProgress((line) => log(session.redact(line)), ports.settings),
  })
  return finishRun(state, session)
}
