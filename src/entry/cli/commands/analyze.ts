import { ExecutorError } from '../../../core/domain/errors.ts'
import { judgeRoutes } from '../../../core/history/routing.ts'
import { emptyHistory, type HistoryFlags, readPeriod, withHistory } from '../open-history.ts'
import { showMisroutes, showRouting } from '../show-analysis.ts'
import type { Terminal } from '../terminal.ts'

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
