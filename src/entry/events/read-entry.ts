import type { JournalEntry, Recorded } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { noUsage, priceOf, totalTokens, type Usage } from '../../core/domain/usage.ts'
import { buildReport } from '../../publish/report/build-report.ts'
import { exitCodeOf } from '../../runs/run-results.ts'
import type { RunEvent } from './event-schema.ts'

/** An event without its version, time and run. */
export type Told = WithoutPlace<RunEvent>

type WithoutPlace<Event> = Event extends RunEvent ? Omit<Event, 'v' | 'at' | 'run'> : never

/** A fault that ended a run. */
export interface RunFailure {
  readonly exitCode: number
  readonly code: string
  readonly message: string
  readonly next: string
}

/** Returns what other programs learn of an entry of the journal; `state` is the last one saved, if any. */
export function readEntry(
  entry: JournalEntry,
  state: RunState | null,
  settings: Settings,
): readonly Told[] {
  switch (entry.kind) {
    case 'started':
      return [runStarted(entry, false, settings)]
    case 'resumed':
      return state === null ? [] : [runStarted(placeOf(state), true, settings)]
    case 'stepped': {
      const { task, attempt, node: step, outcome, seconds, usage } = entry
      const spent = { seconds, ...spentOn(usage, settings) }
      return [{ task, type: 'step', attempt, step, outcome, ...spent }]
    }
    case 'answered':
    case 'silent':
    case 'too_large':
    case 'refused': {
      const { task, attempt, purpose, kind: outcome } = entry
      const spent = spentOn('usage' in entry ? entry.usage : noUsage, settings)
      return [{ task, type: 'model_call', attempt, purpose, outcome, ...spent }]
    }
    case 'filed':
      return state === null ? [] : verdictOn(entry.result.id, state)
    default:
      return []
  }
}

const placeOf = ({ roadmap: { path, base } }: RunState) => ({ roadmap: path, base })

function runStarted(
  { roadmap, base }: Pick<Recorded<'started'>, 'roadmap' | 'base'>,
  resumed: boolean,
  { model, strategy }: Settings,
): Told {
  const start = { roadmap, branch: base.branch, sha: base.sha, model: model.name, strategy }
  return { task: null, type: 'run_started', resumed, ...start }
}

function spentOn(usage: Usage, { model: { name, prices } }: Settings) {
  const tokens = totalTokens(usage)
  const isKnown = tokens === 0 || usage.dollars > 0 || priceOf(name, prices) !== null
  return { tokens, cost: isKnown ? usage.dollars : null }
}

const verdictOn = (id: string, state: RunState): readonly Told[] =>
  buildReport(state)
    .tasks.filter((task) => task.id === id)
    .map(({ title, outcome, reason, branch, sha, pr, attempts, repairs, ...spent }) => {
      const { tokens, cost, seconds } = spent
      const facts = { title, outcome, reason, branch, sha, pr, attempts, repairs }
      return { task: id, type: 'verdict', ...facts, tokens, cost, seconds }
    })

/** The end of a run; with a failure, as its last saved state left it. */
export function runEnded(state: RunState, failure: RunFailure | null): Told {
  const { totals, limits, errors, usage, cost, durationSeconds: seconds } = buildReport(state)
  const { stopped } = state.progress
  const all = failure === null ? errors : [...errors, failure]
  return {
    ...{ task: null, type: 'run_ended', exitCode: failure?.exitCode ?? exitCodeOf(state), stopped },
    ...{ totals, limits: [...limits] },
    errors: all.map(({ code, message, next }) => ({ code, message, next })),
    ...{ tokens: totalTokens(usage), cost, seconds },
  }
}
