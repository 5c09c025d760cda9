import { onTestFinished } from 'vitest'
import type { ModelScript } from '../../model/model-script.ts'
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../model/start-model-server.ts'

/** A server of one test's own, closed when the test ends. */
export async function serve(
  script: ModelScript,
  options: Omit<ModelServerOptions, 'script'> = {},
): Promise<ModelServer> {
  const server = await startModelServer({ script, ...options })
  onTestFinished(() => server.close())
  return server
}

/** Asks one of the server's APIs, with a body that may be anything. */
export const post = (
  server: ModelServer,
  path: 'chat/completions' | 'responses' | 'messages',
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${server.url}/${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

export interface ServerEvent {
  readonly name: string
  readonly data: { readonly type: string } & Readonly<Record<string, unknown>>
}

/** The named events of a stream, whole. */
export async function readEvents(response: Response): Promise<readonly ServerEvent[]> {
  const blocks = (await response.text()).split('\n\n').slice(0, -1)
  return blocks.map((block) => {
    const [, name = '', data = ''] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? []
    return { name, data: JSON.parse(data) }
  })
}
