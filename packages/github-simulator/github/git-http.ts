import { spawn } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Answer } from './answer.ts'
import { hermetic } from './git.ts'
import { decodePart } from './path-template.ts'
import type { Identity } from './records.ts'
import type { Repository } from './store.ts'

export interface GitRequest {
  readonly owner: string
  readonly name: string
  /** `/info/refs`, `/git-upload-pack` or `/git-receive-pack`. */
  readonly service: string
  readonly writes: boolean
}

/** Reads a smart-HTTP address, `/owner/name.git/info/refs?service=…`; the `.git` may be missing. */
export function readGitUrl(url: URL): GitRequest | null {
  const match =
    /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/.exec(
      url.pathname,
    )
  const [, owner, name, service] = match ?? []
  if (owner === undefined || name === undefined || service === undefined) return null
  const writes =
    service === '/git-receive-pack' || url.searchParams.get('service') === 'git-receive-pack'
  return { owner: decodePart(owner), name: decodePart(name), service, writes }
}

/** git's capabilities, asked once: with protocol 2 they are the same for every repository. */
let capabilities: Promise<Answer> | undefined

const asksForCapabilities = ({ headers }: IncomingMessage, { service, writes }: GitRequest) =>
  service === '/info/refs' && !writes && headers['git-protocol'] === 'version=2'

/** Responds as `git http-backend` does. A push has taken effect when this ends. */
export async function answerAsGit(
  ...given: Parameters<typeof runGitBackend>
): ReturnType<typeof runGitBackend> {
  const [request, , asked] = given
  if (!asksForCapabilities(request, asked)) return runGitBackend(...given)
  capabilities ??= runGitBackend(...given)
  return capabilities
}

/** Hands a request to `git http-backend`, a CGI program. */
async function runGitBackend(
  request: IncomingMessage,
  url: URL,
  { service }: GitRequest,
  repository: Repository,
  viewer: Identity | null,
  hooks: string,
): Promise<Answer> {
  const { protectedBranches = [] } = repository.options
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...hermetic,
      ...configuration({
        // A hook costs processes, so it runs only where something is protected.
        'core.hooksPath': protectedBranches.length === 0 ? '/dev/null' : hooks,
        'receive.hideRefs': 'refs/pull',
        // Nothing here lives long enough for garbage collection.
        'receive.autogc': 'false',
      }),
      PROTECTED_BRANCHES: protectedBranches.join('\n'),
      GIT_PROJECT_ROOT: repository.directory,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: service,
      REQUEST_METHOD: request.method ?? 'GET',
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      ...(viewer === null ? {} : { REMOTE_USER: viewer.login }),
    },
  })
  child.stdin.on('error', () => {}) // git may stop reading a request it refuses
  request.pipe(child.stdin)
  return readCgi(await buffer(child.stdout))
}

function readCgi(output: Buffer): Answer {
  const end = output.indexOf('\r\n\r\n')
  if (end === -1) throw new Error('git http-backend gave no header')
  const headers: Record<string, string> = {}
  for (const line of output.subarray(0, end).toString().split('\r\n')) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const { status = '200', ...rest } = headers
  return { status: Number.parseInt(status, 10), headers: rest, body: output.subarray(end + 4) }
}

/** A folder with the hook that refuses what branch protection would, in GitHub's words. */
export async function writeHooks(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true })
  const hook = join(directory, 'pre-receive')
  await writeFile(
    hook,
    `#!/bin/sh
while read -r old new ref; do
  if printf '%s\\n' "$PROTECTED_BRANCHES" | grep -Fqx -- "\${ref#refs/heads/}"; then
    echo "error: GH006: Protected branch update failed for $ref." >&2
    echo "error: Changes must be made through a pull request." >&2
    exit 1
  fi
done
`,
  )
  await chmod(hook, 0o755)
  return directory
}

function configuration(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings)
  const env: Record<string, string> = { GIT_CONFIG_COUNT: `${entries.length}` }
  for (const [index, [key, value]] of entries.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return env
}
