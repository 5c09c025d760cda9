import type { History } from '../../../adapters/sqlite-history.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Execution } from '../../../core/history/execution.ts'
import {
  emptyHistory,
  type HistoryFlags,
  readLimit,
  readPeriod,
  withHistory,
} from '../open-history.ts'
import { showMisroutes } from '../show-analysis.ts'
import { showErrors, showExecutions, showFigures, showTrail } from '../show-history.ts'
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
