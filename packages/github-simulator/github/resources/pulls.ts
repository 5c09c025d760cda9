import { noteEdit, retarget, tellOfIssue } from '../changes/event.ts'
import { closeIssue, reopenIssue } from '../changes/state.ts'
import {
  type ActorCall,
  created,
  failure,
  notFound,
  ok,
  type Reply,
  type RepositoryCall,
  type Route,
  refusalTo,
  validationFailed,
} from '../exchange.ts'
import { pullRef } from '../follow-git.ts'
import { readChanges, readCommits } from '../history.ts'
import { shownMergeState } from '../merge-state.ts'
import { paged } from '../paging.ts'
import { mayAt } from '../permissions.ts'
import { presentChange, presentCommit } from '../present/commit.ts'
import { presentPull } from '../present/pull.ts'
import { presentPullNow } from '../present/pull-now.ts'
import type { Pull } from '../records.ts'
import { nextNumber } from '../store.ts'

const list = '/repos/{owner}/{repo}/pulls'
const one = `${list}/{pull_number}`

interface NewPull {
  readonly title?: string
  readonly head: string
  readonly base: string
  readonly body?: string
  readonly draft?: boolean
}

type PullPatch = Partial<Pick<Pull, 'title' | 'body' | 'base' | 'state'>>

export const pullRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: list,
    access: 'read',
    async handle(call) {
      return paged(call, chosen(call), (pull) => presentPull(call.store, call.repository, pull))
    },
  },
  { method: 'POST', path: list, access: 'write', handle: create },
  { method: 'GET', path: one, access: 'read', handle: (call) => withPull(call, show) },
  { method: 'PATCH', path: one, access: 'anyone', handle: (call) => withPull(call, update) },
  {
    method: 'GET',
    path: `${one}/commits`,
    access: 'read',
    handle: (call) =>
      withPull(call, async ({ store, repository, git }, pull) => {
        const commits = await readCommits(git, `${pull.baseSha}..${pull.headSha}`)
        return paged(call, commits.toReversed(), (commit) =>
          presentCommit(store, repository, commit),
        )
      }),
  },
  {
    method: 'GET',
    path: `${one}/files`,
    access: 'read',
    handle: (call) =>
      withPull(call, async ({ store, repository, git }, pull) => {
        const from = (await git.mergeBase(pull.baseSha, pull.headSha)) ?? pull.baseSha
        return paged(call, await readChanges(git, from, pull.headSha), (change) =>
          presentChange(store, repository, pull.headSha, change),
        )
      }),
  },
]

async function withPull<T extends RepositoryCall>(
  call: T,
  handle: (call: T, pull: Pull) => Promise<Reply>,
): Promise<Reply> {
  const pull = call.repository.pulls.get(Number(call.parameters.pull_number))
  return pull === undefined ? notFound : handle(call, pull)
}

/** The pull requests a list asks for, in its order; GitHub passes over a `head` without an owner. */
function chosen({ repository, query }: RepositoryCall): readonly Pull[] {
  const { state = 'open', base, head, sort = 'created' } = query
  const direction =
    query.direction ?? (query.sort === undefined || sort === 'created' ? 'desc' : 'asc')
  const time = (pull: Pull): string => (sort === 'updated' ? pull.updatedAt : pull.createdAt)
  const ascending = [...repository.pulls.values()]
    .filter((pull) => state === 'all' || pull.state === state)
    .filter((pull) => base === undefined || pull.base === base)
    .filter((pull) => !head?.includes(':') || head === `${repository.options.owner}:${pull.head}`)
    .sort((a, b) => time(a).localeCompare(time(b)) || a.number - b.number)
  return direction === 'asc' ? ascending : ascending.toReversed()
}

async function show({ store, repository }: RepositoryCall, pull: Pull): Promise<Reply> {
  return ok(await presentPullNow(store, repository, pull, shownMergeState))
}

async function create(call: ActorCall): Promise<Reply> {
  const { store, repository, git, viewer } = call
  const { title, head: asked, base, body, draft = false } = call.body as NewPull
  const { actionsMayCreatePullRequests, draftPullRequests, owner } = repository.options
  if (viewer.login === 'github-actions[bot]' && actionsMayCreatePullRequests === false) {
    return failure(403, 'GitHub Actions is not permitted to create or approve pull requests.')
  }
  const head = asked.startsWith(`${owner}:`) ? asked.slice(owner.length + 1) : asked
  const refs = await git.refs()
  const headSha = refs.get(`refs/heads/${head}`)
  const baseSha = refs.get(`refs/heads/${base}`)
  if (title === undefined)
    return validationFailed('PullRequest', { field: 'title', code: 'missing_field' })
  if (headSha === undefined)
    return validationFailed('PullRequest', { field: 'head', code: 'invalid' })
  if (baseSha === undefined)
    return validationFailed('PullRequest', { field: 'base', code: 'invalid' })
  if ((await git.count(`${baseSha}..${headSha}`)) === 0) {
    return validationFailed('PullRequest', { message: `No commits between ${base} and ${head}` })
  }
  if ((await git.mergeBase(baseSha, headSha)) === null) {
    const message = `The ${head} branch has no history in common with ${base}`
    return validationFailed('PullRequest', { message })
  }
  if (openTwin(call, head, base) !== undefined) {
    return validationFailed('PullRequest', {
      message: `A pull request already exists for ${owner}:${head}.`,
    })
  }
  if (draft && draftPullRequests === false) {
    return failure(422, 'Draft pull requests are not supported in this repository.')
  }
  const now = store.now()
  const pull: Pull = {
    ...{ id: store.nextId(), number: nextNumber(repository), author: viewer },
    ...{ head, headSha, base, baseSha, title, body: body ?? null, draft, state: 'open' },
    ...{ stateReason: null, labels: [], assignees: [], reviewers: [] },
    ...{ createdAt: now, updatedAt: now, lastEditedAt: null },
    ...{ closedAt: null, closedBy: null, autoMerge: null, merged: null },
  }
  repository.pulls.set(pull.number, pull)
  await git.setRef(pullRef(pull), headSha)
  await tellOfIssue(call, pull, 'opened')
  return created((await show(call, pull)).body)
}

async function update(call: ActorCall, pull: Pull): Promise<Reply> {
  const { repository, viewer } = call
  const { title, body, base, state } = call.body as PullPatch
  const edits = title !== undefined || body !== undefined || base !== undefined
  const isAuthor = pull.author.id === viewer.id
  if (!isAuthor && !mayAt(edits ? 'write' : 'triage', repository, viewer)) {
    return failure(403, refusalTo(viewer))
  }
  if (base !== undefined && base !== pull.base) {
    const refused = await rebase(call, pull, base)
    if (refused !== null) return refused
  }
  if (state === 'open' && pull.state === 'closed') {
    const refused = await reopenIssue(call, pull)
    if (refused !== null) return validationFailed('PullRequest', { message: refused })
  }
  if (state === 'closed' && pull.state === 'open') await closeIssue(call, pull)
  await noteEdit(call, pull, { title: title ?? pull.title, body: body ?? pull.body })
  pull.updatedAt = call.store.now()
  return show(call, pull)
}

/** Gives it another base; the answer is GitHub's refusal, if any. */
async function rebase(call: ActorCall, pull: Pull, base: string): Promise<Reply | null> {
  if (pull.state === 'closed') {
    const message = 'Cannot change the base branch of a closed pull request.'
    return validationFailed('PullRequest', { message })
  }
  const baseSha = (await call.git.refs()).get(`refs/heads/${base}`)
  if (baseSha === undefined) {
    return validationFailed('PullRequest', { field: 'base', code: 'invalid' })
  }
  if (openTwin(call, pull.head, base) !== undefined) {
    const message = `A pull request already exists for base branch '${base}' and head branch '${pull.head}'`
    return validationFailed('PullRequest', { message })
  }
  await retarget(call, pull, base, baseSha)
  return null
}

const openTwin = ({ repository }: RepositoryCall, head: string, base: string): Pull | undefined =>
  [...repository.pulls.values()].find(
    (pull) => pull.state === 'open' && pull.head === head && pull.base === base,
  )
