import type { Checks } from '../../core/ports/forge.ts'
import type { GitHubRepository, RestAnswer } from './client.ts'
import { hasStatus, reasonOf } from './failure.ts'
import { pageSize, readAll } from './pages.ts'

type CheckRun = RestAnswer<'checks', 'listForRef'>['check_runs'][number]

const mostPages = 10
const good: readonly (string | null)[] = ['success', 'neutral', 'skipped']

/**
 * Combines the statuses and check runs of a commit: red if one failed, pending if one is
 * unfinished. The current workflow's own runs do not count.
 */
export async function readChecks(repository: GitHubRepository, sha: string): Promise<Checks> {
  const verdicts = (await countedRuns(repository, sha)).map(verdictOf)
  const { octokit, target } = repository
  const { data: status } = await octokit.repos.getCombinedStatusForRef({ ...target, ref: sha })
  // Without any status, GitHub reports the combined state as pending.
  if (status.total_count > 0) {
    verdicts.push(
      status.state === 'success' ? 'green' : status.state === 'pending' ? 'pending' : 'red',
    )
  }
  return (['red', 'pending', 'green'] as const).find((one) => verdicts.includes(one)) ?? 'none'
}

function verdictOf({ status, conclusion }: CheckRun): 'green' | 'pending' | 'red' {
  if (status !== 'completed') return 'pending'
  return good.includes(conclusion) ? 'green' : 'red'
}

async function countedRuns(
  repository: GitHubRepository,
  sha: string,
): Promise<readonly CheckRun[]> {
  const { octokit, target } = repository
  const asked = { ...target, ref: sha, filter: 'latest', per_page: pageSize } as const
  const runs = await readAll<CheckRun>(
    mostPages,
    async (page) => (await octokit.checks.listForRef({ ...asked, page })).data.check_runs,
  )
  // The address identifies this run; finding other runs of our workflow needs permission.
  const own = `/actions/runs/${repository.runId ?? ''}/`
  const others = runs.filter((run) => !run.details_url?.includes(own))
  const fromActions = others.some(
    (run) => run.app?.slug === 'github-actions' && verdictOf(run) !== 'green',
  )
  if (repository.workflowPath === null || !fromActions) return others
  const ours = await ownSuites(repository, sha, repository.workflowPath)
  return others.filter(({ check_suite }) => !ours.includes(check_suite?.id ?? 0))
}

/** The check suites of our own workflow on this commit; empty without permission. */
async function ownSuites(
  { octokit, target, log }: GitHubRepository,
  sha: string,
  path: string,
): Promise<readonly number[]> {
  try {
    const workflow_id = path.slice(path.lastIndexOf('/') + 1)
    const asked = { ...target, workflow_id, head_sha: sha, per_page: pageSize }
    const { data } = await octokit.actions.listWorkflowRuns(asked)
    return data.workflow_runs.flatMap(({ check_suite_id }) => check_suite_id ?? [])
  } catch (error) {
    if (!hasStatus(error, 403, 404)) throw error
    log(`Our own checks cannot be distinguished from others (actions: read): ${reasonOf(error)}`)
    return []
  }
}
