import { join } from 'node:path'
import { type History, openHistory } from '../../../adapters/sqlite-history.ts'
import { createSystemClock } from '../../../adapters/system.ts'
import {
  excludeFromGit,
  findRepository,
  type UsersRepository,
} from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { secondsBefore, secondsOf } from '../../../core/domain/instant.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { priceOf } from '../../../core/domain/usage.ts'
import { judgeLearning, recoveredTarget } from '../../../core/history/learning.ts'
import { judgeRefinements } from '../../../core/history/refine.ts'
import { judgeMisroutes, judgeRoutes, samplesOf, shownFrom } from '../../../core/history/routing.ts'
import type { Period } from '../../../core/history/statistics.ts'
import type { Flags } from '../flags.ts'
import { loadSettings } from '../load-settings.ts'
import {
  showErrors,
  showExecutions,
  showFigures,
  showLearning,
  showMisroutes,
  showRouting,
  showTrail,
} from '../show-history.ts'
import type { Terminal } from '../terminal.ts'

/** One view of the history, as a document and for people. */
interface FoundHistory {
  readonly document: object
  /** The text to show when the view is empty. */
  readonly nothing: string | null
  show(terminal: Terminal): void
  /** Carries out its advice, which only `--apply` asks for. */
  apply?(repository: UsersRepository, terminal: Terminal): Promise<number>
}

type View = (history: History, flags: HistoryFlags, settings: Settings) => FoundHistory

const views: Readonly<Record<string, View>> = { executions, stats, errors, misroutes }

export function history(
  view: string | undefined,
  flags: HistoryFlags,
  terminal: Terminal,
): Promise<number> {
  const name = view ?? 'executions'
  const found = Object.hasOwn(views, name) ? views[name] : undefined
  if (found !== undefined) return ask(found, flags, terminal)
  const all = Object.keys(views).slice(1).join(', ')
  throw new ExecutorError('bad_usage', `There is no view ${view}; choose ${all}.`)
}

export function analyze(what: string, flags: HistoryFlags, terminal: Terminal): Promise<number> {
  if (what === 'routing') return ask(routing, flags, terminal)
  if (what === 'learning' && !flags.apply) return ask(learning, flags, terminal)
  if (flags.apply) throw new ExecutorError('bad_usage', 'Only analyze routing takes --apply.')
  if (what === 'misroutes') return ask(misroutes, flags, terminal)
  const all = 'routing, misroutes or learning'
  throw new ExecutorError('bad_usage', `There is no analysis ${what}; choose ${all}.`)
}

/** Whether the current settings know the price of a model. */
const pricesOf =
  ({ model }: Settings) =>
  (name: string): boolean =>
    priceOf(name, model.prices) !== null

function executions(found: History, flags: HistoryFlags, settings: Settings): FoundHistory {
  const { task = null } = flags
  const query = { ...readPeriod(flags), task, limit: readLimit(flags, task === null ? 20 : 5) }
  const list = found.executions(query)
  const nothing = task === null ? emptyHistory : `No run has worked on a task ${task} yet.`
  const trails = task === null ? [] : list.map((one) => ({ ...one, trail: found.trail(one) }))
  return {
    document: { executions: task === null ? list : trails },
    nothing: list.length === 0 ? nothing : null,
    show(terminal) {
      showExecutions(list, pricesOf(settings), terminal)
      for (const { trail, ...one } of trails) showTrail(one, trail, terminal)
    },
  }
}

function stats(found: History, flags: HistoryFlags, settings: Settings): FoundHistory {
  const period = readPeriod(flags)
  const [models = [], strategies = [], days = []] = (['model', 'strategy', 'day'] as const).map(
    (by) => found.figures(by, period),
  )
  return {
    document: { ...period, models, strategies, days },
    nothing: days.length === 0 ? emptyHistory : null,
    show(terminal) {
      const isPriced = pricesOf(settings)
      // A strategy or a day sums up models: its cost is known if the price of each model is.
      const areAll = () => models.every(({ name }) => name === '' || isPriced(name))
      showFigures('Model', models, isPriced, terminal)
      showFigures('Strategy', strategies, areAll, terminal)
      showFigures('Day', days.slice(0, readLimit(flags, 14)), areAll, terminal)
      terminal.say(
        'Success: the share that succeeded (done, in review, unverified), not failed (failed, replaced, over budget, rejected).',
      )
    },
  }
}

function errors(found: History, flags: HistoryFlags): FoundHistory {
  const period = readPeriod(flags)
  const groups = found.errors(period, readLimit(flags, 20))
  return {
    document: { ...period, errors: groups },
    nothing: groups.length === 0 ? 'No step has failed yet, or no run is recorded.' : null,
    show: (terminal) => showErrors(groups, terminal),
  }
}

function misroutes(found: History, flags: HistoryFlags): FoundHistory {
  const period = readPeriod(flags)
  const routes = found.routes(period)
  const judged = judgeMisroutes(
    found.misroutes(period).map((group) => {
      const { model, strategy } = group.route
      const its = routes.find((route) => route.model === model && route.strategy === strategy)
      return { ...group, of: its === undefined ? group.cases : samplesOf(its) }
    }),
  )
  return {
    document: { ...period, shownFrom, ...judged },
    nothing: null,
    show: (terminal) => showMisroutes(judged, terminal),
  }
}

function routing(found: History, flags: HistoryFlags, settings: Settings): FoundHistory {
  const period = readPeriod(flags)
  const strategy = settings.strategy
  const judged = judgeRoutes({ model: settings.model.name, strategy }, found.routes(period))
  return {
    document: { ...period, ...judged },
    nothing: judged.routes.length === 0 ? emptyHistory : null,
    show: (terminal) => showRouting(judged, pricesOf(settings), terminal),
    async apply(repository, terminal) {
      const { applyRouting } = await import('./apply-routing.ts')
      return applyRouting(judged, repository, settings, terminal)
    },
  }
}

function learning(found: History, flags: HistoryFlags, settings: Settings): FoundHistory {
  const period = readPeriod(flags)
  const learned = judgeLearning(found.learning(period))
  const recovered = found.recovered(period)
  const { firstAnswers } = found.record(settings.model.name)
  const refinements = judgeRefinements(firstAnswers)
  return {
    document: {
      ...{ ...period, learned, refinements },
      recovered: { ...recovered, targetPercent: recoveredTarget },
    },
    nothing: learned.length === 0 ? emptyHistory : null,
    show: (terminal) => showLearning(learned, refinements, recovered, terminal),
  }
}

type HistoryFlags = Flags<'rebuild' | 'github' | 'json' | 'apply', 'task' | 'limit' | 'since'>

const dayInSeconds = 86_400

/** Updates the history of this repository's runs, and queries one view. */
async function ask(view: View, flags: HistoryFlags, terminal: Terminal): Promise<number> {
  const repository = await findRepository(terminal.directory)
  const { root } = repository
  const settings = await loadSettings(root, {}, terminal)
  if (!settings.history) {
    terminal.say('The history is switched off: history is false in .github/executor.yml.')
    return 0
  }
  await excludeFromGit(repository, '.executor/')
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
    if (flags.rebuild) terminal.say(`Rebuilt from ${events.toLocaleString('en')} journal lines.`)
    if (unreadable > 0) terminal.say(`note: ${unreadable} journal lines are damaged and ignored.`)
    const found = view(history, flags, settings)
    const { document, nothing, show } = found
    if (flags.json) terminal.print(JSON.stringify(document, null, 2))
    else if (nothing !== null) terminal.say(nothing)
    else show(terminal)
    return flags.apply && found.apply ? await found.apply(repository, terminal) : 0
  } finally {
    history.close()
  }
}

/** Since a date, `2026-01-31`, or a number of days ago, `7d`. @throws ExecutorError `bad_usage` */
function readPeriod({ since }: HistoryFlags): Period {
  if (since === undefined) return { since: null }
  const days = /^(\d{1,4})d?$/.exec(since)?.[1]
  if (days !== undefined) {
    const from = secondsBefore(createSystemClock().now(), Number(days) * dayInSeconds)
    return { since: from.slice(0, 10) }
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

const emptyHistory =
  'Nothing here yet. Each task that a run finishes is one entry: executor run --max-tasks 1'
