import { noCommit, pushRef } from '../changes/push.ts'
import {
  created,
  failure,
  noContent,
  notFound,
  ok,
  type Reply,
  type RepositoryCall,
  type Route,
} from '../exchange.ts'
import { followGit } from '../follow-git.ts'
import { repositoryUrl } from '../present/repository.ts'
import { isProtected } from './repositories.ts'

const git = '/repos/{owner}/{repo}/git'

export const refRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${git}/ref/{ref}`,
    access: 'read',
    async handle(call) {
      const ref = fullName(call)
      const sha = (await call.git.refs()).get(ref)
      return sha === undefined ? notFound : ok(presentRef(call, ref, sha))
    },
  },
  {
    method: 'GET',
    path: `${git}/matching-refs/{ref}`,
    access: 'read',
    async handle(call) {
      const matching = [...(await call.git.refs())].filter(([ref]) =>
        ref.startsWith(fullName(call)),
      )
      return ok(matching.map(([ref, sha]) => presentRef(call, ref, sha)))
    },
  },
  {
    method: 'POST',
    path: `${git}/refs`,
    access: 'write',
    async handle(call) {
      const { ref, sha } = call.body as { ref: string; sha: string }
      if (!/^refs\/[^/]+\/./.test(ref)) {
        return failure(422, "Reference name must start with 'refs/' and have at least two slashes.")
      }
      if ((await call.git.resolve(sha)) !== sha) return failure(422, 'Object does not exist')
      if ((await call.git.refs()).has(ref)) return failure(422, 'Reference already exists')
      const made = await pushRef(call, ref, sha, noCommit)
      return made
        ? created(presentRef(call, ref, sha))
        : failure(422, 'Reference name is not valid')
    },
  },
  {
    method: 'PATCH',
    path: `${git}/refs/{ref}`,
    access: 'write',
    async handle(call) {
      const { sha, force = false } = call.body as { sha: string; force?: boolean }
      const ref = fullName(call)
      const old = (await call.git.refs()).get(ref)
      if (old === undefined) return failure(422, 'Reference does not exist')
      const refusal = protectionRefusal(call, ref)
      if (refusal !== null) return refusal
      if ((await call.git.resolve(sha)) !== sha) return failure(422, 'Object does not exist')
      if (!force && (await call.git.mergeBase(old, sha)) !== old) {
        return failure(422, 'Update is not a fast forward')
      }
      await pushRef(call, ref, sha, old)
      await followGit(call)
      return ok(presentRef(call, ref, sha))
    },
  },
  {
    method: 'DELETE',
    path: `${git}/refs/{ref}`,
    access: 'write',
    async handle(call) {
      const ref = fullName(call)
      if (!(await call.git.refs()).has(ref)) return failure(422, 'Reference does not exist')
      const refusal = protectionRefusal(call, ref)
      if (refusal !== null) return refusal
      await pushRef(call, ref, null)
      await followGit(call)
      return noContent
    },
  },
]

/** GitHub takes `heads/main` here, not `refs/heads/main`. */
const fullName = ({ parameters }: RepositoryCall): string => `refs/${parameters.ref ?? ''}`

function protectionRefusal({ repository }: RepositoryCall, ref: string): Reply | null {
  if (!isProtected(repository, ref.replace('refs/heads/', ''))) return null
  return failure(422, `Protected branch update failed for ${ref}.`)
}

function presentRef({ store, repository }: RepositoryCall, ref: string, sha: string): object {
  const url = `${repositoryUrl(store, repository)}/git`
  return {
    ref,
    node_id: Buffer.from(ref).toString('base64url'),
    url: `${url}/${encodeURI(ref)}`,
    object: { type: 'commit', sha, url: `${url}/commits/${sha}` },
  }
}
