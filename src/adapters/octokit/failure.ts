import { ExecutorError } from '../../core/domain/errors.ts'
import { type Judge, UncertainEffect } from '../../core/perform-effect.ts'
import type { ForgeResult } from '../../core/ports/forge.ts'

type Refused = Extract<ForgeResult<never>, { readonly status: 'refused' }>

/** A failed request, as @octokit throws it. Without `response`, the network failed. */
export interface RequestFailure extends Error {
  readonly status: number
  readonly request?: { readonly method: string; readonly url: string }
  readonly response?: {
    readonly headers: Readonly<Record<string, string | number | undefined>>
    readonly data: unknown
  }
}

export const isRequestFailure = (error: unknown): error is RequestFailure =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'

export const hasStatus = (error: unknown, status: number): error is RequestFailure =>
  isRequestFailure(error) && error.response !== undefined && error.status === status

/** True when the other side may or may not have done what it was asked: 5xx, or no answer. */
export const isUncertain = (error: unknown): boolean =>
  isRequestFailure(error) && (error.response === undefined || error.status >= 500)

/** Told to come back later (429, and 403 with the marks of a limit): nothing was done. */
export function isLimit(error: RequestFailure): boolean {
  if (error.status === 429) return true
  const headers = error.response?.headers ?? {}
  const exhausted = String(headers['x-ratelimit-remaining']) === '0'
  const named = headers['retry-after'] !== undefined || /\brate limit\b/i.test(error.message)
  return error.status === 403 && (exhausted || named)
}

/** Of an act of an effect. That a pull request exists already is said before it is listed. */
export const judgeForgeFailure: Judge = (error) => {
  if (error instanceof ForgeRefusedError || error instanceof ExecutorError) return 'refused'
  if (!isRequestFailure(error)) return null
  if (isUncertain(error) || saysItExists(error)) return 'in_doubt'
  return isLimit(error) ? 'not_done' : 'refused'
}

/** GitHub allows one open pull request of a head and base, and may list it later. */
export const saysItExists = (error: unknown): boolean =>
  hasStatus(error, 422) && /pull request already exists/i.test(error.message)

/** Says no in the words of the port, from anywhere below it. */
export class ForgeRefusedError extends Error {
  readonly code: Refused['code']

  constructor(code: Refused['code'], detail: string, options: { cause?: unknown } = {}) {
    super(detail, options)
    this.name = 'ForgeRefusal'
    this.code = code
  }
}

/** What a failure means to the program; a bug stays an exception, and so does a long wait. */
export function toRefusal(error: unknown, repository: string): Refused {
  if (error instanceof ForgeRefusedError) {
    return { status: 'refused', code: error.code, detail: error.message }
  }
  if (error instanceof UncertainEffect) {
    // The look would have had to wait for long: so has the run.
    if (error.cause instanceof ExecutorError) throw waiting(error, error.cause)
    return { status: 'refused', code: 'forge_unreachable', detail: error.message }
  }
  if (!isRequestFailure(error)) throw error
  if (/not permitted to create or approve pull requests/i.test(error.message)) {
    return { status: 'refused', code: 'actions_may_not_create_pull_requests', detail: repository }
  }
  const passing = isUncertain(error) || isLimit(error)
  const code = passing ? 'forge_unreachable' : 'forge_denied'
  return { status: 'refused', code, detail: describe(error) }
}

const waiting = ({ message }: UncertainEffect, cause: ExecutorError): ExecutorError =>
  new ExecutorError(cause.code, message, { retryAt: cause.retryAt, cause })

/** `POST /repos/o/r/pulls: 422 Validation Failed: …`, without the address of the documentation. */
export function describe(error: RequestFailure): string {
  const { method = '', url = '' } = error.request ?? {}
  const path = URL.canParse(url) ? new URL(url).pathname : url
  const status = error.response === undefined ? '' : `${error.status} `
  return `${method} ${path}: ${status}${error.message.replace(/ - https?:\S+$/, '')}`
}

/** `null` in the place of these answers. */
export const orNull = <T>(work: Promise<T>, ...statuses: readonly number[]): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (statuses.some((status) => hasStatus(error, status))) return null
    throw error
  })

/** Of a wish that was not granted; what is not an answer of GitHub's is a bug. */
export function reasonOf(error: unknown): string {
  if (error instanceof ForgeRefusedError || error instanceof UncertainEffect) return error.message
  if (isRequestFailure(error)) return describe(error)
  throw error
}
