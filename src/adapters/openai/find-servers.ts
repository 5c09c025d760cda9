import { parseJson } from '../../../packages/text/text.ts'
import { type ListedModel, readModelList } from './read-window.ts'

/** A server for models that runs on this machine. */
export interface LocalServer {
  readonly name: string
  readonly baseUrl: string
  /** Names of its models, those that are made for code first; never empty. */
  readonly models: readonly string[]
}

export interface ServerSearch {
  readonly ports: readonly (readonly [name: string, port: number])[]
  readonly milliseconds: number
}

/** The default ports of these programs. A closed port refuses at once; a busy server answers within a second. */
export const usualSearch: ServerSearch = {
  ports: [
    ['Ollama', 11_434],
    ['LM Studio', 1234],
    ['llama.cpp', 8080],
    ['vLLM', 8000],
  ],
  milliseconds: 1_000,
}

/** Finds the servers with models on this machine, all ports at once. */
export async function findServers({
  ports,
  milliseconds,
}: ServerSearch): Promise<readonly LocalServer[]> {
  const late = AbortSignal.timeout(milliseconds)
  const looked = await Promise.all(ports.map(([name, port]) => lookAt(name, port, late)))
  return looked.filter((server) => server !== null)
}

async function lookAt(
  usual: string,
  port: number,
  signal: AbortSignal,
): Promise<LocalServer | null> {
  const baseUrl = `http://127.0.0.1:${port}/v1`
  try {
    const answer = await fetch(`${baseUrl}/models`, { signal, redirect: 'error' })
    const list = answer.ok ? readModelList(parseJson(await answer.text())) : null
    const models = (list ?? []).map(({ id }) => id).filter((id) => !writesNothing.test(id))
    if (list === null || models.length === 0) return null
    const ordered = [...models.filter(isForCode), ...models.filter((id) => !isForCode(id))]
    return { name: nameOf(list) ?? usual, baseUrl, models: ordered }
  } catch {
    return null
  }
}

/** Another program may listen at a usual port. */
function nameOf([first]: readonly ListedModel[]): string | null {
  if (first?.owner === 'llamacpp') return 'llama.cpp'
  return first?.owner === 'vllm' ? 'vLLM' : null
}

const writesNothing = /embed|rerank|whisper/i

const isForCode = (id: string): boolean => /code|devstral/i.test(id)
