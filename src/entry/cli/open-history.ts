import { join } from 'node:path'
import { type History, openHistory } from '../../adapters/sqlite-history.ts'
import { createSystemClock } from '../../adapters/system-clock.ts'
import { findRepository } from '../../adapters/user-checkout.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { secondsBefore, secondsOf } from '../../core/domain/instant.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Period } from '../../core/history/statistics.ts'
import { loadSettings } from './load-settings.ts'
import type { Terminal } from './terminal.ts'

export interface HistoryFlags {
  readonly task?: string
  readonly limit?: string
  readonly since?: string
  readonly rebuild?: boolean
  readonly github?: boolean
  readonly json?: boolean
}

const dayInSeconds = 86_400

/** The history of this repository's runs, up to date, for one question. */
export async function withHistory(
  flags: HistoryFlags,
  terminal: Terminal,
  answer: (history: History, settings: Settings) => void,
): Promise<number> {
  const repository = await findRepository(terminal.directory)
  const { root } = repository
  const settings = await loadSettings(root, {}, terminal)
  if (!settings.history) {
    terminal.say('The history is switched off: history is false in .github/executor.yml.')
    return 0
  }
  if (flags.github) await (await import('./fetch-history.ts')).fetchHistory(repository, terminal)
  const place = {
    directory: join(root, '.executor'),
    oldest: secondsBefore(createSystemClock().now(), settings.state.retentionDays * dayInSeconds),
  }
  const history = await openHistory(place, { anew: flags.rebuild ?? false })
  try {
    if (history.unwritten !== null) {
      const why = `.executor/history.db cannot be used (${history.unwritten})`
      terminal.say(`note: ${why}; this is read from the journals.`)
    }
    const { events, unreadable } = history.taken
    if (flags.rebuild) terminal.say(`Made anew from ${events.toLocaleString('en')} journal lines.`)
    if (unreadable > 0) terminal.say(`note: ${unreadable} journal lines are damaged and left out.`)
    answer(history, settings)
    return 0
  } finally {
    history.close()
  }
}

/** From `2026-01-31`, or from so many days ago: `7d`. @throws ExecutorError `bad_usage` */
export function readPeriod({ since }: HistoryFlags): Period {
  if (since === undefined) return { since: null }
  const days = /^(\d{1,4})d?$/.exec(since)?.[1]
  if (days !== undefined) {
    return {
      since: secondsBefore(createSystemClock().now(), Number(days) * dayInSeconds).slice(0, 10),
    }
  }
  if (secondsOf(`${since}T00:00:00Z`) !== null) return { since }
  throw new ExecutorError('bad_usage', `--since takes a day (2026-01-31) or days (7d): ${since}`)
}

/** @throws ExecutorError `bad_usage` */
export function readLimit({ limit }: HistoryFlags, otherwise: number): number {
  if (limit === undefined) return otherwise
  if (/^[1-9]\d{0,5}$/.test(limit)) return Number(limit)
  throw new ExecutorError('bad_usage', `--limit takes a number from 1 on: ${limit}`)
}

/** What is said where there is nothing to show. */
export const emptyHistory =
  'Nothing here yet. Each task that a run finishes is one entry: executor run --max-tasks 1'
