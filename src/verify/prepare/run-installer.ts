import { posix } from 'node:path'
import { checkPath } from '../../changes/gate/check-path.ts'
import type { Diagnosis } from '../../core/domain/diagnosis.ts'
import type { ClassifiedError, TriedRemedy } from '../../core/domain/step-error.ts'
import type { SandboxRequest, SandboxRun } from '../../core/ports/sandbox.ts'
import type { Ports } from '../../core/ports.ts'
import {
  classifiedAs,
  classifyCommand,
  findLack,
  setUpFailed,
  signatureOf,
} from '../../text/diagnosis/diagnose.ts'
import { lastLines, plainText } from '../../text/diagnosis/plain-text.ts'
import { mayTry } from '../../text/diagnosis/remedy-table.ts'

/** `source` is `null` for a setup command of the project's own. */
interface Installer {
  readonly tool: string
  readonly source: unknown
}

export interface FailedPreparation {
  readonly status: 'failed'
  readonly reason: string
  /** The end of what the installer said. */
  readonly output: string
  readonly error: ClassifiedError
  readonly diagnosis: Diagnosis
  /** The setup command of the project's own that failed; `null` for an installer. */
  readonly setup: string | null
  readonly tried: readonly TriedRemedy[]
}

type Installed =
  | ({ readonly status: 'done'; readonly tried: readonly TriedRemedy[] } & Pick<
      SandboxRun,
      'seconds' | 'collected' | 'network'
    >)
  | FailedPreparation

const timeoutSeconds = 900
const longestFailure = 2000
const longestLine = 240
/** Seconds before the second and the third try: installers have tried a few times by themselves. */
const waits = [2, 8]

/** Runs an installer, with network and without credentials, and once more where something can help it. */
export async function runInstaller(
  installer: Installer,
  request: Omit<SandboxRequest, 'network' | 'timeoutSeconds'>,
  ports: Pick<Ports, 'sandbox' | 'clock'>,
): Promise<Installed> {
  let tried: readonly TriedRemedy[] = []
  for (;;) {
    const run = await ports.sandbox.prepare({ ...request, network: true, timeoutSeconds })
    const error = classifyCommand(run, `${run.stdout}\n${run.stderr}`)
    const { tool } = installer
    const signature = error && signatureOf({ type: error.type, tool, message: error.line })
    // The last remedy worked when the error is gone, or is another one.
    tried = tried.map((each) =>
      each.worked === null ? { ...each, worked: each.signature !== signature } : each,
    )
    if (error === null || signature === null) return { ...run, status: 'done', tried }
    const canHelp = !run.timedOut && run.ended === undefined
    const help = canHelp ? await mend(installer, request.folder, error, tried, ports) : null
    if (help === null) return failed(installer, run, error, tried)
    const { type, line: message } = error
    const about = { node: 'verify_task', type, message, subject: tool, worked: null } as const
    tried = [...tried, { ...about, signature, ...help }]
  }
}

/**
 * What is done before an installation is tried once more: waiting where the network was at fault, a
 * directory where a setup command wanted to write into none. `null` when nothing helps.
 */
async function mend(
  { source }: Installer,
  folder: string,
  { type, line }: ClassifiedError,
  tried: readonly TriedRemedy[],
  { sandbox, clock }: Pick<Ports, 'sandbox' | 'clock'>,
): Promise<Pick<TriedRemedy, 'strategy' | 'fix'> | null> {
  const seconds = waits[tried.length]
  if (seconds !== undefined && mayTry(tried, type, 'back_off')) {
    await clock.sleep(seconds)
    return { strategy: 'back_off', fix: `tried again after ${seconds} s` }
  }
  const directory = source === null ? missingDirectory(line, folder) : null
  if (directory === null || !mayTry(tried, type, 'create_directory')) return null
  const made = await sandbox.prepare({
    command: { argv: ['mkdir', '-p', '--', directory] },
    ...{ folder, directory: '.', env: {}, network: false, mounts: [], collect: [] },
    timeoutSeconds: 60,
  })
  return made.exitCode === 0
    ? { strategy: 'create_directory', fix: `made the directory ${directory}` }
    : null
}

/** Programs that name the directory they miss: they were to write into it. */
const missingDirectories: readonly RegExp[] = [
  /cannot create (?<path>[^\s:]+): Directory nonexistent/,
  /cannot create (?:regular file|directory) ['‘](?<path>[^'’]+)['’]: No such file or directory/,
  /cannot (?:touch|move '[^']*' to) ['‘](?<path>[^'’]+)['’]: No such file or directory/,
  /ENOENT: no such file or directory, (?:open|mkdir|copyfile '[^']*' ->) '(?<path>[^']+)'/,
]

/** Relative to the folder, and inside it. */
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
  { tool, source }: Installer,
  run: SandboxRun,
  error: ClassifiedError,
  tried: readonly TriedRemedy[],
): FailedPreparation {
  const code = run.ended === undefined ? `exit code ${run.exitCode}` : `it ${run.ended}`
  const ending = run.timedOut ? `no end after ${timeoutSeconds} s` : code
  const again = tried.length === 0 ? '' : ` It was tried ${tried.length + 1} times.`
  const output = plainText(`${run.stdout}\n${run.stderr}`).trim()
  const reason = `${tool} failed: ${ending}.${again}`
  const [last = ''] = error.type === 'unknown' ? lastLines(output, 1) : [error.line]
  const found = findLack(output) ?? setUpFailed(last.slice(0, longestLine))
  const message = found.message === '' ? reason : `${reason} It said: ${found.message}`
  return preparationFailed(reason, {
    ...{ output: output.slice(-longestFailure), error, diagnosis: { ...found, message }, tried },
    setup: source === null ? tool : null,
  })
}

/** `said` is a plain sentence, and all there is to read. */
export const preparationFailed = (
  said: string,
  more: Partial<FailedPreparation> = {},
): FailedPreparation => ({
  ...{ status: 'failed', reason: said, output: said, setup: null, tried: [] },
  ...{ error: classifiedAs('unknown', said), diagnosis: setUpFailed(said), ...more },
})
