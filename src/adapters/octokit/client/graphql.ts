import type { Octokit } from '@octokit/rest'
import type { RequestFailure } from '../failure.ts'

interface GraphqlError {
  readonly type?: string
  readonly message?: string
}

interface RequestOptions {
  readonly method: string
  readonly url: string
  readonly query?: unknown
}

/** The REST status that corresponds to a GraphQL error type. */
const statusOf: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  RATE_LIMITED: 429,
}

/** `https://api.github.com/graphql`, or `/api/graphql` of an Enterprise server. */
const addressOf = (baseUrl: string): string =>
  /\/api\/v3\/?$/.test(baseUrl)
    ? baseUrl.replace(/\/api\/v3\/?$/, '/api/graphql')
    : `${baseUrl.replace(/\/$/, '')}/graphql`

const isGraphql = ({ url }: RequestOptions): boolean => /\/graphql$/.test(url)

/** Returns true for requests that are safe to repeat: every GET, and GraphQL queries. */
export const isRead = (options: RequestOptions): boolean =>
  options.method === 'GET' || (isGraphql(options) && !/^\s*mutation\b/.test(String(options.query)))

/** Sends one GraphQL request; its errors look like those of REST. */
export async function askGraphql<T>(
  octokit: Octokit,
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<T> {
  const url = addressOf(octokit.request.endpoint.DEFAULTS.baseUrl)
  const { data } = await octokit.request({ method: 'POST', url, query, variables })
  return data.data
}

/** GraphQL answers 200 even for errors; this turns them into failures with a status. */
export function raiseGraphqlErrors(octokit: Octokit): void {
  octokit.hook.wrap('request', async (request, options) => {
    if (!isGraphql(options)) return request(options)
    let response: RequestFailure['response'] | undefined
    try {
      const answer = await request(options)
      if (!Array.isArray(answer.data?.errors)) return answer
      response = answer
    } catch (error) {
      // The throttling plugin throws GraphQL rate limits without a status.
      if (!(error instanceof Error) || 'status' in error || !('response' in error)) throw error
      response = error.response as RequestFailure['response']
    }
    throw toFailure(response, options)
  })
}

function toFailure(response: RequestFailure['response'], { method, url }: RequestOptions): Error {
  const data = response?.data as { readonly errors?: readonly GraphqlError[] } | undefined
  const errors = data?.errors ?? []
  const message = errors.map((error) => error.message ?? 'unknown error').join('; ')
  const passing = /something went wrong while executing your query/i.test(message)
  const known = errors.map(({ type = '' }) => statusOf[type]).find((status) => status !== undefined)
  const status = known ?? (passing ? 502 : 422)
  return Object.assign(new Error(message), { status, request: { method, url }, response })
}
