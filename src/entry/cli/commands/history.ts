import { join } from 'node:path'
import { type History, openHistory } from '../../../adapters/sqlite-history.ts'
import { createSystemClock } from '../../../adapters/system-clock.ts'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { secondsBefore, secondsOf } from '../../../core/domain/instant.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { judgeRoutes } from '../../../core/history/routing.ts'
import type { Execution, Period } from '../../../core/history/statistics.ts'
import { loadSettings } from '../load-settings.ts'
import {
  showErrors,
  showExecutions,
  showFigures,
  showMisroutes,
  showRouting,
  showTrail,
} from '../show-history.ts'
import type { Terminal } from '../terminal.ts'

const views: Readonly<
  Record<string, (history: History, flags: HistoryFlags, terminal: Terminal) => void>
> = { executions, stats, errors, misroutes }

/** `executor history [stats|errors|misroutes]`: what earlier runs did. */
export function history(
  view: string | undefined,
  flags: HistoryFlags,
  terminal: Terminal,
): Promise<number> {
  const show = views[view ?? 'executions']
  if (show === undefined || !Object.hasOwn(views, view ?? 'executions')) {
    const all = Object.keys(views).slice(1).join(', ')
    throw new ExecutorError('bad_usage', `There is no history ${view}; there are: ${all}.`)
  }
  return withHistory(flags, terminal, (found) => show(found, flags, terminal))
}

function executions(found: History, flags: HistoryFlags, terminal: Terminal): void {
  const { task = null } = flags
  const query = { ...readPeriod(flags), task, limit: readLimit(flags, task === null ? 20 : 5) }
  const list = found.executions(query)
  if (flags.json) {
    const withTrail = (one: Execution) =>
      task === null ? one : { ...one, trail: found.trail(one) }
    print({ executions: list.map(withTrail) }, terminal)
    return
  }
  if (list.length === 0) {
    terminal.say(task === null ? emptyHistory : `No run has worked on a task ${task} yet.`)
    return
  }
  showExecutions(list, terminal)
  if (task !== null) for (const one of list) showTrail(one, found.trail(one), terminal)
}

function stats(found: History, flags: HistoryFlags, terminal: Terminal): void {
  const period = readPeriod(flags)
  const [models, strategies, days] = (['model', 'strategy', 'day'] as const).map((by) =>
    found.figures(by, period),
  )
  if (flags.json) {
    print({ ...period, models, strategies, days }, terminal)
    return
  }
  if (days === undefined || days.length === 0) {
    terminal.say(emptyHistory)
    return
  }
  showFigures('Model', models ?? [], terminal)
  showFigures('Strategy', strategies ?? [], terminal)
  showFigures('Day', days.slice(0, readLimit(flags, 14)), terminal)
  terminal.say(
    'Success: of the executions that served (done, in review, unverified) or failed (failed, replaced, over budget, rejected).',
  )
}

function errors(found: History, flags: HistoryFlags, terminal: Terminal): void {
  const period = readPeriod(flags)
  const groups = found.errors(period, readLimit(flags, 20))
  if (flags.json) print({ ...period, errors: groups }, terminal)
  else if (groups.length === 0) terminal.say('No step has failed yet, or no run is recorded.')
  else showErrors(groups, terminal)
}

function misroutes(found: History, flags: HistoryFlags, terminal: Terminal): void {
  showMisroutes(found, { ...flags, ...readPeriod(flags) }, terminal)
}

function print(document: object, terminal: Terminal): void {
  terminal.print(JSON.stringify(document, null, 2))
}

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
  if (flags.github) await (await import('../find-github.ts')).fetchHistory(repository, terminal)
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
function readLimit({ limit }: HistoryFlags, otherwise: number): number {
  if (limit === undefined) return otherwise
  if (/^[1-9]\d{0,5}$/.test(limit)) return Number(limit)
  throw new ExecutorError('bad_usage', `--limit takes a number from 1 on: ${limit}`)
}

/** What is said where there is nothing to show. */
export const emptyHistory =
  'Nothing here yet. Each task that a run finishes is one entry: executor run --max-tasks 1'

/** `executor analyze routing|misroutes`: whether the model and the strategy are the right ones. */
export function analyze(what: string, flags: HistoryFlags, terminal: Terminal): Promise<number> {
  if (what !== 'routing' && what !== 'misroutes') {
    throw new ExecutorError('bad_usage', `There is no analysis ${what}: routing or misroutes.`)
  }
  return withHistory(flags, terminal, (history, settings) => {
    const period = readPeriod(flags)
    if (what === 'misroutes') {
      showMisroutes(history, { ...flags, ...period }, terminal)
      return
    }
    const configured = {
      model: settings.model.name,
      strategy: settings.planning ? 'two_phase' : 'single',
    }
    const judgement = judgeRoutes(configured, history.routes(period))
    if (flags.json) terminal.print(JSON.stringify({ ...period, ...judgement }, null, 2))
    else if (judgement.routes.length === 0) terminal.say(emptyHistory)
    else showRouting(judgement, terminal)
  })
}
