import { noteCheck } from '../changes/check.ts'
import { checksOf } from '../checks.ts'
import {
  type ActorCall,
  created,
  failure,
  notFound,
  ok,
  type Reply,
  type RepositoryCall,
  type Route,
} from '../exchange.ts'
import { linkHeader, pageOf } from '../paging.ts'
import {
  presentAnnotation,
  presentCheckRun,
  presentCombinedStatus,
  presentStatus,
} from '../present/check.ts'
import { presentUser } from '../present/user.ts'
import type { Check, CheckAnnotation } from '../records.ts'

const root = '/repos/{owner}/{repo}'

interface NewStatus {
  readonly state: 'error' | 'failure' | 'pending' | 'success'
  readonly context?: string
  readonly description?: string | null
}

interface RunFields {
  readonly name?: string
  readonly head_sha?: string
  readonly external_id?: string
  readonly conclusion?: Check['outcome'] | 'stale'
  readonly output?: {
    readonly title?: string
    readonly summary?: string
    readonly annotations?: readonly CheckAnnotation[]
  }
}

export const checkRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${root}/commits/{ref}/status`,
    access: 'read',
    handle: (call) =>
      withCommit(call, call.parameters.ref, (sha) => {
        const statuses = checksOf(call.repository, sha).filter(({ kind }) => kind === 'status')
        return ok(presentCombinedStatus(call.store, call.repository, sha, statuses))
      }),
  },
  {
    method: 'GET',
    path: `${root}/commits/{ref}/check-runs`,
    access: 'read',
    handle: (call) => withCommit(call, call.parameters.ref, (sha) => listRuns(call, sha)),
  },
  {
    method: 'GET',
    path: `${root}/check-runs/{check_run_id}/annotations`,
    access: 'read',
    handle(call) {
      const check = call.repository.checks.find(
        ({ id }) => id === Number(call.parameters.check_run_id),
      )
      if (check === undefined) return notFound
      const all = check.output?.annotations ?? []
      const { skip, size } = pageOf(call)
      const body = all.slice(skip, skip + size).map((each) => presentAnnotation(check, each))
      return { status: 200, headers: linkHeader(call, all.length), body }
    },
  },
  {
    method: 'GET',
    path: `${root}/actions/jobs/{job_id}/logs`,
    access: 'read',
    handle({ repository, parameters, url }) {
      // The job of Actions has the id of its check run.
      const id = Number(parameters.job_id)
      const job = repository.checks.find((check) => check.id === id)
      if (job?.log === undefined) return notFound
      // Another origin, to which no client sends its token.
      const location = new URL(`/job-logs/${repository.id}/${id}`, url)
      location.hostname = 'localhost'
      return { status: 302, headers: { Location: location.href } }
    },
  },
  {
    method: 'POST',
    path: `${root}/statuses/{sha}`,
    access: 'write',
    handle: (call) =>
      withCommit(call, call.parameters.sha, async (sha) => {
        const { state, context = 'default', description = null } = call.body as NewStatus
        const fields = { sha, name: context, outcome: state, description, output: null }
        const check = await noteCheck(call, { kind: 'status', ...fields, app: null, suite: 0 })
        const creator = presentUser(call.store, call.viewer)
        return created({ ...presentStatus(call.store, call.repository, check), creator })
      }),
  },
  {
    method: 'POST',
    path: `${root}/check-runs`,
    access: 'write',
    handle(call) {
      const { head_sha: sha } = call.body as RunFields
      return withCommit(call, sha, async (head) => {
        if (call.viewer.type === 'User') return needsApp
        const from = { sha: head, app: call.viewer.login.replace(/\[bot\]$/, ''), suite: 0 }
        const check = await noteCheck(call, { kind: 'check_run', ...runOf(call), ...from })
        return created(presentCheckRun(call.store, call.repository, check))
      })
    },
  },
  {
    method: 'PATCH',
    path: `${root}/check-runs/{check_run_id}`,
    access: 'write',
    async handle(call) {
      const id = Number(call.parameters.check_run_id)
      const old = call.repository.checks.find((check) => check.id === id)
      if (old === undefined) return notFound
      if (call.viewer.type === 'User') return needsApp
      const check = await noteCheck(call, { ...old, ...runOf(call, old) })
      return ok(presentCheckRun(call.store, call.repository, check))
    },
  },
]

const needsApp = failure(403, 'You must authenticate via a GitHub App.')

async function withCommit(
  { git }: RepositoryCall,
  name: string | undefined,
  handle: (sha: string) => Reply | Promise<Reply>,
): Promise<Reply> {
  const sha = await git.resolve(name ?? '')
  return sha === null ? failure(422, `No commit found for SHA: ${name}`) : handle(sha)
}

function runOf(
  { body }: ActorCall,
  old?: Check,
): Pick<Check, 'name' | 'outcome' | 'description' | 'output'> {
  const { name, conclusion, output, external_id: externalId } = body as RunFields
  return {
    name: name ?? old?.name ?? '',
    outcome: conclusion === 'stale' ? 'cancelled' : (conclusion ?? old?.outcome ?? 'pending'),
    description: output?.summary ?? old?.description ?? null,
    output: {
      externalId: externalId ?? old?.output?.externalId ?? null,
      title: output?.title ?? old?.output?.title ?? null,
      annotations: [...(old?.output?.annotations ?? []), ...(output?.annotations ?? [])],
    },
  }
}

function listRuns(call: RepositoryCall, sha: string): Reply {
  const { check_name: name, filter } = call.query
  const all = call.repository.checks.filter((check) => check.sha === sha)
  const runs = (filter === 'all' ? all : checksOf(call.repository, sha))
    .filter(({ kind }) => kind === 'check_run')
    .filter((check) => name === undefined || check.name === name)
  const { skip, size } = pageOf(call)
  const page = runs.slice(skip, skip + size)
  return {
    status: 200,
    headers: linkHeader(call, runs.length),
    body: {
      total_count: runs.length,
      check_runs: page.map((check) => presentCheckRun(call.store, call.repository, check)),
    },
  }
}
