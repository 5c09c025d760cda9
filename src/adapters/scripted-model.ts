import { estimatePromptTokens, estimateTokens } from '../../packages/text/text.ts'
import { ExecutorError } from '../core/domain/errors.ts'
import { noUsage, type Usage } from '../core/domain/usage.ts'
import type { Model, ModelReply, ModelRequest } from '../core/ports/model.ts'

/** An answer, a fault of the endpoint, or a function that reads the request. */
export type ScriptedReply =
  | string
  | {
      readonly text: string
      readonly finish?: 'stop' | 'length'
      readonly why?: string
      readonly runaway?: true
      readonly usage?: Usage
    }
  | { readonly unavailable: string; readonly retryAt?: string; readonly usage?: Usage }
  | { readonly rejected: string }
  /** Unavailable, unless the request ends when the endpoint is silent. */
  | { readonly silent: string }
  | { readonly tooLarge: string; readonly window?: number; readonly promptTokens?: number }
  | ((request: ModelRequest) => ScriptedReply)

export interface ScriptedModel extends Model {
  /** Those that came so far. */
  readonly requests: readonly ModelRequest[]
}

/** A model for tests: gives these answers in order. One request too many is a plain error. */
export function createScriptedModel(replies: readonly ScriptedReply[]): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    requests,
    async complete(request) {
      const reply = replies[requests.length]
      requests.push(request)
      if (reply === undefined) {
        throw new Error(`No answer for model request ${requests.length} (${request.purpose}).`)
      }
      return toReply(reply, request)
    },
  }
}

function toReply(reply: ScriptedReply, request: ModelRequest): ModelReply {
  if (typeof reply === 'function') return toReply(reply(request), request)
  if (typeof reply === 'string') return toReply({ text: reply }, request)
  if ('rejected' in reply) throw new ExecutorError('model_rejected', reply.rejected)
  if ('silent' in reply) {
    const { silent: reason } = reply
    const usage: Usage = { ...noUsage, requests: 1 }
    return request.endsWhenSilent
      ? { status: 'silent', reason, usage }
      : { status: 'unavailable', reason, retryAt: null, usage }
  }
  if ('unavailable' in reply) {
    const { unavailable: reason, retryAt = null } = reply
    const usage = reply.usage ?? { ...noUsage, requests: 1 }
    return { status: 'unavailable', reason, retryAt, usage }
  }
  if ('tooLarge' in reply) {
    const { tooLarge: reason, window = null, promptTokens = null } = reply
    return { status: 'too_large', reason, window, promptTokens, usage: { ...noUsage, requests: 1 } }
  }
  const { text, finish = 'stop', why, runaway } = reply
  const counted: Usage = {
    requests: 1,
    promptTokens: estimatePromptTokens(request.messages),
    completionTokens: estimateTokens(text),
    dollars: 0,
  }
  const usage = reply.usage ?? counted
  return {
    status: 'answered',
    text,
    finish,
    usage,
    ...(why && { why }),
    ...(runaway && { runaway }),
  }
}
