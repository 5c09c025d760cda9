import { join } from 'node:path'
import { createOpenAIModel } from '../../adapters/openai-model.ts'
import type { Log } from '../../adapters/pino-log.ts'
import { createProcessSandbox } from '../../adapters/process-sandbox.ts'
import { createSystemClock } from '../../adapters/system-clock.ts'
import { createSystemRandom } from '../../adapters/system-random.ts'
import type { Telemetry } from '../../adapters/telemetry/signals.ts'
import { createWasmSyntaxChecker } from '../../adapters/wasm-syntax-checker.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { recordEffects } from '../../core/journal/record-effects.ts'
import type { EffectLog } from '../../core/ports/effect-log.ts'
import type { Ports } from '../../core/ports.ts'
import { priceOf } from '../../core/prices.ts'
import { loadNodes } from '../../graph/nodes.ts'
import type { Observer } from '../../graph/run-graph.ts'
import { createRedactor } from '../../text/secrets/redact.ts'
import { observeSession } from '../observe/observe-session.ts'
import type { CallWatcher } from '../observe/watch-ports.ts'
import type { OpenProgress } from '../progress/open-progress.ts'
import { secretsOfEnvironment } from '../redact/known-secrets.ts'
import { redactOutgoing } from '../redact/redact-outgoing.ts'

/** Ports and what has to be closed after them. */
export interface Session {
  readonly ports: Ports
  /** Logs and shows a run's steps; pass it to each run. */
  readonly observer: Observer
  readonly reportPath: string
  /** For what is said elsewhere than through the ports: a log, an annotation. */
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

/** Where a session works: what is kept there, where its code is, who can be asked. */
interface Place {
  /** The repository's folder, with `.executor/` in it. */
  readonly root: string
  /** Whether what is installed at `root` serves. */
  readonly checkedOut: boolean
  readonly cache: string
  /** Besides the key and those of the environment. */
  readonly secrets: readonly string[]
  /** Where adapters say how long they wait, and for whom; nowhere when not given. */
  readonly log?: (line: string) => void
  /** Where the lines about runs go; a file beside the report when not given. */
  readonly lines?: Log | undefined
  readonly openTelemetry: () => Promise<Telemetry | null>
  readonly person: Ports['person']
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
}

/** The ports of a session at a place: watched, recorded, and with everything redacted that leaves the program. */
export async function compose(
  request: SessionRequest,
  place: Place,
): Promise<Session & { readonly secrets: readonly string[]; readonly watch: CallWatcher }> {
  const { settings, dryRun = false } = request
  const directory = join(place.root, '.executor')
  const secrets = [...secretsOf(request.apiKey), ...place.secrets]
  const redact = createRedactor(secrets)
  const machine = openMachine(request, place, redact)
  const log = (line: string) => {
    if (place.log === undefined) return
    place.log(redact(line))
    observation.note(line)
  }
  const progress = request.progress?.({ clock: machine.clock, redact })
  const tools = { ...machine, directory, redact, log }
  const { store: kept, leases, memory, ...state } = await place.openState(tools)
  const { store, effects, recordInstalls } = recordEffects(kept, { redact, note: log })
  const sandbox = recordInstalls(machine.sandbox)
  const { forge, workspace, ...code } = await place.openCode(tools, effects)
  const ports = { ...machine, sandbox, settings, store, leases, memory, forge, workspace }
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
  return {
    ports: redactOutgoing(observation.ports, secrets),
    observer: observation.observer,
    watch: observation.watch,
    reportPath: join(directory, 'report.md'),
    secrets,
    redact,
    endProgress: () => progress?.close(),
    async close() {
      progress?.close()
      // A job that is cancelled has seconds: what it leaves behind does not wait for telemetry.
      await Promise.all([observation.close(), machine.syntax.close(), state.close?.()])
      await code.close?.()
    },
  }
}

function openMachine(
  { settings, apiKey, signal }: SessionRequest,
  { root, checkedOut, cache }: Place,
  redact: (text: string) => string,
) {
  const clock = createSystemClock()
  const random = createSystemRandom()
  const { baseUrl } = settings.model
  const asked = { baseUrl, apiKey, settings: settings.model, clock, random, signal }
  const sandbox = createProcessSandbox({
    mode: settings.sandbox.mode,
    memoryMegabytes: settings.verify.memoryMegabytes,
    cacheDirectory: join(cache, 'dependencies'),
    checkout: checkedOut ? root : null,
    redact,
  })
  const model = loadAhead(createOpenAIModel(asked), loadNodes)
  return { model, sandbox, syntax: createWasmSyntaxChecker(), clock, random }
}

/** What the SDK is given for a server that asks for no key. */
const noKey = 'none'

/** The key, if it is one, and the secrets of the environment that the run is started in. */
export const secretsOf = (apiKey: string): readonly string[] => [
  ...(apiKey === noKey ? [] : [apiKey]),
  ...secretsOfEnvironment(process.env),
]

/**
 * The key for this endpoint.
 *
 * @throws ExecutorError `no_model`, `no_api_key`; `no_price` where a limit in dollars could not stop anything
 */
export function findApiKey(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (settings.model.name === '') throw new ExecutorError('no_model')
  checkPrice(settings)
  const key = environment.OPENAI_API_KEY ?? ''
  if (key !== '') return key
  // A server of one's own usually asks for none; the SDK wants a value all the same.
  if (new URL(settings.model.baseUrl).hostname !== 'api.openai.com') return noKey
  throw new ExecutorError('no_api_key', settings.model.baseUrl)
}

/** A limit in dollars limits nothing where the price of the model is not known. */
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

/** Milliseconds that a request gets to leave, over a new connection as well, before loading blocks the process. */
const untilSent = 300

/** Loads what reads the answer while the model thinks. */
export const loadAhead = (model: Ports['model'], load: () => Promise<void>): Ports['model'] => ({
  ...model,
  async complete(request) {
    // The step that needs it reports a failed load.
    const loading = setTimeout(() => void load().catch(() => {}), untilSent)
    try {
      return await model.complete(request)
    } finally {
      clearTimeout(loading)
    }
  },
})
