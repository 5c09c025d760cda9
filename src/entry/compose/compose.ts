import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createWasmSyntaxChecker } from '../../../packages/source/source.ts'
import { atMost, createRedactor } from '../../../packages/text/text.ts'
import { measuredFormsAt } from '../../adapters/calibration-file.ts'
import { createHistoryRoutes } from '../../adapters/history-routes.ts'
import { createMachineSandbox } from '../../adapters/machine-sandbox.ts'
import { createOpenAIModel } from '../../adapters/openai-model.ts'
import type { Log } from '../../adapters/pino-log.ts'
import { createSystemClock, createSystemRandom } from '../../adapters/system.ts'
import type { Telemetry } from '../../adapters/telemetry/signals.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { priceOf } from '../../core/domain/usage.ts'
import { recordEffects } from '../../core/journal/record-effects.ts'
import type { EffectLog } from '../../core/ports/effect-log.ts'
import { noMemory } from '../../core/ports/memory.ts'
import { noKey } from '../../core/ports/model.ts'
import type { OpenRelay, Relay } from '../../core/ports/relay.ts'
import type { Ports } from '../../core/ports.ts'
import { loadNodes } from '../../graph/nodes.ts'
import type { Observer } from '../../graph/run-graph.ts'
import { keepScratchpads } from '../../publish/effects/keep-scratchpad.ts'
import { observeSession } from '../observe/observe-session.ts'
import type { CallWatcher } from '../observe/watch-ports.ts'
import type { OpenProgress } from '../progress/open-progress.ts'
import { redactOutgoing } from '../redact/redact-outgoing.ts'
import { secretsOfEnvironment } from '../redact/redact-ports.ts'

/** The ports, and the resources to close after them. */
export interface Session {
  readonly ports: Ports
  /** Logs and shows a run's steps; pass it to each run. */
  readonly observer: Observer
  readonly reportPath: string
  /** For text that leaves other than through the ports: a log, an annotation. */
  redact(text: string): string
  /** Ends the progress display, before the summary. */
  endProgress(): void
  close(): Promise<void>
}

export interface SessionRequest {
  readonly settings: Settings
  readonly apiKey: string
  readonly signal: AbortSignal
  readonly dryRun?: boolean
  /** Shows the work to people until the session is closed. */
  readonly progress?: OpenProgress
}

/** The place of a session: where it keeps state, where its code is, and whom it can ask. */
interface Place {
  /** The repository's folder, with `.executor/` in it. */
  readonly root: string
  /** True when the dependencies installed at `root` can be used. */
  readonly checkedOut: boolean
  readonly cache: string
  /** Secrets other than the key and those of the environment. */
  readonly secrets: readonly string[]
  /** Receives adapters' messages about waiting; by default they are dropped. */
  readonly log?: (line: string) => void
  /** The log of runs; by default a file beside the report. */
  readonly lines?: Log | undefined
  readonly openTelemetry: () => Promise<Telemetry | null>
  readonly person: Ports['person']
  /** By default, the endpoint of the settings. */
  readonly model?: Ports['model'] | undefined
  openState(tools: PlaceTools): Promise<Pick<Ports, 'store' | 'leases' | 'memory'> & Closing>
  openCode(
    tools: PlaceTools,
    effects: EffectLog,
  ): Promise<Pick<Ports, 'forge' | 'workspace'> & Closing>
}

interface Closing {
  close?(): Promise<void> | undefined
}

interface PlaceTools extends Pick<Ports, 'clock' | 'random'> {
  readonly directory: string
  readonly redact: (text: string) => string
  readonly log: (line: string) => void
  /** Like `log`, and always in the log of the run. */
  readonly note: (line: string) => void
}

/** Composes the ports of a session: watched, recorded, and redacting everything that leaves the program. */
export async function compose(
  request: SessionRequest,
  place: Place,
): Promise<Session & { readonly secrets: readonly string[]; readonly watch: CallWatcher }> {
  const { settings, dryRun = false } = request
  const directory = join(place.root, '.executor')
  const secrets = [...secretsOf(request.apiKey), ...place.secrets]
  const redact = createRedactor(secrets)
  const { relays, ...machine } = openTools(request, place, redact)
  const note = (line: string) => {
    place.log?.(redact(line))
    observation.note(line)
  }
  const log = (line: string) => {
    if (place.log !== undefined) note(line)
  }
  const progress = request.progress?.({ clock: machine.clock, redact })
  const tools = { ...machine, directory, redact, log, note }
  const { store: kept, leases, memory: known, ...state } = await place.openState(tools)
  const { store, effects, recordInstalls, recordRecalls } = recordEffects(kept, {
    redact,
    note: log,
  })
  const sandbox = recordInstalls(machine.sandbox)
  const memory = settings.memory ? recordRecalls(known) : noMemory
  const { forge, workspace, ...code } = await place.openCode(tools, effects)
  const routes = createHistoryRoutes(directory, settings, machine.clock)
  const ports = { ...machine, sandbox, store, leases, routes, memory, forge, workspace }
  const observation = observeSession(
    { ...ports, person: place.person },
    {
      directory: dryRun ? null : directory,
      redact,
      log: place.lines,
      telemetry: await place.openTelemetry(),
      progress,
    },
  )
  // Inside the redaction: what it cuts is masked before.
  const scratching = keepScratchpads(observation.ports.store, { settings, redact })
  return {
    ports: redactOutgoing({ ...observation.ports, store: scratching }, secrets),
    observer: observation.observer,
    watch: observation.watch,
    reportPath: join(directory, 'report.md'),
    secrets,
    redact,
    endProgress: () => progress?.close(),
    async close() {
      progress?.close()
      await relays.close()
      // A cancelled job has only seconds: saving its state does not wait for telemetry.
      await Promise.all([observation.close(), machine.syntax.close(), state.close?.()])
      await code.close?.()
    },
  }
}

function openTools(
  { settings, apiKey, signal }: SessionRequest,
  { root, checkedOut, cache, model: given }: Place,
  redact: (text: string) => string,
) {
  const checkout = checkedOut ? root : null
  const machine = machinePorts(settings, { checkout, cache, redact })
  const { clock, random } = machine
  const { baseUrl } = settings.model
  const asked = { baseUrl, apiKey, settings: settings.model, clock, random, signal }
  const sandbox = settings.parallel > 1 ? onCores(machine.sandbox) : machine.sandbox
  const forms = () => measuredFormsAt(cache, baseUrl)
  const model = loadAhead(given ?? { ...createOpenAIModel(asked), forms }, loadNodes)
  const relays = bookRelays({
    // Only an agent needs it.
    open: async (...about) => {
      const { createModelRelay } = await import('../../adapters/model-relay.ts')
      return createModelRelay({ ...asked, redact }).open(...about)
    },
  })
  return { ...machine, sandbox, model, relay: relays.relay, relays }
}

/** The tests of several tasks at a time, one command for each core. */
function onCores(sandbox: Ports['sandbox']): Ports['sandbox'] {
  const inTurn = atMost(availableParallelism())
  return { ...sandbox, run: (request) => inTurn(() => sandbox.run(request)) }
}

/** The key, if it is one, and the secrets in this process's environment. */
export const secretsOf = (apiKey: string): readonly string[] => [
  ...(apiKey === noKey ? [] : [apiKey]),
  ...secretsOfEnvironment(process.env),
]

/**
 * The key for this endpoint.
 *
 * @throws ExecutorError `no_model`, `no_agent`, `no_api_key`; `no_price` when a limit in dollars could never take effect
 */
export function findApiKey(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (settings.model.name === '') throw new ExecutorError('no_model')
  if (settings.strategy === 'agent' && settings.agent.command === null) {
    throw new ExecutorError('no_agent')
  }
  checkPrice(settings)
  const key = environment.OPENAI_API_KEY ?? ''
  if (key !== '') return key
  // A self-hosted server usually needs no key, but the SDK requires a value.
  if (new URL(settings.model.baseUrl).hostname !== 'api.openai.com') return noKey
  throw new ExecutorError('no_api_key', settings.model.baseUrl)
}

/** Refuses a limit in dollars when the model's price is unknown. */
function checkPrice({ model, limits }: Settings): void {
  const { name, prices } = model
  const set = [
    ...(limits.dollars === null ? [] : ['max-cost']),
    ...(limits.dollarsPerTask === null ? [] : ['limits.cost-per-task']),
    ...(limits.dollarsPerCall === null ? [] : ['limits.cost-per-call']),
    ...(limits.dollarsPerDay === null ? [] : ['limits.cost-per-day']),
  ]
  if (set.length === 0 || priceOf(name, prices) !== null) return
  const price = `${JSON.stringify(name)}: { prompt: 0.4, completion: 1.6 }`
  const hasPrices = Object.keys(prices).length > 0
  const where = hasPrices ? 'below prices: in .github/executor.yml' : 'to .github/executor.yml'
  const line = hasPrices ? price : `prices: { ${price} }`
  throw new ExecutorError(
    'no_price',
    `No price is known for ${name}, so ${set.join(', ')} limits nothing. Add this line ${where}, with your prices in dollars per million tokens:\n  ${line}`,
  )
}

/** Milliseconds for a request to be sent, including a new connection, before loading blocks the process. */
const untilSent = 300

/** Loads the code that reads the answer while the model is thinking. */
export const loadAhead = (model: Ports['model'], load: () => Promise<void>): Ports['model'] => ({
  ...model,
  async complete(request) {
    // The step that needs the code reports a failed load.
    const loading = setTimeout(() => void load().catch(() => {}), untilSent)
    try {
      return await model.complete(request)
    } finally {
      clearTimeout(loading)
    }
  },
})

interface MachinePlace {
  /** The folder whose installed dependencies may be used; `null` for none. */
  readonly checkout: string | null
  /** A private directory, for dependencies that are installed for the tests. */
  readonly cache: string
  redact(text: string): string
}

/** The ports to this machine; close `syntax` at the end. */
export const machinePorts = (settings: Settings, { checkout, cache, redact }: MachinePlace) => ({
  sandbox: createMachineSandbox({
    mode: settings.sandbox.mode,
    memoryMegabytes: settings.verify.memoryMegabytes,
    cacheDirectory: join(cache, 'dependencies'),
    checkout,
    redact,
  }),
  syntax: createWasmSyntaxChecker(),
  clock: createSystemClock(),
  random: createSystemRandom(),
  settings,
})

/** A relay whose open sessions can be ended from outside. */
interface BookedRelay {
  readonly relay: Relay
  /** Ends open relays and waits until they are booked: a cancel leaves the step that opened them to itself. */
  close(): Promise<void>
}

export function bookRelays(inner: Relay): BookedRelay {
  const sessions = new Set<OpenRelay>()
  return {
    relay: {
      async open(model, admit) {
        const opened = await inner.open(model, admit)
        sessions.add(opened)
        return {
          ...opened,
          async close() {
            await opened.close()
            sessions.delete(opened)
          },
        }
      },
    },
    async close() {
      await Promise.all([...sessions].map((each) => each.close()))
    },
  }
}
