import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../adapters/plain-file.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { readFlags } from '../config/options.ts'
import type { ConfigProblem } from '../config/read-config-file.ts'
import { type ResolvedSettings, resolveSettings } from '../config/resolve-settings.ts'
import type { Terminal } from './terminal.ts'

export const configPath = '.github/executor.yml'

/** The settings of a command: flags over environment over `.github/executor.yml` over defaults. */
export async function resolveFor(
  root: string,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<ResolvedSettings> {
  const text = await readConfig(join(root, configPath))
  // Most repositories have no such file, and the YAML reader is a fifth of the code that loads before a request.
  const file =
    text === null
      ? null
      : (await import('../config/read-config-file.ts')).readConfigFile(configPath, text)
  return resolveSettings({
    flags: readFlags(flags),
    environment: terminal.environment,
    file,
    defaults: { approvalMode: terminal.isTTY ? 'interactive' : 'review_only', stack: 'chain' },
  })
}

/** @throws ExecutorError `config_invalid` after showing every problem with its place */
export async function loadSettings(
  root: string,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
) {
  const resolved = await resolveFor(root, flags, terminal)
  if (resolved.status === 'ok') return resolved.settings
  for (const problem of resolved.problems) terminal.say(describeProblem(problem))
  throw new ExecutorError('config_invalid', 'see above')
}

/** `.github/executor.yml:3:1 message (fix)` */
export function describeProblem({ path, line, column, message, fix }: ConfigProblem): string {
  const place = line > 0 ? `${path}:${line}:${column} ` : `${path} `
  // The message about a flag already begins with its name.
  const isSaid = message.startsWith(place)
  return `${isSaid ? '' : place}${message}${fix === '' ? '' : `\n    ${fix}`}`
}

/**
 * A configuration file's text; `null` without one. An unreadable file stops the run, since it may say
 * `enabled: false`.
 *
 * @throws ExecutorError `file_unreadable`
 */
async function readConfig(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (/^(?:ENOENT|ENOTDIR)$/.test(errorCode(cause) ?? '')) return null
    throw new ExecutorError('file_unreadable', path, { cause })
  }
}
