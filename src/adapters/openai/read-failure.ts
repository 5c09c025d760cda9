import type { APIError } from 'openai/error'
import { UnusableAnswer } from './answer-reader.ts'
import { readTooLarge, type TooLarge } from './too-large.ts'

/** Why a question brought no answer. */
export interface ModelFailure {
  /** True where the same request may well succeed later. */
  readonly passing: boolean
  /** Of HTTP, or as the body of the answer says; `null` when nothing was answered. */
  readonly status: number | null
  /** As it came, of any length: "answered 429: …", "nothing was heard for …". */
  readonly reason: string
  /** The parameter an error names. */
  readonly param: unknown
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | null
  /** What the request is more than; `null` when it failed for another reason. */
  readonly tooLarge: TooLarge | null
}

export const passingFailure = (reason: string): ModelFailure => ({
  passing: true,
  status: null,
  reason,
  param: null,
  retryAfter: null,
  tooLarge: null,
})

/** What an error of the SDK, of `fetch` or of the answer's body means; `null` for a bug. */
export function readFailure(error: unknown): ModelFailure | null {
  if (error instanceof UnusableAnswer) {
    const { status, message } = error
    const passing = status === null || isPassing(status, null)
    const tooLarge = readTooLarge({ status, code: null, message })
    return { ...passingFailure(message), passing, status, tooLarge }
  }
  if (isStatusError(error)) {
    const { status, code, param } = error
    const message = error.message.replace(/^\d+ /, '')
    return {
      passing: isPassing(status, code ?? null),
      status,
      reason: `answered ${status}: ${message}`,
      param,
      retryAfter: error.headers?.get('retry-after') ?? null,
      tooLarge: readTooLarge({ status, code, message }),
    }
  }
  const code = networkCode(error)
  if (code !== null) return passingFailure(`the connection failed (${code})`)
  return isSdkError(error) ? passingFailure(`the connection failed (${error.message})`) : null
}

/** A used-up quota comes as 429, but no waiting helps. */
const isPassing = (status: number, code: string | null): boolean =>
  (status >= 500 || [408, 409, 425, 429].includes(status)) && code !== 'insufficient_quota'

/** Told by its shape, so that the SDK need not be loaded for it. Without a status: no answer came. */
const isSdkError = (error: unknown): error is APIError =>
  error instanceof Error && 'status' in error && 'requestID' in error

const isStatusError = (error: unknown): error is APIError & { readonly status: number } =>
  isSdkError(error) && typeof error.status === 'number'

/** `ECONNREFUSED`, `UND_ERR_SOCKET`, …: the innermost code of an error that `fetch` or a body threw. */
function networkCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const inner = networkCode(error.cause)
  if (inner !== null) return inner
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}
