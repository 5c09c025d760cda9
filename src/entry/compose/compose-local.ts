import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileMemory } from '../../adapters/file-store/memory-file.ts'
import { createFileStore } from '../../adapters/file-store.ts'
import { createLocalForge } from '../../adapters/local-forge.ts'
import { createOpenAIModel } from '../../adapters/openai-model.ts'
import { createProcessSandbox } from '../../adapters/process-sandbox.ts'
import { createSystemClock } from '../../adapters/system-clock.ts'
import { createSystemRandom } from '../../adapters/system-random.ts'
import { openTelemetry } from '../../adapters/telemetry.ts'
import { createTerminalPerson } from '../../adapters/terminal-person.ts'
import type { UsersRepository } from '../../adapters/user-checkout.ts'
import { createWasmSyntaxChecker } from '../../adapters/wasm-syntax-checker.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { recordEffects } from '../../core/journal/record-effects.ts'
import { soleLeases } from '../../core/ports/leases.ts'
import type { Ports } from '../../core/ports.ts'
import { loadNodes } from '../../graph/nodes.ts'
import type { Observer } from '../../graph/run-graph.ts'
import { createRedactor } from '../../text/secrets/redact.ts'
import { observeSession } from '../observe/observe-session.ts'
import { cacheDirectory } from '../own-directory.ts'
import { secretsOfEnvironment } from '../redact/known-secrets.ts'
import { redactOutgoing } from '../redact/redact-outgoing.ts'
import { redactStore } from '../redact/redact-ports.ts'
import { openWorkspace } from './local-workspace.ts'

/** Ports and what has to be closed after them. */
export interface Session {
  readonly ports: Ports
  /** Takes notes of a run's steps: to be told of them besides whoever shows them. */
  readonly observer: Observer
  /** Where `report.md` is after a run. */
  readonly reportPath: string
  /** For what is said elsewhere than through the ports: a log, an annotation. */
  redact(text: string): string
  close(): Promise<void>
}

/**
 * The ports of a run on a laptop: the user's own repository, branches instead of pull
 * requests, the terminal as the person to ask, `.executor/` for state and reports.
 */
export async function composeLocal(options: {
  readonly root: string
  /** The repository at `root`, where the caller has looked at it. */
  readonly repository?: UsersRepository
  readonly settings: Settings
  readonly apiKey: string
  readonly isTTY: boolean
  readonly dryRun: boolean
  readonly signal: AbortSignal
}): Promise<Session> {
  const { root, settings, apiKey, signal } = options
  const directory = join(root, '.executor')
  const secrets = secretsOf(apiKey)
  const redact = createRedactor(secrets)
  const machine = openMachine({
    settings,
    apiKey,
    signal,
    redact,
    cache: cacheDirectory(),
    checkout: root,
  })
  const { clock } = machine.ports
  const keepAnswers = settings.state.answers !== 'off'
  const files = createFileStore({ directory, clock, keepAnswers })
  const lock = options.dryRun ? null : await files.acquireLock()
  if (!options.dryRun) await files.prune(settings.state.retentionDays)
  const { store, effects } = recordEffects(redactStore(files, secrets), {
    redact,
    note: () => {},
  })
  // What a dry run needs on a disk is gone when it ends.
  const passing = options.dryRun ? await mkdtemp(join(tmpdir(), 'executor-dry-run-')) : undefined
  const workspace = await openWorkspace(root, settings, clock, {
    home: passing,
    effects,
    repository: options.repository,
  })
  const ports: Ports = {
    ...machine.ports,
    forge: createLocalForge(),
    workspace,
    store,
    memory: createFileMemory({ directory, clock }),
    leases: soleLeases,
    person: createTerminalPerson({
      input: process.stdin,
      output: process.stderr,
      isTTY: options.isTTY,
    }),
  }
  const observation = observeSession(ports, {
    directory: options.dryRun ? null : directory,
    redact,
    telemetry: await openTelemetry(process.env),
  })
  return {
    ports: redactOutgoing(observation.ports, secrets),
    observer: observation.observer,
    reportPath: join(directory, 'report.md'),
    redact,
    async close() {
      await observation.close()
      await Promise.all([machine.close(), lock?.release()])
      if (passing === undefined) return
      // Tests that nobody waits for any more may still write.
      const patience = { maxRetries: 10, retryDelay: 100 }
      await rm(passing, { recursive: true, force: true, ...patience })
    },
  }
}

/** The ports that are the same wherever it runs, and what closes them. */
export function openMachine(given: {
  readonly settings: Settings
  readonly apiKey: string
  readonly signal: AbortSignal
  readonly redact: (text: string) => string
  /** Where dependencies are kept. */
  readonly cache: string
  readonly checkout: string | null
}) {
  const { settings, apiKey, signal, redact, cache, checkout } = given
  const clock = createSystemClock()
  const random = createSystemRandom()
  const syntax = createWasmSyntaxChecker()
  const { baseUrl } = settings.model
  const asked = { baseUrl, apiKey, settings: settings.model, clock, random, signal }
  const sandbox = createProcessSandbox({
    mode: settings.sandbox.mode,
    memoryMegabytes: settings.verify.memoryMegabytes,
    cacheDirectory: join(cache, 'dependencies'),
    checkout,
    redact,
  })
  const model = loadAhead(createOpenAIModel(asked), loadNodes)
  const ports = { model, sandbox, syntax, clock, random, settings }
  return { ports, close: () => syntax.close() }
}

/** What the SDK is given for a server that asks for no key. */
const noKey = 'none'

/** The key, if it is one, and the secrets of the environment that the run is started in. */
export const secretsOf = (apiKey: string): readonly string[] => [
  ...(apiKey === noKey ? [] : [apiKey]),
  ...secretsOfEnvironment(process.env),
]

/** The key for this endpoint. @throws ExecutorError `no_model`, `no_api_key` */
export function findApiKey(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (settings.model.name === '') throw new ExecutorError('no_model')
  const key = environment.OPENAI_API_KEY ?? ''
  if (key !== '') return key
  // A server of one's own usually asks for none; the SDK wants a value all the same.
  if (new URL(settings.model.baseUrl).hostname !== 'api.openai.com') return noKey
  throw new ExecutorError('no_api_key', settings.model.baseUrl)
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
