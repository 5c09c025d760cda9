/**
 * Runs git without a shell, prompt or hook, with only our configuration and the environment
 * variables listed here. SECURITY.md explains why.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { ExecutorError } from '../../core/domain/errors.ts'
import { isPerforming } from '../../core/perform-effect.ts'

export interface GitRun {
  /** 128 after a signal. */
  readonly code: number
  readonly stdout: Buffer
  readonly text: string
  readonly stderr: string
}

export interface GitCall {
  readonly gitDir?: string
  readonly workTree?: string
  readonly directory?: string
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  /** `users` reads the user's configuration, for actions in their own tree that they requested. */
  readonly configuration?: 'ours' | 'users'
  /** A program and its arguments that start git with limits. */
  readonly limits?: readonly string[]
}

/** Settings for every call, in any repository. */
const always = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'safe.directory=*',
  'gc.auto=0',
  'maintenance.auto=false',
]

const ours = [
  ...always,
  'core.autocrlf=false',
  'core.fileMode=true',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'credential.helper=',
  'submodule.recurse=false',
  'protocol.allow=never',
  'protocol.http.allow=always',
  'protocol.https.allow=always',
  'http.followRedirects=false',
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=60',
]

const passedOn = [
  'PATH',
  'TMPDIR',
  'http_proxy',
  'https_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
]

/** These move refs of other repositories, which only an effect may do. */
const outward: readonly (string | undefined)[] = ['push', 'send-pack', 'update-ref']

/** Returns git's output and exit code, whatever they are. @throws ExecutorError `git_missing` */
export function runGit(args: readonly string[], call: GitCall): Promise<GitRun> {
  // A dry run moves nothing.
  if (outward.includes(args[0]) && args[1] !== '--dry-run' && !isPerforming()) {
    throw new Error(`git ${args[0]} is a write outside an effect.`)
  }
  const child = startGit(args, call, call.input === undefined ? 'ignore' : 'pipe')
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout?.on('data', (bytes: Buffer) => stdout.push(bytes))
  child.stderr?.on('data', (bytes: Buffer) => stderr.push(bytes))
  // git may exit before it has read everything; its exit code reports the problem.
  child.stdin?.on('error', () => {})
  child.stdin?.end(call.input)
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(new ExecutorError('git_missing', cause.message, { cause })))
    child.on('close', (code) => {
      const said = Buffer.concat(stdout)
      resolve({
        code: code ?? 128,
        stdout: said,
        get text() {
          return said.toString('utf8')
        },
        stderr: withoutCredentials(Buffer.concat(stderr).toString('utf8').trim()),
      })
    })
  })
}

/** Starts the process, for uses that `runGit` does not cover. */
export const startGit = (
  args: readonly string[],
  call: GitCall,
  stdin: 'ignore' | 'pipe',
): ChildProcess => {
  const [program = 'git', ...rest] = [...(call.limits ?? []), 'git', ...globalOptions(call)]
  return spawn(program, [...rest, ...args], {
    cwd: call.directory ?? call.workTree ?? call.gitDir,
    env: { ...environment(call), ...call.env },
    stdio: [stdin, 'pipe', 'pipe'],
    windowsHide: true,
  })
}

/** Returns the standard output of a git that must succeed. @throws ExecutorError `git_failed` */
export async function gitBytes(args: readonly string[], call: GitCall): Promise<Buffer> {
  const run = await runGit(args, call)
  if (run.code !== 0) throw gitFailed(args, run)
  return run.stdout
}

export const gitText = async (args: readonly string[], call: GitCall): Promise<string> =>
  (await gitBytes(args, call)).toString('utf8')

/** Resolves an expression such as `HEAD^{tree}`; `null` if there is no such object. */
export async function resolveObject(call: GitCall, expression: string): Promise<string | null> {
  if (expression.includes('\0')) return null
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', expression]
  const run = await runGit(args, call)
  // `^main` names what to leave out.
  return run.code === 0 && !run.text.startsWith('^') ? run.text.trim() : null
}

/** Reads fields such as `%(refname)` of each ref that matches a pattern. */
export async function readRefs(
  gitDir: string,
  fields: readonly string[],
  patterns: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const args = ['for-each-ref', `--format=${fields.join('%00')}%00`, ...patterns]
  return recordsIn(await gitText(args, { gitDir }), fields.length)
}

/** The commits of the refs that match a pattern, by name. */
export async function readTips(
  gitDir: string,
  patterns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await readRefs(gitDir, ['%(refname)', '%(objectname)'], patterns)
  return new Map(found.map(([ref = '', sha = '']) => [ref, sha]))
}

/** Splits records of `size` NUL-terminated fields; a line break may separate two records. */
export function recordsIn(output: string, size: number): readonly (readonly string[])[] {
  const fields = output.split('\0')
  const count = Math.floor((fields.length - 1) / size)
  return Array.from({ length: count }, (_, index) => {
    const [first = '', ...others] = fields.slice(index * size, (index + 1) * size)
    return [first.trimStart(), ...others]
  })
}

export const gitFailed = (args: readonly string[], run: GitRun): ExecutorError =>
  new ExecutorError('git_failed', `git ${args[0]}: ${run.stderr || `exit code ${run.code}`}`)

/** Ensures a full object name, which can never be an option. */
export function checkSha(sha: string): string {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sha)) throw new Error(`not an object name: ${sha}`)
  return sha
}

function globalOptions(call: GitCall): string[] {
  const configuration = call.configuration === 'users' ? always : ours
  return [
    ...configuration.flatMap((entry) => ['-c', entry]),
    '--literal-pathspecs',
    ...(call.gitDir ? [`--git-dir=${call.gitDir}`] : []),
    ...(call.workTree ? [`--work-tree=${call.workTree}`] : []),
  ]
}

function environment(call: GitCall): NodeJS.ProcessEnv {
  const quiet = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' }
  if (call.configuration === 'users') {
    return { ...pick([...passedOn, 'HOME', 'XDG_CONFIG_HOME', 'USER', 'SSH_AUTH_SOCK']), ...quiet }
  }
  return {
    ...pick(passedOn),
    ...quiet,
    // Disables ~/.gitconfig and ~/.netrc.
    HOME: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
  }
}

const pick = (names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(
    names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )

const withoutCredentials = (text: string): string => text.replace(/:\/\/[^@/\s]+@/g, '://')
