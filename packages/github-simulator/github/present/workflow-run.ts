import type { WorkflowRun } from '../records.ts'
import type { Repository, Store } from '../store.ts'
import { presentRepository, repositoryPage, repositoryUrl } from './repository.ts'
import { nodeId, presentUser } from './user.ts'

export function presentWorkflowRun(
  store: Store,
  repository: Repository,
  run: WorkflowRun,
): Record<string, unknown> {
  const api = repositoryUrl(store, repository)
  const url = `${api}/actions/runs/${run.id}`
  const actor = presentUser(store, run.actor)
  const parts = { jobs: 'jobs', logs: 'logs', artifacts: 'artifacts', cancel: 'cancel' }
  const links = Object.entries(parts).map(([name, path]) => [`${name}_url`, `${url}/${path}`])
  return {
    id: run.id,
    name: run.path,
    node_id: nodeId('WorkflowRun', run.id),
    head_branch: run.branch,
    head_sha: run.sha,
    check_suite_id: run.suite,
    path: run.path,
    display_title: run.path,
    run_number: run.id,
    run_attempt: 1,
    event: run.event,
    status: run.isOver ? 'completed' : 'queued',
    conclusion: run.isOver ? 'failure' : null,
    workflow_id: 1,
    url,
    html_url: workflowRunPage(store, repository, run),
    pull_requests: [],
    created_at: run.at,
    updated_at: run.at,
    run_started_at: run.at,
    actor,
    triggering_actor: actor,
    ...Object.fromEntries(links),
    rerun_url: `${url}/rerun`,
    check_suite_url: `${api}/check-suites/${run.suite}`,
    workflow_url: `${api}/actions/workflows/1`,
    head_commit: null,
    repository: presentRepository(store, repository),
    head_repository: presentRepository(store, repository),
  }
}

export const workflowRunPage = (
  store: Store,
  repository: Repository,
  { id }: WorkflowRun,
): string => `${repositoryPage(store, repository)}/actions/runs/${id}`
