import { ExecutorError } from '../../core/domain/errors.ts'
import { type Judge, UncertainEffect } from '../../core/perform-effect.ts'
import type { ForgeRefusal, ForgeResult } from '../../core/ports/forge.ts'

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

export const hasStatus = (
  error: unknown,
  ...statuses: readonly number[]
): error is RequestFailure =>
  isRequestFailure(error) && error.response !== undefined && statuses.includes(error.status)

/** Returns true if the request may or may not have succeeded: 5xx, or no response. */
export const isUncertain = (error: unknown): boolean =>
  isRequestFailure(error) && (error.response === undefined || error.status >= 500)

/** Returns true for a rate limit (429, or 403 with its headers): nothing was done. */
export function isLimit(error: RequestFailure): boolean {
  if (error.status === 429) return true
  const headers = error.response?.headers ?? {}
  const exhausted = String(headers['x-ratelimit-remaining']) === '0'
  const named = headers['retry-after'] !== undefined || /\brate limit\b/i.test(error.message)
  return error.status === 403 && (exhausted || named)
}

/** Judges a failed write. GitHub reports an existing pull request before it lists it. */
export const judgeForgeFailure: Judge = (error) => {
  if (error instanceof ForgeRefusedError || error instanceof ExecutorError) return 'refused'
  if (!isRequestFailure(error)) return null
  if (isUncertain(error) || saysItExists(error)) return 'in_doubt'
  return isLimit(error) ? 'not_done' : 'refused'
}

/** GitHub allows one open pull request per head and base, and may list it later. */
export const saysItExists = (error: unknown): boolean =>
  hasStatus(error, 422) && /pull request already exists/i.test(error.message)

/** A refusal in the port's terms, from any depth. */
export class ForgeRefusedError extends Error {
  readonly code: ForgeRefusal['code']

  constructor(code: ForgeRefusal['code'], detail: string, options: { cause?: unknown } = {}) {
    super(detail, options)
    this.name = 'ForgeRefusal'
    this.code = code
  }
}

/** Translates a failure into a refusal; a bug or a long wait stays an exception. */
export function toRefusal(error: unknown, repository: string): ForgeRefusal {
  const refused = (code: ForgeRefusal['code'], detail: string) =>
    ({ status: 'refused', code, detail }) as const
  if (error instanceof ForgeRefusedError) return refused(error.code, error.message)
  if (error instanceof UncertainEffect) {
    const { message, cause } = error
    // The check would have had to wait too long, so the run must too.
    if (cause instanceof ExecutorError) {
      throw new ExecutorError(cause.code, message, { retryAt: cause.retryAt, cause })
    }
    return refused('forge_unreachable', message)
  }
  if (!isRequestFailure(error)) throw error
  if (/not permitted to create or approve pull requests/i.test(error.message)) {
    return refused('actions_may_not_create_pull_requests', repository)
  }
  const passing = isUncertain(error) || isLimit(error)
  return refused(passing ? 'forge_unreachable' : 'forge_denied', reasonOf(error))
}

/** Wraps requests so that failures become the ports' results. */
export function answersOf({ target }: { readonly target: { owner: string; repo: string } }) {
  const orRefusal = <T>(work: Promise<T>): Promise<T | ForgeRefusal> =>
    work.catch((error: unknown) => toRefusal(error, `${target.owner}/${target.repo}`))
  const asResult = <T>(work: Promise<T>): Promise<ForgeResult<T>> =>
    orRefusal(work.then((value) => ({ status: 'ok', value }) as const))
  return {
    orRefusal,
    asResult,
    done: (work: Promise<unknown>) => asResult(work.then(() => null)),
    /** For results that the caller cannot do without. @throws ExecutorError */
    async orThrow<T>(work: Promise<T>): Promise<T> {
      const result = await asResult(work)
      if (result.status === 'ok') return result.value
      throw new ExecutorError(result.code, result.detail)
    },
  }
}

/** Returns `null` for these statuses. */
export const orNull = <T>(work: Promise<T>, ...statuses: readonly number[]): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (hasStatus(error, ...statuses)) return null
    throw error
  })

/** GitHub's message without the documentation link. */
export const wordsOf = ({ message }: Error): string => message.replace(/ - https?:\S+$/, '')

/**
 * Describes a refused request: `POST /repos/o/r/pulls: 422 Validation Failed: …`.
 * @throws anything but a GitHub failure: a bug
 */
export function reasonOf(error: unknown): string {
  if (error instanceof ForgeRefusedError || error instanceof UncertainEffect) return error.message
  if (!isRequestFailure(error)) throw error
  const { method = '', url = '' } = error.request ?? {}
  const path = URL.canParse(url) ? new URL(url).pathname : url
  const status = error.response === undefined ? '' : `${error.status} `
  return `${method} ${path}: ${status}${wordsOf(error)}`
}
