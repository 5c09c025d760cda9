import type { Contract } from './contract.ts'
import type { Faults } from './faults.ts'
import type { Token } from './records.ts'
import type { Store } from './store.ts'

export interface RecordedRequest {
  readonly kind: 'rest' | 'graphql' | 'git' | 'web'
  readonly method: string
  /** When it arrived, in milliseconds. */
  readonly at: number
  /** With its query; of REST below the API's root, of others below the server's. */
  readonly path: string
  /** Whether it asks for a change; of GraphQL, whether it has a mutation. */
  readonly writes: boolean
  /** Whose token it carried. */
  readonly login: string | null
  /** The JSON body of a REST or GraphQL request, or an app's manifest. */
  readonly body: unknown
  /** 0 until answered, and when the connection was cut. */
  readonly status: number
}

export type Recording = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] }

/** What the answers of one server share. */
export interface Running {
  readonly store: Store
  readonly contract: Contract
  readonly faults: Faults
  readonly violations: string[]
  readonly requests: Recording[]
  /** A folder of git hooks. */
  readonly hooks: string
  /** Runs one piece of work after the other, as transactions would. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

/** The identity of an `Authorization` header: `null` without one, `undefined` if invalid. */
export function identify(
  store: Store,
  authorization: string | undefined,
): Token | null | undefined {
  if (authorization === undefined) return null
  const [scheme = '', value = ''] = authorization.split(' ')
  const token =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(value, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : value
  const known = store.tokens.get(token)
  return (known?.expiresAt ?? Infinity) > store.time() ? known : undefined
}
