import { findRepository } from '../../../adapters/user-checkout.ts'
import { options } from '../../config/options.ts'
import { configPath, describeProblem, resolveFor } from '../load-settings.ts'
import type { Terminal } from '../terminal.ts'

/** `executor config check`: 0 when the configuration is valid, else 2 with every problem. */
export async function configCheck(
  flags: { readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { root } = await findRepository(terminal.directory)
  const resolved = await resolveFor(root, {}, terminal)
  if (resolved.status === 'invalid') {
    if (flags.json) terminal.print(JSON.stringify({ valid: false, problems: resolved.problems }))
    else for (const problem of resolved.problems) terminal.say(describeProblem(problem))
    return 2
  }
  const { settings, origins } = resolved
  if (flags.json) {
    terminal.print(JSON.stringify({ valid: true, settings, origins }, null, 2))
    return 0
  }
  for (const { key } of options) {
    const origin = origins[key] ?? 'default'
    terminal.print(`${origin === 'default' ? ' ' : '•'} ${key.padEnd(32)} ${origin}`)
  }
  terminal.say(`${configPath} is valid. --json shows every value.`)
  return 0
}
