import type { Log, LogFacts } from '../../adapters/pino-log.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import type { Observer } from '../../graph/run-graph.ts'
import type { CallWatcher } from './watched-call.ts'

export interface RunWatcher {
  readonly observer: Observer
  readonly watch: CallWatcher
}

/** A line for each run, step, verdict and call to the outside, with the run's id in it. */
export function logRun(log: Log): RunWatcher {
  let at: LogFacts = {}
  let tokens = 0
  let seconds = 0
  const observer: Observer = {
    noticed: (sentence) => log('warn', sentence, at),
    started(node, state) {
      if (at.run !== state.runId) {
        const { runId: run, roadmap, base, dryRun } = state
        log('info', 'run', { run, roadmap, branch: base.branch, sha: base.sha, dryRun, next: node })
      }
      at = placeOf(node, state)
      tokens = totalTokens(state.usage)
      seconds = state.seconds
      log('debug', 'step begins', at)
    },
    finished(node, outcome, state) {
      const took = {
        outcome,
        seconds: state.seconds - seconds,
        tokens: totalTokens(state.usage) - tokens,
      }
      // An attempt that a step began or ended is that step's.
      log('info', 'step', { ...placeOf(node, state), ...definite(at), ...took })
      const result = node === 'decide_next' && at.task ? state.results[String(at.task)] : undefined
      if (result !== undefined) {
        const { verdict, attempts, repairs, usage, pullRequest } = result
        const facts = { verdict, attempts, repairs, seconds: result.seconds }
        const cost = { tokens: totalTokens(usage), dollars: usage.dollars }
        log('info', 'task', { ...at, ...facts, ...cost, pullRequest: pullRequest?.number })
      }
      at = placeOf(node, state)
    },
  }
  return {
    observer,
    watch({ kind, name, facts }) {
      const began = performance.now()
      const place = at
      return ({ facts: found, error }) => {
        const seconds = (performance.now() - began) / 1000
        log(error === null ? 'debug' : 'warn', name, {
          ...place,
          ...{ kind, seconds, error: error ?? undefined },
          ...facts,
          ...found,
        })
      }
    },
  }
}

const placeOf = (node: string, { runId, attempt }: RunState): LogFacts => ({
  run: runId,
  task: attempt?.task.id,
  attempt: attempt?.number,
  node,
})

const definite = (facts: LogFacts): LogFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
