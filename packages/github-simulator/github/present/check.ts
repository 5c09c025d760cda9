import { rollupOf } from '../checks.ts'
import type { Check, CheckAnnotation } from '../records.ts'
import type { Repository, Store } from '../store.ts'
import { presentIntegration } from './installation.ts'
import { presentRepository, repositoryPage, repositoryUrl } from './repository.ts'
import { nodeId } from './user.ts'

export function presentStatus(
  store: Store,
  repository: Repository,
  check: Check,
): Record<string, unknown> {
  return {
    url: `${repositoryUrl(store, repository)}/statuses/${check.sha}`,
    avatar_url: null,
    id: check.id,
    node_id: nodeId('StatusContext', check.id),
    state: check.outcome,
    description: check.description,
    target_url: null,
    context: check.name,
    created_at: check.at,
    updated_at: check.at,
  }
}

/** All statuses in one; without any it is `pending`, as on GitHub. */
export function presentCombinedStatus(
  store: Store,
  repository: Repository,
  sha: string,
  statuses: readonly Check[],
): Record<string, unknown> {
  const states = { SUCCESS: 'success', PENDING: 'pending', FAILURE: 'failure', ERROR: 'failure' }
  const commit = `${repositoryUrl(store, repository)}/commits/${sha}`
  return {
    state: states[rollupOf(statuses) ?? 'PENDING'],
    statuses: statuses.map((status) => presentStatus(store, repository, status)),
    sha,
    total_count: statuses.length,
    repository: presentRepository(store, repository),
    commit_url: commit,
    url: `${commit}/status`,
  }
}

export const presentAnnotation = (
  { sha }: Check,
  { path, start_line, annotation_level, message }: CheckAnnotation,
): Record<string, unknown> => ({
  ...{ path, start_line, end_line: start_line, start_column: null, end_column: null },
  ...{ annotation_level, title: null, message, raw_details: null },
  blob_href: `https://github.test/blob/${sha}/${path}`,
})

export function presentCheckRun(
  store: Store,
  repository: Repository,
  check: Check,
): Record<string, unknown> {
  const isDone = check.outcome !== 'pending'
  const page = `${repositoryPage(store, repository)}/runs/${check.id}`
  const url = `${repositoryUrl(store, repository)}/check-runs/${check.id}`
  return {
    id: check.id,
    node_id: nodeId('CheckRun', check.id),
    head_sha: check.sha,
    external_id: check.output?.externalId ?? null,
    url,
    html_url: page,
    details_url: page,
    status: isDone ? 'completed' : 'in_progress',
    conclusion: isDone ? check.outcome : null,
    started_at: check.at,
    completed_at: isDone ? check.at : null,
    output: {
      ...{ title: check.output?.title ?? null, summary: check.description, text: null },
      annotations_count: check.output?.annotations.length ?? 0,
      annotations_url: `${url}/annotations`,
    },
    name: check.name,
    check_suite: { id: check.suite },
    app: check.app === null ? null : presentIntegration(store, check.app),
    pull_requests: [],
  }
}
