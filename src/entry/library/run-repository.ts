import { findRepository } from '../../adapters/user-checkout.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Forge } from '../../core/ports/forge.ts'
import type { Ports } from '../../core/ports.ts'
import type { Report } from '../../publish/report/build-report.ts'
import { findApiKey } from '../compose/compose.ts'
import { settingsInRepository } from '../config/resolve-in-repository.ts'
import type { RunEvent } from '../events/event-schema.ts'
import { runInProcess } from '../run-in-process.ts'
import type { RunRoadmapOptions } from './options.ts'

/** `runRoadmap` of the library. */
export async function runRepository(options: RunRoadmapOptions): Promise<Report> {
  const { tasks, fresh, dryRun = false, onEvent } = options
  const repository = await findRepository(options.repository ?? process.cwd())
  const { settings, apiKey } = await readSettings(repository.root, options)
  const { signal, emit, check } = listen(options.signal, onEvent)
  const { report } = await runInProcess({
    ...{ repository, settings, apiKey, signal, task: tasks, fresh, dryRun, isTTY: false },
    ...{ emit, ...bindPorts(options) },
  })
  check()
  return report
}

async function readSettings(
  root: string,
  { settings: given = {}, person, model, dryRun, apiKey }: RunRoadmapOptions,
): Promise<{ readonly settings: Settings; readonly apiKey: string }> {
  const environment = process.env
  const approvalMode = person === undefined ? 'review_only' : 'interactive'
  const settings = await settingsInRepository(root, { flags: given, environment, approvalMode })
  if (!settings.enabled) throw new ExecutorError('switched_off')
  if (dryRun) return { settings, apiKey: 'none' }
  if (model === undefined) {
    const known = apiKey === undefined ? environment : { ...environment, OPENAI_API_KEY: apiKey }
    return { settings, apiKey: findApiKey(settings, known) }
  }
  // A model of the caller needs no name and no key; what it reads is masked as usual.
  const named = { ...settings.model, name: settings.model.name || 'custom' }
  return { settings: { ...settings, model: named }, apiKey: apiKey ?? 'none' }
}

/** An error of the caller's listener stops the run as a cancel does, and is thrown at its end. */
function listen(given: AbortSignal | undefined, onEvent: RunRoadmapOptions['onEvent']) {
  const own = new AbortController()
  const signal = given === undefined ? own.signal : AbortSignal.any([given, own.signal])
  const emit = (event: RunEvent) => {
    if (own.signal.aborted) return
    try {
      onEvent?.(event)
    } catch (error) {
      own.abort(error)
    }
  }
  return { signal, emit: onEvent && emit, check: () => own.signal.throwIfAborted() }
}

/** All that a caller's forge has, also where it is an instance of a class, whose methods cannot be listed. */
const forgeMembers: Readonly<Record<keyof Forge, true>> = {
  ...{ kind: true, runLog: true, pullRequests: true, pullRequest: true, upsertPullRequest: true },
  ...{ upsertComment: true, upsertReviewComment: true, merge: true, checks: true, close: true },
  ...{ retarget: true, label: true, upsertIssue: true },
}

function bindPorts({ model, forge, person }: RunRoadmapOptions): Partial<Ports> {
  return {
    ...(model && { model: { complete: (request) => model.complete(request) } }),
    ...(person && {
      person: {
        get present() {
          return person.present
        },
        ask: (question) => person.ask(question),
      },
    }),
    ...(forge && { forge: bindForge(forge) }),
  }
}

function bindForge(forge: Forge): Forge {
  const members = Object.keys(forgeMembers).flatMap((name) => {
    const member: unknown = Reflect.get(forge, name)
    if (member === undefined) return []
    return [[name, typeof member === 'function' ? member.bind(forge) : member]]
  })
  return Object.fromEntries(members) as Forge
}
