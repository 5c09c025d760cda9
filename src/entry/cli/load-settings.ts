import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { readFlags } from '../config/options.ts'
import {
  configPath,
  describeProblem,
  resolveInRepository,
} from '../config/resolve-in-repository.ts'
import { type ResolvedSettings, resolveSettings } from '../config/resolve-settings.ts'
import type { Terminal } from './terminal.ts'

/** The settings of a command: flags over environment over `.github/executor.yml` over defaults. */
export const resolveFor = (
  root: string,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<ResolvedSettings> =>
  resolveInRepository(root, {
    ...{ flags: readFlags(flags), environment: terminal.environment },
    approvalMode: modeFor(terminal),
  })

const modeFor = ({ isTTY }: Terminal) => (isTTY ? 'interactive' : 'review_only')

/** @throws ExecutorError `config_invalid` after showing every problem with its place */
export const loadSettings = async (
  root: string,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<Settings> => settingsOf(await resolveFor(root, flags, terminal), terminal)

/** The same from the text of the file; `null` without one. */
export async function settingsIn(
  text: string | null,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<Settings> {
  const { readConfigFile } = await import('../config/read-config-file.ts')
  const resolved = resolveSettings({
    ...{ flags: readFlags(flags), environment: terminal.environment },
    file: text === null ? null : readConfigFile(configPath, text),
    defaults: { approvalMode: modeFor(terminal), stack: 'auto' },
  })
  return settingsOf(resolved, terminal)
}

function settingsOf(resolved: ResolvedSettings, terminal: Terminal): Settings {
  if (resolved.status === 'ok') return resolved.settings
  for (const problem of resolved.problems) terminal.say(describeProblem(problem))
  throw new ExecutorError('config_invalid', 'see above')
}
