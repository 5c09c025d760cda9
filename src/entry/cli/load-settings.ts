import { ExecutorError } from '../../core/domain/errors.ts'
import { readFlags } from '../config/options.ts'
import { describeProblem, resolveInRepository } from '../config/resolve-in-repository.ts'
import type { ResolvedSettings } from '../config/resolve-settings.ts'
import type { Terminal } from './terminal.ts'

/** The settings of a command: flags over environment over `.github/executor.yml` over defaults. */
export const resolveFor = (
  root: string,
  flags: Readonly<Record<string, unknown>>,
  { environment, isTTY }: Terminal,
): Promise<ResolvedSettings> =>
  resolveInRepository(root, {
    ...{ flags: readFlags(flags), environment },
    approvalMode: isTTY ? 'interactive' : 'review_only',
  })

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
