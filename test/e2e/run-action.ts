import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'
import { type Played, playInKeptProcess } from './kept-process.ts'

/** What a workflow says, and what GitHub knows. */
export interface ActionRun {
  /** `schedule`, `issue_comment`, … */
  readonly event: string
  readonly payload: unknown
  /** `with:` of the step; the rest comes from the defaults of action.yml. */
  readonly inputs: Readonly<Record<string, string>>
  /** `env:` of the job. */
  readonly env?: Readonly<Record<string, string>>
  readonly workspace: string
  readonly serverUrl?: string
  readonly apiUrl?: string
  /** `o/r` */
  readonly repository: string
  readonly sha: string
  readonly ref: string
  /** Cancels as the runner does: SIGINT, then SIGTERM, then SIGKILL. */
  readonly signal?: AbortSignal
  /** Milliseconds after which the machine is gone: kill -9. */
  readonly vanishAfter?: number
  /** The machine is gone at once, with every git of ours. */
  readonly vanish?: AbortSignal
  /** Hears what it prints, while it runs. */
  readonly heard?: (printed: string) => void
  /** Folder of the action's action.yml; this project by default. */
  readonly action?: string
}

export interface ActionResult {
  /** -1 when a signal ended it. */
  readonly exitCode: number
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  readonly annotations: readonly { readonly level: string; readonly message: string }[]
  readonly masks: readonly string[]
  readonly stdout: string
  readonly stderr: string
  readonly milliseconds: number
}

const manifest = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().optional() })).default({}),
  runs: z.object({ main: z.string() }),
})

/** Runs an action as GitHub's runner runs it: action.yml → `INPUT_*`, `GITHUB_*` files → its real entry. */
export async function runAction(run: ActionRun): Promise<ActionResult> {
  const folder = run.action ?? fileURLToPath(new URL('../..', import.meta.url))
  const { inputs, runs } = manifest.parse(parse(await readFile(join(folder, 'action.yml'), 'utf8')))
  const temporary = await mkdtemp(join(tmpdir(), 'runner-'))
  try {
    const files = await layOutFiles(temporary, run.payload)
    const defaults = Object.entries(inputs).map(([name, input]) => [name, input.default ?? ''])
    const env = {
      ...runnerEnvironment(run, temporary),
      ...files,
      ...run.env,
      ...inputVariables({ ...Object.fromEntries(defaults), ...run.inputs }, run.env ?? {}),
    }
    const entry = join(folder, runs.main)
    const started = performance.now()
    const isCutOff = (run.signal ?? run.vanish ?? run.vanishAfter) !== undefined
    const {
      code: exitCode,
      stdout,
      stderr,
    } = isCutOff || run.action !== undefined
      ? await playAlone(entry, env, run)
      : await playInKeptProcess({ entry, args: [], cwd: run.workspace, env })
    return {
      exitCode,
      outputs: readAssignments(await readFile(files.GITHUB_OUTPUT, 'utf8')),
      summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
      ...readCommands(stdout),
      stdout,
      stderr,
      milliseconds: performance.now() - started,
    }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** In a process of its own, which signals may end. */
async function playAlone(
  entry: string,
  env: NodeJS.ProcessEnv,
  { workspace, vanishAfter, vanish, heard, signal }: ActionRun,
): Promise<Played> {
  const child = spawn(process.execPath, [entry], {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: vanish !== undefined,
  })
  child.stdout.on('data', (piece) => heard?.(`${piece}`))
  vanish?.addEventListener('abort', () => killGroup(child.pid))
  const vanishing = setTimeout(() => child.kill('SIGKILL'), vanishAfter ?? 2 ** 30)
  const cancel = cancelOn(signal, (name) => child.kill(name))
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]).finally(() => {
    clearTimeout(vanishing)
    cancel()
  })
  return { code: Number(code ?? -1), stdout, stderr }
}

function killGroup(leader: number | undefined): void {
  if (leader !== undefined) process.kill(-leader, 'SIGKILL')
}

async function layOutFiles(temporary: string, payload: unknown) {
  const files = {
    GITHUB_EVENT_PATH: join(temporary, 'event.json'),
    GITHUB_OUTPUT: join(temporary, 'output'),
    GITHUB_STEP_SUMMARY: join(temporary, 'summary.md'),
    GITHUB_ENV: join(temporary, 'env'),
    GITHUB_STATE: join(temporary, 'state'),
    GITHUB_PATH: join(temporary, 'path'),
  }
  await Promise.all(Object.values(files).map((path) => writeFile(path, '')))
  await writeFile(files.GITHUB_EVENT_PATH, JSON.stringify(payload))
  return files
}

/** Each workflow run has a number of its own. */
let runs = 70_000

function runnerEnvironment(run: ActionRun, temporary: string): NodeJS.ProcessEnv {
  const serverUrl = run.serverUrl ?? 'https://github.com'
  const apiUrl = run.apiUrl ?? 'https://api.github.com'
  return {
    PATH: process.env.PATH,
    HOME: temporary,
    // One bundle, started hundreds of times.
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: run.workspace,
    GITHUB_EVENT_NAME: run.event,
    GITHUB_REPOSITORY: run.repository,
    GITHUB_REPOSITORY_OWNER: run.repository.split('/')[0],
    GITHUB_SHA: run.sha,
    GITHUB_REF: run.ref,
    GITHUB_REF_NAME: run.ref.replace(/^refs\/(heads|tags|pull)\//, ''),
    GITHUB_SERVER_URL: serverUrl,
    GITHUB_API_URL: apiUrl,
    GITHUB_GRAPHQL_URL: `${apiUrl}/graphql`,
    GITHUB_RUN_ID: String(++runs),
    GITHUB_RUN_NUMBER: '1',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_JOB: 'executor',
    GITHUB_WORKFLOW: 'executor',
    GITHUB_ACTOR: 'somebody',
    RUNNER_OS: 'Linux',
    RUNNER_ARCH: 'X64',
    RUNNER_TEMP: temporary,
  }
}

/** The runner's spelling: spaces become `_`, everything upper case, dashes stay. */
function inputVariables(
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const variables = Object.entries(inputs).map(([name, value]) => {
    const token = env.GITHUB_TOKEN ?? 'a-token-of-the-runner'
    return [
      `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
      value.replace(/\$\{\{\s*github\.token\s*\}\}/g, () => token),
    ]
  })
  return Object.fromEntries(variables)
}

/** GitHub's own pace of a cancelled job; answers how to stop watching. */
function cancelOn(signal: AbortSignal | undefined, kill: (name: NodeJS.Signals) => void) {
  const timers: NodeJS.Timeout[] = []
  const start = () => {
    kill('SIGINT')
    timers.push(setTimeout(() => kill('SIGTERM'), 7500))
    timers.push(setTimeout(() => kill('SIGKILL'), 10_000))
  }
  if (signal?.aborted) start()
  signal?.addEventListener('abort', start)
  return () => {
    signal?.removeEventListener('abort', start)
    timers.forEach(clearTimeout)
  }
}

/** `name=value` and `name<<END … END`, as in GITHUB_OUTPUT. */
function readAssignments(written: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  const pattern = /^([^=\n]+?)<<(.+)\n([\s\S]*?)\n?^\2$|^([^=\n]+)=(.*)$/gm
  for (const [, longName, , longValue, name, value] of written.matchAll(pattern)) {
    if (longName !== undefined) found[longName] = longValue ?? ''
    else if (name !== undefined) found[name] = value ?? ''
  }
  return found
}

/** Workflow commands of standard output, leaving out what stands between stop-commands. */
function readCommands(stdout: string): Pick<ActionResult, 'annotations' | 'masks'> {
  const annotations: { level: string; message: string }[] = []
  const masks: string[] = []
  let stoppedBy: string | null = null
  for (const line of stdout.split(/\r?\n/)) {
    const [, command = '', message = ''] = /^\s*::([^:\s]+)(?: [^:]*)?::(.*)$/.exec(line) ?? []
    if (stoppedBy !== null) {
      if (command === stoppedBy) stoppedBy = null
    } else if (command === 'stop-commands') stoppedBy = message
    else if (command === 'add-mask') masks.push(decode(message))
    else if (/^(notice|warning|error|debug)$/.test(command))
      annotations.push({ level: command, message: decode(message) })
  }
  return { annotations, masks }
}

const decode = (escaped: string): string =>
  escaped.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
