import type { Log, LogFacts, LogLevel } from '../../adapters/pino-log.ts'

/** What a process of the App says; `info` where nothing else is said of a line. */
export type AppLog = (line: string, facts?: LogFacts & { readonly level?: LogLevel }) => void

/** The lines of one job's runs, each with what they are about. */
export const jobLog = (log: AppLog): Log =>
  Object.assign(
    (level: LogLevel, message: string, facts: LogFacts = {}) => log(message, { ...facts, level }),
    { close: async () => {} },
  )
