import { ExecutorError } from '../../../domain/errors.ts'
import type { AppRole } from '../../app/run-app.ts'
import { untilInterrupted } from '../interrupt.ts'
import type { Terminal } from '../terminal.ts'

/** `executor app`: takes GitHub's webhooks and, without --no-worker, works on them. */
export const app = (flags: Readonly<Record<string, unknown>>, terminal: Terminal) =>
  run({ takesWebhooks: true, works: flags.worker !== false }, terminal)

/** `executor worker`: one more process that works on what the App was told. */
export const worker = (terminal: Terminal) => run({ takesWebhooks: false, works: true }, terminal)

async function run(role: AppRole, terminal: Terminal): Promise<number> {
  const runApp = await load()
  const { environment } = terminal
  // One line each, and nothing in it that a terminal obeys.
  const log = (line: string) =>
    terminal.say(`${new Date().toISOString()} ${line.replace(/\p{Cc}+/gu, ' ')}`)
  return untilInterrupted(terminal, async (signal) => {
    await runApp(role, { environment, log }, signal)
    return 0
  })
}

/** The bundle leaves these libraries in node_modules: see tsdown.config.ts. */
async function load() {
  try {
    return (await import('../../app/run-app.ts')).runApp
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause
    if (!isMissing || cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new ExecutorError('app_not_installed', cause.message.split('\n')[0], { cause })
  }
}
