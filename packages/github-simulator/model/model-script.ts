/**
 * What a scripted model says: a list of answers and rules.
 *
 * A request takes the next answer of the first rule that matches it; when no rule does, the next of
 * the bare answers, in the order of the list. A rule's last answer repeats, unless it says
 * `usedUp: 'error'`. Bare answers are used once each. A request with no answer left is refused with
 * 400, so that one request too many shows at once.
 */
export type ModelScript = readonly (ScriptedAnswer | ScriptedRule)[]

export interface ScriptedRule {
  /** All given parts must match; none matches everything. */
  readonly when: RequestMatch
  readonly answers: readonly ScriptedAnswer[]
  readonly usedUp?: 'repeat' | 'error'
}

export interface RequestMatch {
  /** What the answer is for: plan, draft, repair_code, repair_test, classify, recover. */
  readonly purpose?: string
  readonly model?: string
  /** Found anywhere in the messages. */
  readonly contains?: string | RegExp
  /** A task's id, as a word of its own in the messages. */
  readonly task?: string
  /** SHA-256 of model and messages, as recordings have it. */
  readonly hash?: string
}

/** Text, text with circumstances, or a function that looks at the request first. */
export type ScriptedAnswer =
  | string
  | ScriptedReply
  | ((request: RecordedModelRequest) => string | ScriptedReply)

export interface ScriptedReply {
  readonly text?: string
  /** The tools that the model wants to have called, after its text. */
  readonly toolCalls?: readonly ScriptedToolCall[]
  readonly finish?: 'stop' | 'length'
  /** What goes wrong with this answer; the next request gets the next answer. */
  readonly fault?: Fault
  /** Reported instead of the estimate. */
  readonly usage?: ScriptedUsage
}

export interface ScriptedToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface ScriptedUsage {
  readonly promptTokens: number
  readonly completionTokens: number
}

export type Fault =
  /** The connection breaks after so many characters; half of the text when not said. */
  | { readonly kind: 'truncate'; readonly after?: number }
  /** An OpenAI error body. `retryAfter` becomes the header: seconds, or an HTTP date. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly message?: string
      readonly code?: string
      readonly retryAfter?: number | string
    }
  /** Nothing is sent for so many seconds, before the answer or after so many characters of it. */
  | { readonly kind: 'slow'; readonly seconds: number; readonly after?: number }
  /** Status 200 and broken JSON. */
  | { readonly kind: 'garbage' }
  /** Status 200 and a web page, as proxies send it. */
  | { readonly kind: 'html' }
  /** The connection breaks before a byte is sent. */
  | { readonly kind: 'drop' }
  /** A well-formed answer without text. */
  | { readonly kind: 'empty' }
  /** The text again and again, until the client hangs up. */
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
