import { ExecutorError } from '../../core/domain/errors.ts'
import { withoutKey } from './read-failure.ts'

interface Server {
  readonly baseUrl: string
  readonly apiKey: string
  readonly signal: AbortSignal
}

/** An endpoint that needs longer says so at the first request. */
const mostSeconds = 20

/**
 * Sees whether the endpoint takes the key, at no cost: asks for its list of models and, as a restricted key may not read
 * that one, for an answer to no messages. Both must be refused: any other answer comes from behind the check of the key.
 *
 * @throws ExecutorError `model_rejected`
 */
export async function tryKey(server: Server): Promise<void> {
  const { baseUrl, apiKey } = server
  const listed = await statusOf('/models', server)
  if (!isRefusal(listed)) return
  const asked = await statusOf('/chat/completions', server, JSON.stringify({ messages: [] }))
  if (!isRefusal(asked)) return
  const said = `${new URL(baseUrl).host}: answered ${asked}${withoutKey(asked, apiKey)}`
  throw new ExecutorError('model_rejected', said)
}

const isRefusal = (status: number | null): boolean => status === 401 || status === 403

/** `null` without an answer. */
async function statusOf(
  path: string,
  { baseUrl, apiKey, signal }: Server,
  body?: string,
): Promise<number | null> {
  try {
    const answer = await fetch(baseUrl.replace(/\/$/, '') + path, {
      headers: { authorization: `Bearer ${apiKey.trim()}`, 'content-type': 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(mostSeconds * 1000)]),
      ...(body !== undefined && { method: 'POST', body }),
    })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return null
  }
}
