import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../../packages/files/files.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { ApprovalMode, Settings } from '../../core/domain/settings.ts'
import type { ConfigProblem } from './read-config-file.ts'
import { type ResolvedSettings, resolveSettings } from './resolve-settings.ts'

export const configPath = '.github/executor.yml'

interface Given {
  /** By key of `options`; they win over environment and file. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** When nothing sets the mode. */
  readonly approvalMode: ApprovalMode
}

/** The settings for a repository on this disk: flags over environment over `.github/executor.yml` over defaults. */
export async function resolveInRepository(
  root: string,
  { flags, environment, approvalMode }: Given,
): Promise<ResolvedSettings> {
  const text = await readConfig(join(root, configPath))
  // Most repositories have no such file, and the YAML reader is a fifth of the code that loads before a request.
  const file =
    text === null ? null : (await import('./read-config-file.ts')).readConfigFile(configPath, text)
  const defaults = { approvalMode, stack: 'chain' } as const
  const resolved = resolveSettings({ flags, environment, file, defaults })
  if (file === null || resolved.status !== 'ok') return resolved
  const isAgents = resolved.settings.strategy === 'agent'
  const { findUnmergedKeys } = await import('./find-unmerged-keys.ts')
  const problems = await findUnmergedKeys(root, configPath, file, {
    ...{ flags, environment, isAgents },
  })
  return problems.length === 0 ? resolved : { status: 'invalid', problems }
}

/** The same for a caller without a terminal. @throws ExecutorError `config_invalid` with every problem */
export async function settingsInRepository(root: string, given: Given): Promise<Settings> {
  const resolved = await resolveInRepository(root, given)
  if (resolved.status === 'ok') return resolved.settings
  throw new ExecutorError('config_invalid', resolved.problems.map(describeProblem).join('\n'))
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
