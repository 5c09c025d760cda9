import { findServers, type LocalServer, type ServerSearch } from '../openai/find-servers.ts'
import { type DoctorCheck, ok } from './check.ts'

const mostNamed = 5

/** `Ollama at http://127.0.0.1:11434/v1: qwen2.5-coder:1.5b, llama3.2`. */
export function describeServer({ name, baseUrl, models }: LocalServer): string {
  const more = models.length > mostNamed ? ` and ${models.length - mostNamed} more` : ''
  return `${name} at ${baseUrl}: ${models.slice(0, mostNamed).join(', ')}${more}`
}

/** Lists the models of this machine, and the lines that make a run use one. */
export async function checkLocalModels(search: ServerSearch): Promise<readonly DoctorCheck[]> {
  const servers = await findServers(search)
  return servers.map((server) => ({
    ...ok('local models', describeServer(server)),
    next: `To use it, add to .github/executor.yml: base-url: ${server.baseUrl} and model: ${server.models[0]}`,
  }))
}
