import type { LocalServer } from '../../adapters/openai/find-servers.ts'

const mostNamed = 5

/** `Ollama at http://127.0.0.1:11434/v1: qwen2.5-coder:1.5b, llama3.2`. */
export function describeServer({ name, baseUrl, models }: LocalServer): string {
  const more = models.length > mostNamed ? ` and ${models.length - mostNamed} more` : ''
  return `${name} at ${baseUrl}: ${models.slice(0, mostNamed).join(', ')}${more}`
}
