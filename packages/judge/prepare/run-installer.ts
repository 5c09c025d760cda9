import { posix } from 'node:path'
import {
  type ClassifiedError,
  classifiedAs,
  classifyCommand,
  type Diagnosis,
  findLack,
  lastLines,
  mayTry,
  plainText,
  setUpFailed,
  signatureOf,
  type Tried,
} from '../../diagnosis/diagnosis.ts'
import type { SandboxRequest, SandboxRun } from '../../sandbox/sandbox.ts'
import { checkPath } from '../../text/text.ts'
import type { JudgePorts } from '../judging.ts'

/** `source` is `null` for the project's own setup command. */
interface Installer {
  readonly tool: string
  readonly source: unknown
  /** See `DependencyPlan`. */
  readonly insteadOf?: string | undefined
}

export interface FailedPreparation {
  readonly status: 'failed'
  readonly reason: string
  /** The end of the installer's output. */
  readonly output: string
  readonly error: ClassifiedError
  readonly diagnosis: Diagnosis
  /** The project's own setup command that failed; `null` for an installer. */
  readonly setup: string | null
  readonly tried: readonly Tried[]
}

type Installed =
  | ({ readonly status: 'done'; readonly tried: readonly Tried[] } & Pick<
      SandboxRun,
      'seconds' | 'collected' | 'network'
    >)
  | FailedPreparation

const timeoutSeconds = 900
const longestFailure = 2000
const longestLine = 240
/** Seconds before the second and third attempts; installers already retry by themselves. */
const waits = [2, 8]

/** Runs an installer with network and without credentials; retries while a remedy may help. */
export async function runInstaller(
  installer: Installer,
  request: Omit<SandboxRequest, 'network' | 'timeoutSeconds'>,
  ports: Pick<JudgePorts, 'sandbox' | 'clock'>,
): Promise<Installed> {
  let tried: readonly Tried[] = []
  for (;;) {
    const run = await ports.sandbox.prepare({ ...request, network: true, timeoutSeconds })
    const error = classifyCommand(run, `${run.stdout}\n${run.stderr}`)
    const { tool } = installer
    const signature = error && signatureOf({ type: error.type, tool, message: error.line })
    // A remedy worked when the error is gone or has changed.
    tried = tried.map((each) =>
      each.worked === null ? { ...each, worked: each.signature !== signature } : each,
    )
    if (error === null || signature === null) return { ...run, status: 'done', tried }
    const canHelp = !run.timedOut && run.ended === undefined
    const help = canHelp ? await applyRemedy(installer, request.folder, error, tried, ports) : null
    if (help === null) return failed(installer, run, error, tried)
    const { type, line: message } = error
    const about = { type, message, subject: tool, worked: null } as const
    tried = [...tried, { ...about, signature, ...help }]
  }
}

/**
 * Prepares a retry: waits after a network error, or creates the directory that a setup command
 * failed to write into. Returns `null` when no remedy is left.
 */
async function applyRemedy(
  { source }: Installer,
  folder: string,
  { type, line }: ClassifiedError,
  tried: readonly Tried[],
  { sandbox, clock }: Pick<JudgePorts, 'sandbox' | 'clock'>,
): Promise<Pick<Tried, 'strategy' | 'fix'> | null> {
  const seconds = waits[tried.length]
  if (seconds !== undefined && mayTry(tried, type, 'back_off')) {
    await clock.sleep(seconds)
    return { strategy: 'back_off', fix: `retried after ${seconds} s` }
  }
  const directory = source === null ? missingDirectory(line, folder) : null
  if (directory === null || !mayTry(tried, type, 'create_directory')) return null
  const made = await sandbox.prepare({
    command: { argv: ['mkdir', '-p', '--', directory] },
    ...{ folder, directory: '.', env: {}, network: false, mounts: [], collect: [] },
    timeoutSeconds: 60,
  })
  return made.exitCode === 0
    ? { strategy: 'create_directory', fix: `created the directory ${directory}` }
    : null
}

/** Errors that name a missing directory into which the program wanted to write. */
const missingDirectories: readonly RegExp[] = [
  /cannot create (?<path>[^\s:]+): Directory nonexistent/,
  /cannot create (?:regular file|directory) ['‘](?<path>[^'’]+)['’]: No such file or directory/,
  /cannot (?:touch|move '[^']*' to) ['‘](?<path>[^'’]+)['’]: No such file or directory/,
  /ENOENT: no such file or directory, (?:open|mkdir|copyfile '[^']*' ->) '(?<path>[^']+)'/,
]

/** Returns the directory relative to the folder; `null` when it is outside. */
function missingDirectory(message: string, folder: string): string | null {
  for (const words of missingDirectories) {
    const path = words.exec(message)?.groups?.path
    if (path === undefined) continue
    const inside = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
    const directory = posix.dirname(posix.normalize(inside))
    const checked = checkPath(directory)
    return directory !== '.' && checked.status === 'ok' ? checked.path : null
  }
  return null
}

function failed(
  { tool, source, insteadOf }: Installer,
  run: SandboxRun,
  error: ClassifiedError,
  tried: readonly Tried[],
): FailedPreparation {
  const code = run.ended === undefined ? `exit code ${run.exitCode}` : `it ${run.ended}`
  const ending = run.timedOut ? `timed out after ${timeoutSeconds} s` : code
  const again = tried.length === 0 ? '' : ` It was tried ${tried.length + 1} times.`
  const output = plainText(`${run.stdout}\n${run.stderr}`).trim()
  const reason = appendSentence(`${tool} failed: ${ending}.${again}`, insteadOf)
  const [last = ''] = error.type === 'unknown' ? lastLines(output, 1) : [error.line]
  const found = findLack(output) ?? setUpFailed(last.slice(0, longestLine))
  const message = found.message === '' ? reason : `${reason} It said: ${found.message}`
  return preparationFailed(reason, {
    ...{ output: output.slice(-longestFailure), error, diagnosis: { ...found, message }, tried },
    setup: source === null ? tool : null,
  })
}

/** Appends a sentence, if there is one. */
export const appendSentence = (text: string, more: string | undefined): string =>
  more === undefined ? text : `${text} ${more}`

/** Builds a failure from a plain sentence that is all there is to read. */
export const preparationFailed = (
  message: string,
  more: Partial<FailedPreparation> = {},
): FailedPreparation => ({
  ...{ status: 'failed', reason: message, output: message, setup: null, tried: [] },
  ...{ error: classifiedAs('unknown', message), diagnosis: setUpFailed(message), ...more },
})
