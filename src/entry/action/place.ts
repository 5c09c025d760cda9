import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import type { WorkflowPlace } from '../compose/compose-github.ts'
import type { ActionInputs } from '../config/action-inputs.ts'
import { readConfigFile } from '../config/read-config-file.ts'
import { resolveSettings } from '../config/resolve-settings.ts'
import { defaultBranchOf, type JobEvent, readJobPlace } from './read-job.ts'
import type { JobRunner } from './runner.ts'

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
