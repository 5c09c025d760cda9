import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerSearch } from '../../../src/adapters/openai/find-servers.ts'
import { closers } from './start-model.ts'

/** A server with these answers by path; 404 for any other. */
export async function startServer(answers: Readonly<Record<string, unknown>>) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    request.resume()
    const path = request.url ?? ''
    paths.push(path)
    const answer = answers[path]
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? { error: 'none' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { port, baseUrl: `http://127.0.0.1:${port}/v1`, paths }
}

export const list = (...data: readonly object[]) => ({ object: 'list', data })

/** As llama.cpp's server answers for a model that was trained for more than it was given. */
export const llamaList = list({
  ...{ id: '1.5b.gguf', object: 'model', owned_by: 'llamacpp' },
  meta: { vocab_type: 2, n_vocab: 151_936, n_ctx: 16_384, n_ctx_train: 32_768 },
})

/** As Ollama lists what was pulled. */
export const ollamaList = list(
  { id: 'llama3.2:3b', object: 'model', created: 1_726_000_000, owned_by: 'library' },
  { id: 'nomic-embed-text:latest', object: 'model', created: 1_726_000_000, owned_by: 'library' },
  { id: 'qwen2.5-coder:latest', object: 'model', created: 1_726_000_000, owned_by: 'library' },
)

/** As LM Studio lists what was downloaded. */
export const studioList = list(
  { id: 'qwen2.5-coder-7b', object: 'model', owned_by: 'organization_owner' },
  { id: 'other', object: 'model', owned_by: 'organization_owner' },
)

/** A search that waits for these ports, however busy the machine is. */
export const searchOf = (...ports: ServerSearch['ports']): ServerSearch => ({
  ports,
  milliseconds: 60_000,
})
