import type { Log, LogFacts, LogLevel } from '../../adapters/pino-log.ts'

/** Logs a line of an App process; the level defaults to `info`. */
export type AppLog = (line: string, facts?: LogFacts & { readonly level?: LogLevel }) => void

/** The log of one job's runs, each line with its facts. */
export const jobLog = (log: AppLog): Log =>
  Object.assign(
    (level: LogLevel, message: string, facts: LogFacts = {}) => log(message, { ...facts, level }),
    { close: async () => {} },
  )
