import type { Answer } from './answer.ts'
import { compilePath } from './path-template.ts'

/** A fault that the real GitHub can have. */
export type FaultEffect =
  /** An error status, `after` the request took effect or instead of it. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly when: 'before' | 'after'
      readonly headers?: Readonly<Record<string, string>>
      readonly message?: string
    }
  /** Closes the connection without a response. Calls `met` first, which may kill the client. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after'; readonly met?: () => void }
  | { readonly kind: 'delay'; readonly seconds: number; readonly met?: () => void }
  /** 403 for the hourly limit, which resets after `seconds`. */
  | { readonly kind: 'rate_limit'; readonly resetSeconds: number }
  /** 403 of the secondary limit; GitHub sends `Retry-After` with it, but not always. */
  | { readonly kind: 'secondary_limit'; readonly retryAfter?: string }
  /** A list without its newest entry; for GraphQL, the named connections or all of them. */
  | { readonly kind: 'lag'; readonly connections?: readonly string[] }
  /** A GraphQL error with status 200. */
  | { readonly kind: 'graphql_error'; readonly type?: string; readonly message: string }

export interface Fault {
  readonly method?: string
  /** A path template as in the route table, or a git address: `/{owner}/{repo}.git/git-receive-pack`; `*` is any. */
  readonly path: string
  /** Requests to let through first. */
  readonly skip?: number
  /** Requests to affect; 1 by default. */
  readonly times?: number
  readonly effect: FaultEffect
}

export interface Faults {
  add(fault: Fault): void
  /** Removes pending faults. */
  clear(): void
  /** Returns the fault for this request and counts it as used. */
  take(method: string, pathname: string): FaultEffect | null
}

export function createFaults(): Faults {
  const waiting: { fault: Fault; pattern: RegExp; skip: number; left: number }[] = []
  return {
    add: (fault) => {
      const pattern = fault.path === '*' ? /^/ : compilePath(fault.path)
      waiting.push({ fault, pattern, skip: fault.skip ?? 0, left: fault.times ?? 1 })
    },
    clear: () => {
      waiting.length = 0
    },
    take(method, pathname) {
      const meant = waiting.filter(
        ({ fault, pattern, left }) =>
          left > 0 && (fault.method ?? method) === method && pattern.test(pathname),
      )
      const met = meant.find(({ skip }) => skip === 0)
      for (const one of meant) if (one.skip > 0) one.skip -= 1
      if (met === undefined) return null
      met.left -= 1
      return met.fault.effect
    },
  }
}

export const strikesBefore = (effect: FaultEffect): boolean =>
  effect.kind === 'rate_limit' ||
  effect.kind === 'secondary_limit' ||
  effect.kind === 'graphql_error' ||
  ('when' in effect && effect.when === 'before')

export const strikesAfter = (effect: FaultEffect): boolean =>
  'when' in effect && effect.when === 'after'

/** The client's response in place of the real one; `null` closes the connection. */
export function struck(effect: FaultEffect): Answer | null {
  switch (effect.kind) {
    case 'status':
      return errorAnswer(effect.status, effect.message ?? 'Server Error', effect.headers)
    case 'rate_limit': {
      const reset = Math.ceil(Date.now() / 1000) + effect.resetSeconds
      const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${reset}` }
      return errorAnswer(403, 'API rate limit exceeded for installation.', headers)
    }
    case 'graphql_error': {
      const { type, message } = effect
      const error = type === undefined ? { message } : { type, message }
      return jsonAnswer(200, { data: null, errors: [error] })
    }
    case 'secondary_limit': {
      const { retryAfter } = effect
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
      return errorAnswer(403, 'You have exceeded a secondary rate limit. Please wait.', headers)
    }
    case 'drop':
      effect.met?.()
      return null
    default:
      return null
  }
}

function errorAnswer(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return jsonAnswer(status, { message, documentation_url: 'https://docs.github.com/rest' }, headers)
}

const jsonAnswer = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})
