import { ExecutorError } from '../../core/domain/errors.ts'
import { withoutKey } from './read-failure.ts'

/** An endpoint that needs longer says so at the first request. */
const mostSeconds = 20

/**
 * Asks the endpoint for its list of models, which costs nothing, to see whether it takes the key. Any answer but a
 * refusal counts as taken: not every endpoint has a list.
 *
 * @throws ExecutorError `model_rejected`
 */
export async function tryKey({
  baseUrl,
  apiKey,
  signal,
}: {
  readonly baseUrl: string
  readonly apiKey: string
  readonly signal: AbortSignal
}): Promise<void> {
  const status = await fetch(`${baseUrl.replace(/\/$/, '')}/models`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(mostSeconds * 1000)]),
  }).then(
    async (answer) => {
      await answer.body?.cancel()
      return answer.status
    },
    () => null,
  )
  if (status !== 401 && status !== 403) return
  const said = `${new URL(baseUrl).host}: answered ${status}${withoutKey(status, apiKey)}`
  throw new ExecutorError('model_rejected', said)
}
