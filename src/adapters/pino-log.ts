import type { Logger } from 'pino'
import { createDataMask } from '../../packages/text/text.ts'
import type { Clock } from '../core/ports/clock.ts'

export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/** The fields of a line, besides its message. */
export type LogFacts = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>

export interface Log {
  (level: LogLevel, message: string, facts?: LogFacts): void
  /** Writes the buffered lines. */
  close(): Promise<void>
}

export interface LogOptions {
  readonly level: LogLevel
  readonly clock: Pick<Clock, 'now'>
  /** Applied to every text of a line. */
  readonly redact: (text: string) => string
  readonly destination: { write(line: string): void; close?(): void }
}

const order: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']

export const isLogLevel = (word: string | undefined): word is LogLevel =>
  order.some((level) => level === word)

/**
 * Writes JSON lines, one per event: `{"level", "time", …facts, "message"}`. The library loads when
 * `load` is called, or at the end; until then lines wait in memory, so that logging does not delay
 * the start.
 */
export function openLog(options: LogOptions): Log & { load(): Promise<void> } {
  const { level: most, clock, redact, destination } = options
  const mask = createDataMask(redact)
  let waiting: (() => void)[] | null = []
  let logger: Logger | null = null
  let loading: Promise<void> | null = null

  const write = (level: LogLevel, facts: LogFacts, message: string) => {
    const line = () => logger?.[level](mask(facts), redact(message))
    if (waiting === null) line()
    else waiting.push(line)
  }
  const load = () => {
    loading ??= import('pino').then(({ pino }) => {
      logger = pino(
        {
          level: most,
          base: null,
          timestamp: false,
          messageKey: 'message',
          formatters: { level: (level) => ({ level }) },
        },
        destination,
      )
      for (const line of waiting ?? []) line()
      waiting = null
    })
    return loading
  }
  const log = (level: LogLevel, message: string, facts: LogFacts = {}) => {
    if (order.indexOf(level) <= order.indexOf(most))
      write(level, { time: clock.now(), ...facts }, message)
  }
  return Object.assign(log, {
    load,
    async close() {
      if (waiting === null || waiting.length > 0) await load()
      destination.close?.()
    },
  })
}
