import { join } from 'node:path'
import { createDataMask } from '../../../packages/text/text.ts'
import { openBoundedFile } from '../../adapters/bounded-file.ts'
import { type Log, type LogFacts, openLog } from '../../adapters/pino-log.ts'
import type { Telemetry, TelemetrySpan } from '../../adapters/telemetry/signals.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import type { Ports } from '../../core/ports.ts'
import type { Observer } from '../../graph/run-graph.ts'
import { maskArguments } from '../redact/redact-ports.ts'
import { byLane, inLane } from './by-lane.ts'
import { traceRun } from './trace-run.ts'
import { type CallWatcher, type RunWatcher, watchPorts } from './watch-ports.ts'

/** Bytes of some thousands of steps. A run's folder holds this file and the one before it. */
const mostBytes = 4_000_000

/** Records a session: its steps, its calls to the outside, and adapters' messages. */
export function observeSession(
  ports: Ports,
  options: {
    /** `.executor`; `null` to write no file. */
    readonly directory: string | null
    readonly redact: (text: string) => string
    readonly log?: Log | undefined
    /** Receives spans and measurements, if configured; closed with the session. */
    readonly telemetry: Telemetry | null
    /** Shows the run to people. */
    readonly progress?: RunWatcher | undefined
  },
) {
  const { directory, redact, progress } = options
  const file = directory === null || options.log ? null : openFileLog(ports, directory, redact)
  const log = options.log ?? file ?? silent
  const lines = logRun(log)
  const telemetry = options.telemetry && maskTelemetry(options.telemetry, redact)
  const traces = telemetry && traceRun(telemetry)
  const watchers = [lines, traces, progress].filter((watcher) => watcher != null)
  const watch: CallWatcher = (call) => {
    const listeners = watchers.map((watcher) => watcher.watch(call))
    const hearing = listeners.filter(({ heard }) => heard !== undefined)
    return {
      ...(hearing.length > 0 && {
        heard(piece) {
          for (const listener of hearing) listener.heard?.(piece)
        },
      }),
      ended(found) {
        for (const listener of listeners) listener.ended(found)
        // The answer has arrived: now there is time to load a library.
        if (call.kind === 'model') void file?.load()
      },
    }
  }
  return {
    ports: watchPorts(ports, watch),
    observer: combineObservers(...watchers.map(({ observer }) => observer)),
    watch,
    /** Logs an adapter's message: how long it waits, and for whom. */
    note: (line: string) => log('info', line),
    close: async () => {
      traces?.close()
      await Promise.all([file?.close(), telemetry?.close()])
    },
  }
}

const openFileLog = (
  { settings, clock }: Ports,
  directory: string,
  redact: (text: string) => string,
) => {
  const path = join(directory, 'log.jsonl')
  const previous = join(directory, 'log.previous.jsonl')
  const destination = openBoundedFile({ path, previous, mostBytes })
  return openLog({ level: settings.logLevel, clock, redact, destination })
}

const silent: Log = Object.assign(() => {}, { close: async () => {} })

const combineObservers = (...observers: readonly Observer[]): Observer => ({
  noticed: (sentence) => {
    for (const observer of observers) observer.noticed?.(sentence)
  },
  started: (node, state) => {
    for (const observer of observers) observer.started?.(node, state)
  },
  finished: (node, outcome, state) => {
    for (const observer of observers) observer.finished?.(node, outcome, state)
  },
  inLane,
})

/** The same telemetry with every name and value redacted, also in spans. */
function maskTelemetry(telemetry: Telemetry, redact: (text: string) => string): Telemetry {
  const mask = createDataMask(redact)
  const inner = new WeakMap<TelemetrySpan, TelemetrySpan>()
  return {
    ...maskArguments(telemetry, mask),
    begin(name, { facts, parent, isClient }) {
      const above = parent === null ? null : (inner.get(parent) ?? null)
      const span = telemetry.begin(mask(name), { facts: mask(facts), parent: above, isClient })
      const masked = maskArguments(span, mask)
      inner.set(masked, span)
      return masked
    },
  }
}

/** Logs a line with the run's id for each run, step, verdict and call to the outside. */
function logRun(log: Log): RunWatcher {
  let run = ''
  const lanes = byLane(() => ({ at: {} as LogFacts, tokens: 0, seconds: 0 }))
  const observer: Observer = {
    noticed: (sentence) => log('warn', sentence, lanes.own().at),
    started(node, state) {
      const own = lanes.own()
      if (run !== state.run.id) {
        const { id, dryRun } = state.run
        const { path: roadmap, base } = state.roadmap
        run = id
        log('info', 'run', { run, roadmap, branch: base.branch, sha: base.sha, dryRun, next: node })
      }
      own.at = placeOf(node, state)
      own.tokens = totalTokens(state.spent.usage)
      own.seconds = state.spent.seconds
      log('debug', 'step begins', own.at)
    },
    finished(node, outcome, state) {
      const own = lanes.own()
      const { at } = own
      const took = {
        outcome,
        seconds: state.spent.seconds - own.seconds,
        tokens: totalTokens(state.spent.usage) - own.tokens,
      }
      // The step that begins or ends an attempt belongs to it.
      log('info', 'step', { ...placeOf(node, state), ...definite(at), ...took })
      const result =
        node === 'decide_next' && at.task ? state.tasks.results[String(at.task)] : undefined
      if (result !== undefined) {
        const { verdict, attempts, repairs, usage, pullRequest } = result
        const facts = { verdict, attempts, repairs, seconds: result.seconds }
        const cost = { tokens: totalTokens(usage), dollars: usage.dollars }
        log('info', 'task', { ...at, ...facts, ...cost, pullRequest: pullRequest?.number })
      }
      own.at = placeOf(node, state)
    },
  }
  return {
    observer,
    watch({ kind, name, facts }) {
      const began = performance.now()
      const place = lanes.own().at
      return {
        ended({ facts: found, error }) {
          const seconds = (performance.now() - began) / 1000
          log(error === null ? 'debug' : 'warn', name, {
            ...place,
            ...{ kind, seconds, error: error ?? undefined },
            ...facts,
            ...found,
          })
        },
      }
    },
  }
}

const placeOf = (node: string, { run: { id: runId }, attempt }: RunState): LogFacts => ({
  run: runId,
  task: attempt?.task.id,
  attempt: attempt?.number,
  node,
})

const definite = (facts: LogFacts): LogFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
