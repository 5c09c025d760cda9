import {
  type ActorCall,
  failure,
  noContent,
  notFound,
  ok,
  type Reply,
  type RepositoryCall,
  type Route,
} from '../exchange.ts'
import { linkHeader, pageOf } from '../paging.ts'
import { repositoryUrl } from '../present/repository.ts'
import { presentWorkflowRun, workflowRunPage } from '../present/workflow-run.ts'
import type { WorkflowRun } from '../records.ts'
import { sameName } from '../store.ts'
import { tell } from '../webhooks.ts'
import { fillInputs, readWorkflow } from '../workflow-file.ts'

const root = '/repos/{owner}/{repo}'
const workflow = `${root}/actions/workflows/{workflow_id}`

export const actionRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: `${root}/dispatches`,
    access: 'write',
    handle(call) {
      const { store, repository, viewer } = call
      const { event_type: type, client_payload: payload = {} } = call.body as {
        event_type: string
        client_payload?: Record<string, unknown>
      }
      repository.dispatches.push({ type, payload, actor: viewer, at: store.now() })
      tell(call, 'repository_dispatch', {
        action: type,
        branch: repository.defaultBranch,
        client_payload: payload,
      })
      return noContent
    },
  },
  { method: 'POST', path: `${workflow}/dispatches`, access: 'write', handle: dispatch },
  {
    method: 'GET',
    path: `${workflow}/runs`,
    access: 'read',
    handle: (call) =>
      listRuns(
        call,
        call.repository.runs.filter(({ path }) => path === workflowPath(call)),
      ),
  },
  {
    method: 'GET',
    path: `${root}/actions/runs`,
    describedAs: `${workflow}/runs`,
    access: 'read',
    handle: (call) => listRuns(call, call.repository.runs),
  },
  {
    method: 'GET',
    path: `${root}/actions/runs/{run_id}`,
    access: 'read',
    handle({ store, repository, parameters }) {
      const run = repository.runs.find(({ id }) => id === Number(parameters.run_id))
      return run === undefined ? notFound : ok(presentWorkflowRun(store, repository, run))
    },
  },
  {
    method: 'GET',
    path: `${root}/actions/variables/{name}`,
    access: 'write',
    handle({ store, repository, parameters, viewer }) {
      // A workflow's own token has no permission for variables, and cannot get it.
      if (viewer.login === 'github-actions[bot]') {
        return failure(403, 'Resource not accessible by integration')
      }
      const found = Object.entries(repository.options.variables ?? {}).find(([name]) =>
        sameName(name, parameters.name ?? ''),
      )
      if (found === undefined) return notFound
      const since = { created_at: repository.createdAt, updated_at: store.now() }
      return ok({ name: found[0].toUpperCase(), value: found[1], ...since })
    },
  },
]

const workflowPath = ({ parameters }: RepositoryCall): string =>
  `.github/workflows/${parameters.workflow_id}`

function listRuns(call: RepositoryCall, all: readonly WorkflowRun[]): Reply {
  const { event, branch, head_sha: sha } = call.query
  const runs = all
    .filter((run) => event === undefined || run.event === event)
    .filter((run) => branch === undefined || run.branch === branch)
    .filter((run) => sha === undefined || run.sha === sha)
    .toReversed()
  const { skip, size } = pageOf(call)
  const page = runs.slice(skip, skip + size)
  return {
    status: 200,
    headers: linkHeader(call, runs.length),
    body: {
      total_count: runs.length,
      workflow_runs: page.map((run) => presentWorkflowRun(call.store, call.repository, run)),
    },
  }
}

/** Starts a workflow manually: records the run and sends its webhook, but runs nothing. */
async function dispatch(call: ActorCall): Promise<Reply> {
  const { store, repository, git, viewer } = call
  const path = workflowPath(call)
  const {
    ref,
    inputs = {},
    return_run_details: wantsRun,
  } = call.body as {
    ref: string
    inputs?: Record<string, unknown>
    return_run_details?: boolean
  }
  const main = await git.resolve(repository.defaultBranch)
  // Only files on the default branch are workflows.
  if (main === null || (await readWorkflow(git, main, path)) === null) return notFound
  const sha = await git.resolve(ref.replace(/^refs\/heads\//, ''))
  if (sha === null) return failure(422, `No ref found for: ${ref}`)
  const known = (await readWorkflow(git, sha, path))?.inputs
  if (known == null) return failure(422, "Workflow does not have 'workflow_dispatch' trigger")
  const filled = fillInputs(known, inputs)
  if (typeof filled === 'string') return failure(422, filled)
  const branch = ref.replace(/^refs\/heads\//, '')
  const run: WorkflowRun = {
    ...{ id: store.nextId(), path, event: 'workflow_dispatch', branch, sha },
    ...{ inputs: filled, suite: store.nextId(), actor: viewer, at: store.now(), isOver: false },
  }
  repository.runs.push(run)
  tell(call, 'workflow_dispatch', { inputs: filled, ref: `refs/heads/${branch}`, workflow: path })
  if (wantsRun !== true) return noContent
  return ok({
    workflow_run_id: run.id,
    run_url: `${repositoryUrl(store, repository)}/actions/runs/${run.id}`,
    html_url: workflowRunPage(store, repository, run),
  })
}
