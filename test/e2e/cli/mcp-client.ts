/** The SDK's own client, and the built program as the server, a child process in a project. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { cli, type Project, type Variables } from './bench.ts'

interface Called {
  readonly isError: boolean
  readonly text: string
  readonly value: Readonly<Record<string, unknown>> | undefined
}

interface CallOptions {
  readonly signal?: AbortSignal
  readonly heard?: (line: string) => void
}

export interface McpClient extends AsyncDisposable {
  readonly client: Client
  readonly pid: number
  /** All that the server has logged. */
  log(): string
  call(name: string, given?: Readonly<Record<string, unknown>>, more?: CallOptions): Promise<Called>
}

export async function openMcp(
  project: Pick<Project, 'path' | 'environment'>,
  variables: Variables = {},
  words: readonly string[] = [],
): Promise<McpClient> {
  const all = Object.entries({ ...project.environment, ...variables })
  const env = Object.fromEntries(
    all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const args = [cli, 'mcp', ...words]
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args, cwd: project.path, env, stderr: 'pipe' },
  })
  let log = ''
  transport.stderr?.on('data', (piece) => {
    log += piece
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  // With the schemas of the tools, the client checks every answer.
  await client.listTools()
  return {
    client,
    pid: transport.pid ?? 0,
    log: () => log,
    async call(name, given = {}, { signal, heard } = {}) {
      const {
        isError = false,
        content,
        structuredContent,
      } = CallToolResultSchema.parse(
        await client.callTool({ name, arguments: given }, undefined, {
          ...{ timeout: 120_000, ...(signal && { signal }) },
          ...(heard && { onprogress: ({ message = '' }) => heard(message) }),
        }),
      )
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      return { isError, text, value: structuredContent }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
