import { join } from 'node:path'
import { openBoundedFile } from '../../adapters/bounded-file.ts'
import { type Log, openLog } from '../../adapters/pino-log.ts'
import type { Telemetry } from '../../adapters/telemetry/signals.ts'
import type { Ports } from '../../core/ports.ts'
import type { Observer } from '../../graph/run-graph.ts'
import { combineObservers } from './combine-observers.ts'
import { logRun } from './log-run.ts'
import { maskTelemetry } from './mask-telemetry.ts'
import { traceRun } from './trace-run.ts'
import { watchPorts } from './watch-ports.ts'
import type { CallWatcher } from './watched-call.ts'

/** What is noticed of a session: its steps, its calls to the outside, and what adapters say. */
export interface Observation {
  readonly ports: Ports
  readonly observer: Observer
  readonly watch: CallWatcher
  /** What an adapter has to say: how long it waits, and for whom. */
  note(line: string): void
  close(): Promise<void>
}

/** Some thousands of steps; with the one before it, all that a run's folder holds of them. */
const mostBytes = 4_000_000

export function observeSession(
  ports: Ports,
  options: {
    /** `.executor`; `null` where nothing is to be written. */
    readonly directory: string | null
    readonly redact: (text: string) => string
    /** Where lines go instead of a file. */
    readonly log?: Log | undefined
    /** Who receives spans and measurements, if anybody does; closed with the session. */
    readonly telemetry: Telemetry | null
  },
): Observation {
  const { directory, redact } = options
  const file = directory === null || options.log ? null : openFileLog(ports, directory, redact)
  const log = options.log ?? file ?? silent
  const lines = logRun(log)
  const telemetry = options.telemetry && maskTelemetry(options.telemetry, redact)
  const traces = telemetry && traceRun(telemetry)
  const watch: CallWatcher = (call) => {
    const ends = [lines, ...(traces === null ? [] : [traces])].map((watcher) => watcher.watch(call))
    return (found) => {
      for (const end of ends) end(found)
      // The answer that was waited for is here: now there is time to load a library.
      if (call.kind === 'model') void file?.load()
    }
  }
  return {
    ports: watchPorts(ports, watch),
    observer: combineObservers(lines.observer, traces?.observer ?? {}),
    watch,
    note: (line) => log('info', line),
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
