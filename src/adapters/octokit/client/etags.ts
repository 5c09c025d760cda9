import { hasStatus } from '../failure.ts'
import type { Octokit } from './octokit.ts'

type Response = Awaited<ReturnType<Octokit['request']>>

const mostKept = 50

/**
 * Asks again with the `ETag` of the last answer: an unchanged one costs nothing of the rate limit.
 *
 * @param heard told of each unchanged answer
 */
export function answerFromEtags(octokit: Octokit, heard: () => void): void {
  const answers = new Map<string, { readonly etag: string; readonly response: Response }>()
  octokit.hook.wrap('request', async (request, options) => {
    if (options.method !== 'GET') return request(options)
    const { url } = octokit.request.endpoint(options)
    const known = answers.get(url)
    if (known !== undefined) options.headers['if-none-match'] = known.etag
    try {
      const response = await request(options)
      const { etag } = response.headers
      answers.delete(url)
      if (etag !== undefined) answers.set(url, { etag, response })
      const [oldest] = answers.keys()
      if (answers.size > mostKept && oldest !== undefined) answers.delete(oldest)
      return response
    } catch (error) {
      if (known === undefined || !hasStatus(error, 304)) throw error
      heard()
      return known.response
    }
  })
}
