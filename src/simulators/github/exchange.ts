import type { Git } from './git.ts'
import type { Identity, Repository, Store } from './store.ts'

/** One REST request that found its route and passed the contract. */
export interface Call {
  readonly store: Store
  /** Who asks; `null` without a token. */
  readonly viewer: Identity | null
  /** Decoded values of the path template. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The JSON body, `{}` when there is none; its shape was checked against the contract before. */
  readonly body: object
  /** The request's own address, for `Link` headers. */
  readonly url: URL
}

/** A call below `/repos/{owner}/{repo}`. */
export interface RepositoryCall extends Call {
  readonly repository: Repository
  readonly git: Git
}

export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** As in GitHub's description, where the contract is looked up by it. */
  readonly path: string
  /** `anyone` with a known token, or who may `write` to the repository; reads are open. */
  readonly access: 'read' | 'anyone' | 'write'
  readonly handle: (call: RepositoryCall) => Reply | Promise<Reply>
}

/** A route outside any repository. */
export interface TopRoute {
  readonly method: 'GET'
  readonly path: string
  readonly handleTop: (call: Call) => Reply
}

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const created = (body: unknown): Reply => ({ status: 201, body })
export const noContent: Reply = { status: 204 }

export const failure = (status: number, message: string, errors?: readonly object[]): Reply => ({
  status,
  body: {
    message,
    ...(errors === undefined ? {} : { errors }),
    documentation_url: 'https://docs.github.com/rest',
    status: `${status}`,
  },
})

export const notFound = failure(404, 'Not Found')

/** GitHub's 422: `custom` carries a sentence, the other codes name a field. */
export function validationFailed(
  resource: string,
  problem: { readonly field: string; readonly code: string } | { readonly message: string },
): Reply {
  const error =
    'message' in problem ? { resource, code: 'custom', ...problem } : { resource, ...problem }
  return failure(422, 'Validation Failed', [error])
}
