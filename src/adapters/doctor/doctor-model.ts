import { closestName, parseJson } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { totalTokens, type Usage } from '../../core/domain/usage.ts'
import { Endpoint, NoAnswer } from '../openai/endpoint.ts'
import type { ModelFailure } from '../openai/read-failure.ts'
import { isListed, readModelList, readWindow } from '../openai/read-window.ts'
import { type DoctorCheck, fail, ok, warn } from './check.ts'

export interface ModelCheckOptions {
  readonly settings: Settings['model']
  readonly apiKey: string
  /** Whether to call the model, or only to look it up. */
  readonly asks: boolean
}

/** The result of `GET /models`. */
type Lookup =
  | { readonly kind: 'listed'; readonly models: readonly string[] }
  /** The endpoint answers but has no list, which is common. */
  | { readonly kind: 'unknown'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly why: string }

const name = 'model'
const mostTokens = 16
const lookupSeconds = 10
const callSeconds = 60
const mostNamed = 5

/** Looks the model up, and calls it once as a run does, for at most 16 tokens. */
export async function checkModel(options: ModelCheckOptions): Promise<DoctorCheck> {
  const lookup = await lookUp(options)
  if (lookup.kind === 'unreachable') {
    const detail = `${options.settings.baseUrl} cannot be reached (${lookup.why})`
    return fail(name, detail, 'Check --base-url and that the server runs.')
  }
  const [check, window] = await Promise.all([
    options.asks ? call(options, lookup) : judgeLookup(options, lookup),
    lookUpWindow(options),
  ])
  if (check.status !== 'ok' || window === null) return check
  const tokens = window.toLocaleString('en')
  return { ...check, detail: `${check.detail}; its context window is ${tokens} tokens` }
}

/** `null` where the endpoint does not say. */
const lookUpWindow = ({ settings, apiKey }: ModelCheckOptions): Promise<number | null> => {
  const signal = AbortSignal.timeout(lookupSeconds * 1000)
  return readWindow(settings.name, { baseUrl: settings.baseUrl, apiKey, signal })
}

async function lookUp({ settings, apiKey }: ModelCheckOptions): Promise<Lookup> {
  try {
    const answer = await fetch(`${settings.baseUrl.replace(/\/$/, '')}/models`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(lookupSeconds * 1000),
    })
    const { status } = answer
    if (status === 401 || status === 403) return { kind: 'refused', status }
    const list = readModelList(parseJson(await answer.text()))
    if (!answer.ok || list === null) return { kind: 'unknown', status }
    return { kind: 'listed', models: list.map(({ id }) => id) }
  } catch (error) {
    return { kind: 'unreachable', why: reasonOf(error) }
  }
}

/** `fetch` hides the code in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== ''
    ? error.cause.message
    : error.message
}

function judgeLookup({ settings }: ModelCheckOptions, lookup: Lookup): DoctorCheck {
  const { baseUrl, name: model } = settings
  if (lookup.kind === 'refused') return keyRefused(baseUrl, lookup.status)
  if (lookup.kind !== 'listed') {
    const next = 'Run executor doctor without --no-model to call it.'
    return warn(name, `${baseUrl} answers; it does not say whether it has ${model}`, next)
  }
  return isListed(model, lookup.models)
    ? ok(name, `${baseUrl} answers and has ${model}`)
    : notThere(model, baseUrl, lookup)
}

async function call(options: ModelCheckOptions, lookup: Lookup): Promise<DoctorCheck> {
  const { settings, apiKey } = options
  const { baseUrl, name: model } = settings
  const limits = { timeoutSeconds: callSeconds, stallSeconds: callSeconds, firstByteSeconds: null }
  const endpoint = new Endpoint({
    ...{ baseUrl, apiKey, settings: { ...settings, ...limits } },
    signal: new AbortController().signal,
  })
  let tokens = 0
  const started = performance.now()
  try {
    const messages = [{ role: 'user', content: 'Answer with the one word: ok' }] as const
    const request = { model, messages, maxOutputTokens: mostTokens, json: false }
    await endpoint.send({ ...request, purpose: 'doctor' }, (usage: Usage) => {
      tokens += totalTokens(usage)
    })
  } catch (error) {
    const failure = failureOf(error)
    if (failure === null) throw error
    if (!isAnswerCut(failure)) return judgeFailure(failure, options, lookup)
  }
  const seconds = (performance.now() - started) / 1000
  const unlisted =
    lookup.kind === 'listed' && !isListed(model, lookup.models)
      ? ', though its list of models does not name it'
      : ''
  const took = `${seconds.toFixed(1)} s, ${tokens} tokens`
  return ok(name, `${model} at ${baseUrl} answers (${took})${unlisted}`)
}

function failureOf(error: unknown): ModelFailure | null {
  if (error instanceof NoAnswer) return error.failure
  const { cause } = error instanceof ExecutorError ? error : { cause: null }
  return isFailure(cause) ? cause : null
}

const isFailure = (cause: unknown): cause is ModelFailure =>
  typeof cause === 'object' && cause !== null && 'reason' in cause && 'passing' in cause

/**
 * A model that reasons first has too few tokens to answer, which some endpoints report as an error.
 */
const isAnswerCut = ({ status, reason }: ModelFailure): boolean =>
  status === 400 &&
  /output limit was reached|max(?:imum)?[_ ](?:completion_)?tokens.*reached/i.test(reason)

function judgeFailure(
  { status, reason, passing }: ModelFailure,
  { settings }: ModelCheckOptions,
  lookup: Lookup,
): DoctorCheck {
  const { baseUrl, name: model } = settings
  const said = reason.replace(/\s+/g, ' ').slice(0, 200)
  if (status === 401 || status === 403) return keyRefused(baseUrl, status)
  const isMissing = lookup.kind === 'listed' && !isListed(model, lookup.models)
  if (isMissing || (status === 404 && /model/i.test(reason))) {
    return notThere(model, baseUrl, lookup)
  }
  if (passing) {
    const next = 'This may be temporary: try again. A run waits and retries, too.'
    return warn(name, `${baseUrl} does not answer now: it ${said}`, next)
  }
  return fail(
    name,
    `${baseUrl} rejects a request for ${model}: it ${said}`,
    'Check --base-url and --model.',
  )
}

const keyRefused = (baseUrl: string, status: number): DoctorCheck =>
  fail(
    name,
    `${baseUrl} rejects the key (${status})`,
    'Check OPENAI_API_KEY: it may be missing, expired, mistyped, or for another endpoint.',
  )

function notThere(model: string, baseUrl: string, lookup: Lookup): DoctorCheck {
  const detail = `${baseUrl} has no model ${model}`
  if (lookup.kind !== 'listed') return fail(name, detail, 'Check --model.')
  const { models } = lookup
  const meant = closestName(model, models)
  const guess = meant === null ? '' : `Did you mean ${meant}? `
  const more = models.length > mostNamed ? ` and ${models.length - mostNamed} more` : ''
  const list = models.length === 0 ? 'no models' : models.slice(0, mostNamed).join(', ')
  return fail(name, detail, `${guess}It lists ${list}${more}.`)
}
