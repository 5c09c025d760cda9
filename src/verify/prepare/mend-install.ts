import { posix } from 'node:path'
import { checkPath } from '../../changes/gate/check-path.ts'
import type { ClassifiedError, TriedRemedy } from '../../core/domain/step-error.ts'
import type { Ports } from '../../core/ports.ts'
import { mayTry } from '../../text/diagnosis/remedy-table.ts'
import { signatureOf } from '../../text/diagnosis/signature.ts'

/** Seconds before the second and the third try: installers have tried a few times by themselves. */
const waits = [2, 8]

/** Programs that name the directory they miss: they were to write into it. */
const missingDirectories: readonly RegExp[] = [
  /cannot create (?<path>[^\s:]+): Directory nonexistent/,
  /cannot create (?:regular file|directory) ['‘](?<path>[^'’]+)['’]: No such file or directory/,
  /cannot (?:touch|move '[^']*' to) ['‘](?<path>[^'’]+)['’]: No such file or directory/,
  /ENOENT: no such file or directory, (?:open|mkdir|copyfile '[^']*' ->) '(?<path>[^']+)'/,
]

/** What is run: `source` is `null` for a setup command of the project's own. */
export interface Installer {
  readonly tool: string
  readonly source: unknown
}

/**
 * What is done before an installation is tried once more: waiting where the network was at fault, a
 * directory where a setup command wanted to write into none. `null` when nothing helps.
 */
export async function mendInstall(
  plan: Installer,
  folder: string,
  error: ClassifiedError,
  tried: readonly TriedRemedy[],
  { sandbox, clock }: Pick<Ports, 'sandbox' | 'clock'>,
): Promise<TriedRemedy | null> {
  const { type, line: message } = error
  const about = {
    node: 'verify_task' as const,
    ...{ type, message, subject: plan.tool, worked: null },
    signature: signatureOf({ type, tool: plan.tool, message }),
  }
  const seconds = waits[tried.length]
  if (seconds !== undefined && mayTry(tried, type, 'back_off')) {
    await clock.sleep(seconds)
    return { ...about, strategy: 'back_off', fix: `tried again after ${seconds} s` }
  }
  const directory = plan.source === null ? missingDirectory(message, folder) : null
  if (directory === null || !mayTry(tried, type, 'create_directory')) return null
  const made = await sandbox.prepare({
    command: { argv: ['mkdir', '-p', '--', directory] },
    ...{ folder, directory: '.', env: {}, network: false, mounts: [], collect: [] },
    timeoutSeconds: 60,
  })
  const fix = `made the directory ${directory}`
  return made.exitCode === 0 ? { ...about, strategy: 'create_directory', fix } : null
}

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
