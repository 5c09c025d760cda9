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
  readonly code: ForgeRefusal['code']

  constructor(code: ForgeRefusal['code'], detail: string, options: { cause?: unknown } = {}) {
    super(detail, options)
    this.name = 'ForgeRefusal'
    this.code = code
  }
}

/** What a failure means to the program; a bug stays an exception, and so does a long wait. */
export function toRefusal(error: unknown, repository: string): ForgeRefusal {
  const refused = (code: ForgeRefusal['code'], detail: string) =>
    ({ status: 'refused', code, detail }) as const
  if (error instanceof ForgeRefusedError) return refused(error.code, error.message)
  if (error instanceof UncertainEffect) {
    const { message, cause } = error
    // The look would have had to wait for long: so has the run.
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

/** What becomes of a request that fails, in the words of the ports. */
export function answersOf({ target }: { readonly target: { owner: string; repo: string } }) {
  const orRefusal = <T>(work: Promise<T>): Promise<T | ForgeRefusal> =>
    work.catch((error: unknown) => toRefusal(error, `${target.owner}/${target.repo}`))
  const asResult = <T>(work: Promise<T>): Promise<ForgeResult<T>> =>
    orRefusal(work.then((value) => ({ status: 'ok', value }) as const))
  return {
    orRefusal,
    asResult,
    done: (work: Promise<unknown>) => asResult(work.then(() => null)),
    /** For what there is no going on without. @throws ExecutorError */
    async orThrow<T>(work: Promise<T>): Promise<T> {
      const result = await asResult(work)
      if (result.status === 'ok') return result.value
      throw new ExecutorError(result.code, result.detail)
    },
  }
}

/** `null` in the place of these answers. */
export const orNull = <T>(work: Promise<T>, ...statuses: readonly number[]): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (hasStatus(error, ...statuses)) return null
    throw error
  })

/** GitHub's own words, without the address of the documentation. */
export const wordsOf = ({ message }: Error): string => message.replace(/ - https?:\S+$/, '')

/**
 * `POST /repos/o/r/pulls: 422 Validation Failed: …`, of a wish that was not granted.
 * @throws what is no answer of GitHub's: a bug
 */
export function reasonOf(error: unknown): string {
  if (error instanceof ForgeRefusedError || error instanceof UncertainEffect) return error.message
  if (!isRequestFailure(error)) throw error
  const { method = '', url = '' } = error.request ?? {}
  const path = URL.canParse(url) ? new URL(url).pathname : url
  const status = error.response === undefined ? '' : `${error.status} `
  return `${method} ${path}: ${status}${wordsOf(error)}`
}
