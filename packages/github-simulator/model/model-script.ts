/**
 * The script of a model: a list of answers and rules.
 *
 * A request takes the next answer of the first rule that matches it, otherwise the next bare
 * answer, in the order of the list. A rule's last answer repeats, unless the rule says `usedUp:
 * 'error'`. Each bare answer is used once. A request without an answer is refused with 400, so that
 * one request too many is noticed at once.
 */
export type ModelScript = readonly (ScriptedAnswer | ScriptedRule)[]

export interface ScriptedRule {
  /** All given parts must match; an empty rule matches everything. */
  readonly when: RequestMatch
  readonly answers: readonly ScriptedAnswer[]
  readonly usedUp?: 'repeat' | 'error'
}

export interface RequestMatch {
  /** The purpose of the answer: plan, draft, repair_code, repair_test, classify, recover. */
  readonly purpose?: string
  readonly model?: string
  /** Found anywhere in the messages. */
  readonly contains?: string | RegExp
  /** A task's id, as a word of its own in the messages. */
  readonly task?: string
  /** SHA-256 of model and messages, as recordings have it. */
  readonly hash?: string
}

/** Text, text with options, or a function of the request. */
export type ScriptedAnswer =
  | string
  | ScriptedReply
  | ((request: RecordedModelRequest) => string | ScriptedReply)

export interface ScriptedReply {
  readonly text?: string
  /** The tool calls after the text. */
  readonly toolCalls?: readonly ScriptedToolCall[]
  readonly finish?: 'stop' | 'length'
  /** The fault of this answer; the next request gets the next answer. */
  readonly fault?: Fault
  /** Reported instead of the estimate. */
  readonly usage?: ScriptedUsage
}

export interface ScriptedToolCall {
  readonly name: string
  /** Text is sent as it is, as from a model whose JSON is broken or cut. */
  readonly arguments: Readonly<Record<string, unknown>> | string
}

export interface ScriptedUsage {
  readonly promptTokens: number
  readonly completionTokens: number
}

export type Fault =
  /** Closes the connection after this many characters; by default after half of the text. */
  | { readonly kind: 'truncate'; readonly after?: number }
  /** An OpenAI error body. `retryAfter` becomes the header: seconds, or an HTTP date. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly message?: string
      readonly code?: string
      readonly retryAfter?: number | string
    }
  /** Sends nothing for this many seconds, before the answer or after `after` characters of it. */
  | { readonly kind: 'slow'; readonly seconds: number; readonly after?: number }
  /** Status 200 and broken JSON. */
  | { readonly kind: 'garbage' }
  /** Status 200 and a web page, as proxies send it. */
  | { readonly kind: 'html' }
  /** Closes the connection before the first byte. */
  | { readonly kind: 'drop' }
  /** A well-formed answer without text. */
  | { readonly kind: 'empty' }
  /** Repeats the text until the client closes the connection. */
  | { readonly kind: 'endless' }

/** One request as the server understood it, the same whichever API it was made to. */
export interface RecordedModelRequest {
  /** Each call of a tool is a message of the assistant's, each result one of the role `tool`. */
  readonly messages: readonly RecordedMessage[]
  /** What the model is offered to call. */
  readonly tools: readonly OfferedTool[]
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
  /** From the `x-executor-purpose` header. */
  readonly purpose: string | null
  readonly maxTokens: number | null
  readonly json: boolean
  /** ISO time. */
  readonly at: string
  readonly promptTokens: number
}

export interface OfferedTool {
  readonly name: string
  /** The whole definition, as JSON: the model reads it as a part of its prompt. */
  readonly definition: string
}

export interface RecordedMessage {
  readonly role: string
  readonly content: string
}
