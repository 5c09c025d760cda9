import type { ModelScript } from '../../../packages/github-simulator/model/model-script.ts'
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../../packages/github-simulator/model/start-model-server.ts'
import { createOpenAIModel } from '../../../src/adapters/openai-model.ts'
import type { Clock } from '../../../src/core/ports/clock.ts'
import type { AnswerProgress, Model, ModelRequest } from '../../../src/core/ports/model.ts'
import { contractNow } from '../../contracts/model.ts'
import { createFakeClock, type FakeClock } from '../../fakes/fake-clock.ts'

export const apiKey = 'sk-very-secret-0123456789'

export const question: ModelRequest = {
  purpose: 'draft',
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'Write a function that adds two numbers.' }],
  maxOutputTokens: 2000,
  json: false,
}

/** What to close after a test. */
export const closers: (() => Promise<void>)[] = []

interface Setup {
  readonly server: ModelServer
  readonly model: Model
  readonly clock: FakeClock
  readonly heard: AnswerProgress[]
}

/** A scripted server and a model that asks it. */
export async function start(
  script: ModelScript,
  options: Omit<ModelServerOptions, 'script'> & { readonly stallSeconds?: number } = {},
): Promise<Setup> {
  const server = await startModelServer({ script, ...options })
  closers.push(() => server.close())
  return { server, ...connect(server.url, options) }
}

/** A model that asks the endpoint at this URL, on a clock that lets no time pass. */
export function connect(
  baseUrl: string,
  options: {
    readonly stallSeconds?: number
    readonly signal?: AbortSignal
    readonly key?: string
    readonly sleep?: Clock['sleep']
  } = {},
): Omit<Setup, 'server'> {
  const clock = createFakeClock(contractNow)
  const heard: AnswerProgress[] = []
  const asked = createOpenAIModel({
    baseUrl,
    apiKey: options.key ?? apiKey,
    settings: {
      name: 'gpt-4o-mini',
      fallback: '',
      baseUrl,
      maxOutputTokens: 2000,
      temperature: 0,
      form: null,
      firstByteSeconds: null,
      stallSeconds: options.stallSeconds ?? 30,
      timeoutSeconds: 50,
      prices: {},
    },
    clock: options.sleep ? { ...clock, sleep: options.sleep } : clock,
    random: { hex: (length) => '0'.repeat(length), fraction: () => 0.5 },
    signal: options.signal ?? new AbortController().signal,
  })
  const model: Model = {
    ...asked,
    complete: (request) =>
      asked.complete({ ...request, heard: (progress) => void heard.push(progress) }),
  }
  return { model, clock, heard }
}
