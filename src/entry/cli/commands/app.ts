import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isLogLevel, openLog } from '../../../adapters/pino-log.ts'
import { createSystemClock } from '../../../adapters/system.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { AppLog } from '../../app/app-log.ts'
import type { AppRole } from '../../app/run-app.ts'
import { appPackages } from '../../version.ts'
import { untilInterrupted } from '../interrupt.ts'
import type { Terminal } from '../terminal.ts'

export const app = (flags: Readonly<Record<string, unknown>>, terminal: Terminal) =>
  run({ takesWebhooks: true, works: flags.worker !== false }, terminal)

export const worker = (terminal: Terminal) => run({ takesWebhooks: false, works: true }, terminal)

async function run(role: AppRole, terminal: Terminal): Promise<number> {
  const { environment } = terminal
  if (terminal.isTTY && environment.EXECUTOR_LOG !== 'json') {
    return serve(role, terminal, plainLog(terminal))
  }
  const log = await jsonLog(terminal)
  const explain = (error: unknown) => logError(error, log)
  // Whatever else the process writes would break the reader of the lines.
  process.removeAllListeners('warning').on('warning', ({ name, message, stack }) => {
    log(`${name}: ${message}`, { level: 'warn', stack })
  })
  process.prependListener('uncaughtException', (error) => process.exit(explain(error)))
  // The log says itself that the App stops.
  return serve(role, { ...terminal, say: () => {} }, log).catch(explain)
}

async function serve(role: AppRole, terminal: Terminal, log: AppLog): Promise<number> {
  const runApp = await load()
  return untilInterrupted(terminal, async (signal) => {
    await runApp(role, { environment: terminal.environment, log }, signal)
    return 0
  })
}

/** Logs why the process ends, and returns its exit code. */
function logError(error: unknown, log: AppLog): number {
  if (error instanceof ExecutorError) {
    log(error.message, { level: 'error', code: error.code, next: error.next })
    return error.exitCode
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  log(`Internal error, a bug in the executor; please report it: ${message}`, {
    level: 'error',
    stack,
  })
  return 5
}

/** One line each, without control characters. Steps of runs are only in the JSON log. */
const plainLog =
  (terminal: Terminal): AppLog =>
  (line, { node } = {}) => {
    if (node !== undefined) return
    terminal.say(`${new Date().toISOString()} ${line.replace(/\p{Cc}+/gu, ' ')}`)
  }

/** JSON on standard output, a line per event. */
async function jsonLog(terminal: Terminal): Promise<AppLog> {
  const level = terminal.environment.EXECUTOR_LOG_LEVEL
  const log = openLog({
    level: isLogLevel(level) ? level : 'info',
    clock: createSystemClock(),
    redact: terminal.redact,
    destination: { write: terminal.print },
  })
  await log.load()
  return (line, { level = 'info', ...facts } = {}) => log(level, line, facts)
}

/**
 * The command that installs missing packages where a program in `directory` finds them: globally, in the project that
 * depends on it, or in a checkout.
 */
function installLine(directory: string): string {
  const [, project] = /^(.*?)[\\/]node_modules[\\/]/.exec(directory) ?? []
  if (project === undefined) return 'npm ci'
  const isGlobal = !existsSync(join(project, 'package.json'))
  return ['npm install', ...(isGlobal ? ['--global'] : []), ...appPackages()].join(' ')
}

/** The bundle leaves these libraries in node_modules: see tsdown.config.ts. */
async function load() {
  try {
    return (await import('../../app/run-app.ts')).runApp
  } catch (cause) {
    // The bundle requires what the sources import, so either code may come.
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new ExecutorError('app_not_installed', installLine(import.meta.dirname), { cause })
  }
}
