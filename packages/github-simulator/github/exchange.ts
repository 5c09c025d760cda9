import type { Git } from './git.ts'
import type { App, Identity, Permission } from './records.ts'
import type { Repository, Store } from './store.ts'

/** One REST request that found its route and passed the contract. */
export interface Call {
  readonly store: Store
  /** The caller; `null` without a token. */
  readonly viewer: Identity | null
  /** The repositories that an installation's token covers; `null` for other tokens. */
  readonly scope: ReadonlySet<number> | null
  /** Decoded values of the path template. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The JSON body, `{}` without one; the contract has already checked its shape. */
  readonly body: object
  /** The request's own address, for `Link` headers. */
  readonly url: URL
}

/** A call below `/repos/{owner}/{repo}`. */
export interface RepositoryCall extends Call {
  readonly repository: Repository
  readonly git: Git
}

/** A repository and the person who acts in it. */
export interface Scene {
  readonly store: Store
  readonly repository: Repository
  readonly viewer: Identity
}

/** A call that requires a known token. */
export type ActorCall = RepositoryCall & Scene

export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface Row {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** As in GitHub's description, where the contract looks it up. */
  readonly path: string
  /** The path of a similar operation, if the description lacks this one. */
  readonly describedAs?: string
}

/** A route inside a repository, open to everyone who can see it, */
export interface ReadRoute extends Row {
  readonly access: 'read'
  readonly handle: (call: RepositoryCall) => Reply | Promise<Reply>
}

/** to `anyone` with a known token, or to people with this permission. */
export interface ActorRoute extends Row {
  readonly access: 'anyone' | Extract<Permission, 'triage' | 'write' | 'admin'>
  /** GitHub's message to others, if it is not the usual one. */
  readonly refusal?: string
  readonly handle: (call: ActorCall) => Reply | Promise<Reply>
}

export type Route = ReadRoute | ActorRoute

/** A route outside any repository. */
export interface TopRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly handleTop: (call: Call) => Reply
}

export interface AppCall extends Call {
  readonly app: App
}

/** A route for the app itself, with a token it signed. */
export interface AppRoute extends Row {
  readonly handleApp: (call: AppCall) => Reply | Promise<Reply>
}

export type AnyRoute = Route | TopRoute | AppRoute

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const created = (body: unknown): Reply => ({ status: 201, body })
export const noContent: Reply = { status: 204 }

export const failure = (
  status: number,
  message: string,
  errors?: readonly (object | string)[],
): Reply => ({
  status,
  body: {
    message,
    ...(errors === undefined ? {} : { errors }),
    documentation_url: 'https://docs.github.com/rest',
    status: `${status}`,
  },
})

/** GitHub's message to a person or app without a permission. */
export const refusalTo = ({ type }: Identity): string =>
  type === 'Bot'
    ? 'Resource not accessible by integration'
    : 'Must have admin rights to Repository.'

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
