import * as core from '@actions/core'
import * as github from '@actions/github'
import { ExecutorError } from '../../domain/errors.ts'
import { combineRuns } from '../../runs/combine-runs.ts'
import { type ServeRequest, serveTrigger } from '../../runs/serve-trigger.ts'
import { inertLog } from '../../safety/neutralise.ts'
import type { Trigger } from '../../triggers/trigger.ts'
import { type ActionInputs, readActionInputs } from '../action-inputs.ts'
import { composeGitHub, type GitHubSession, openCheckout } from '../compose-github.ts'
import { findApiKey } from '../compose-local.ts'
import { findPurpose } from './find-purpose.ts'
import { finishRun, finishWithoutRun, showBrokenRun } from './finish-run.ts'
import { logProgress } from './log-progress.ts'
import { findPlace, resolveInputs } from './place.ts'
import { showLint } from './show-lint.ts'
import { showPlan } from './show-plan.ts'

const log = (line: string): void => core.info(inertLog(line))

/** What the event and the `command` input ask for, by way of one pass over the repository. */
export async function act(signal: AbortSignal): Promise<number> {
  const inputs = readInputs()
  const { eventName, payload } = github.context
  const purpose = findPurpose(inputs, { name: eventName, payload })
  if (purpose.kind === 'nothing') {
    core.info(`Nothing to do: ${inertLog(purpose.reason)}.`)
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
  if (purpose.kind === 'lint') {
    const { onlyChanged } = purpose
    return showLint({ directory: place.workspace, checkout, settings, onlyChanged })
  }
  const needsModel = purpose.kind === 'serve' && mayAskModel(purpose.trigger) && !inputs.dryRun
  const apiKey = needsModel ? findApiKey(settings, { OPENAI_API_KEY: key }) : 'none'
  const session = await composeGitHub({ place, settings, apiKey, token: () => token, signal, log })
  try {
    return purpose.kind === 'look'
      ? await showPlan(session)
      : await serve(session, { trigger: purpose.trigger, dryRun: inputs.dryRun, signal })
  } finally {
    await session.close()
  }
}

/** What merges and closes is sorted out without one. */
const mayAskModel = ({ kind }: Trigger): boolean => kind !== 'reconcile' && kind !== 'issue_dropped'

function readInputs(): ActionInputs {
  const read = readActionInputs((name) => core.getInput(name))
  if (read.status === 'ok') return read.inputs
  for (const { message, fix } of read.problems) core.error(`${message}. ${fix}`)
  throw new ExecutorError('bad_usage', 'The inputs of the Action are not valid, see above.')
}

async function serve(
  session: GitHubSession,
  request: Pick<ServeRequest, 'trigger' | 'dryRun' | 'signal'>,
): Promise<number> {
  const { ports, discussion, redact } = session
  const say = (line: string) => log(redact(line))
  const observer = logProgress(say, ports.settings)
  const runs = await serveTrigger({ ...request, observer, say }, { ports, discussion }).catch(
    async (error: unknown) => {
      if (error instanceof ExecutorError) await showBrokenRun(session)
      throw error
    },
  )
  const [first, ...others] = runs
  if (first === undefined) return finishWithoutRun(session)
  return finishRun(combineRuns(first, ...others), session, others.length === 0)
}
