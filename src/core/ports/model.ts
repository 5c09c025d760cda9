import type { MeasuredForms } from '../domain/calibration.ts'
import type { Usage } from '../domain/usage.ts'

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** A tool that the model may call. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** A JSON Schema of the arguments, which are an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface ModelRequest {
  /** The purpose of the answer; appears in metrics and lets a scripted model distinguish calls. */
  readonly purpose:
    | 'normalize'
    | 'plan'
    | 'draft'
    | 'repair_code'
    | 'repair_test'
    | 'classify'
    | 'recover'
    | 'correct'
    | 'think'
    | 'reflect'
    | 'choose_plan'
    | 'agent'
    | 'doctor'
    | 'calibrate'
  readonly model: string
  readonly messages: readonly Message[]
  /** 1, 2, … draws another answer to the same messages at a higher temperature; 0 when not said. */
  readonly sample?: number
  readonly maxOutputTokens: number
  /** How often an answer cut at that length may be continued, for another such answer each; 2 when not said. */
  readonly continuations?: number
  /** Ask for one JSON object where the endpoint can; the caller validates in any case. */
  readonly json: boolean
  /**
   * Tools to offer in the endpoint's own form, where it has one. A call becomes a part of the text, behind the rest: a
   * fence of JSON with `{"tool": name, "arguments": {…}}`. Arguments that are not JSON are a string there, and a call
   * that the length cut ends the text without the end of its fence.
   */
  readonly tools?: readonly ToolDefinition[]
  /**
   * A silent endpoint ends the call as `silent` instead of being asked the same again: the caller asks for less.
   */
  readonly endsWhenSilent?: boolean
  /** Receives the progress of the answer; the result does not depend on it. */
  readonly heard?: (progress: AnswerProgress) => void
}

export type AnswerProgress =
  /** A slow server reads the prompt, in about `seconds` if its speed is known; nothing comes before. */
  | { readonly kind: 'reading'; readonly tokens: number; readonly seconds: number | null }
  /** Characters received so far, in all continuations and including what a reasoning model thinks aloud. */
  | { readonly kind: 'received'; readonly characters: number }
  /** The endpoint did not answer; the next try is in `seconds`. */
  | { readonly kind: 'retrying'; readonly seconds: number; readonly reason: string }

/** The endpoint did not answer, and was asked again after `seconds`. */
export interface EndpointWait {
  readonly reason: string
  readonly seconds: number
}

export type ModelReply = {
  readonly usage: Usage
  /** Why the endpoint had to be asked again before this: overload, silence, a broken answer. */
  readonly setbacks?: readonly EndpointWait[]
} & (
  | {
      readonly status: 'answered'
      /** May be empty. A cut answer was already continued as far as the limit allows. */
      readonly text: string
      /** `length`: the text is a part, whatever ended it. */
      readonly finish: 'stop' | 'length'
      /** Why the text is empty or a part, where the endpoint says: a filter, a refusal, only reasoning. */
      readonly why?: string
      /** The model repeated itself or wrote far more than allowed, and was cut off: the answer cannot be used. */
      readonly runaway?: true
      /** Tokens of a prompt that the server reads in a second, where it is nearby and that was measured. */
      readonly promptSpeed?: number
    }
  /** For now: rate limit, overload, network. `retryAt` is ISO time when the endpoint named one. */
  | { readonly status: 'unavailable'; readonly reason: string; readonly retryAt: string | null }
  /** No data came before the timeout; only of a request that `endsWhenSilent`. */
  | { readonly status: 'silent'; readonly reason: string }
  /**
   * More than the model can read. `window`: tokens that a request may have with its answer;
   * `promptTokens`: those of this request. Each `null` where the endpoint does not say.
   */
  | {
      readonly status: 'too_large'
      readonly reason: string
      readonly window: number | null
      readonly promptTokens: number | null
    }
  /** A dry run's answer: what the call would have cost. */
  | { readonly status: 'withheld' }
)

/** The SDK's key for a server that needs none. */
export const noKey = 'none'

export interface Model {
  /** @throws ExecutorError `model_rejected` when no retry can help (401, 404, 400). */
  complete(request: ModelRequest): Promise<ModelReply>
  /**
   * Tokens that a request may have with its answer, as a server on this machine or its private network says at once;
   * `null` where it does not, and for any other endpoint, which is not asked. Never throws.
   */
  window?(model: string): Promise<number | null>
  /**
   * Whether the endpoint takes the key, at no cost.
   *
   * @throws ExecutorError `model_rejected`
   */
  tryKey?(): Promise<void>
  /** By model of this endpoint, how usable its answers were in each form, as `executor calibrate` measured. Never throws. */
  forms?(): Promise<Readonly<Record<string, MeasuredForms>>>
}
