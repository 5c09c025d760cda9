import type { Answer } from './answer.ts'
import { compilePath } from './path-template.ts'

/** Something that goes wrong, as it does on the real thing. */
export type FaultEffect =
  /** An error status; `after` the request took effect, or instead of it. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly when: 'before' | 'after'
      readonly headers?: Readonly<Record<string, string>>
      readonly message?: string
    }
  /** The connection is cut without an answer. `met` is called at that moment: who asked may die of it. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after'; readonly met?: () => void }
  | { readonly kind: 'delay'; readonly seconds: number; readonly met?: () => void }
  /** 403 of the hourly limit, to be reset in so many seconds. */
  | { readonly kind: 'rate_limit'; readonly resetSeconds: number }
  /** 403 of the secondary limit; GitHub sends `Retry-After` with it, but not always. */
  | { readonly kind: 'secondary_limit'; readonly retryAfter?: string }
  /** A list that does not show its newest entry yet; of GraphQL, the connections of these names, or all. */
  | { readonly kind: 'lag'; readonly connections?: readonly string[] }
  /** What GraphQL says in a 200. */
  | { readonly kind: 'graphql_error'; readonly type?: string; readonly message: string }

export interface Fault {
  readonly method?: string
  /** A path template as in the route table, or a git address: `/{owner}/{repo}.git/git-receive-pack`; `*` is any. */
  readonly path: string
  /** How many requests it lets pass first. */
  readonly skip?: number
  /** How many requests it meets; 1 when not given. */
  readonly times?: number
  readonly effect: FaultEffect
}

export interface Faults {
  add(fault: Fault): void
  /** Forgets what has not happened yet. */
  clear(): void
  /** The fault this request meets, counted as used. */
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

/** What the client gets instead of the real answer; `null` when the connection is cut. */
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
