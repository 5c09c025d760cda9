import type { Completion, StreamedCompletion } from './completion.ts'
import type { ModelRequestReading } from './request-parameters.ts'

/** One of the APIs that the server speaks: how it is asked, and how it answers. */
export interface Dialect {
  /** Reads the parsed body of a request. */
  readonly readRequest: (body: unknown) => ModelRequestReading
  /** The answer to a request without `stream`. */
  readonly formatWhole: (completion: Completion) => object
  /** The answer in events, its text cut into the given pieces. */
  readonly formatStream: (
    completion: Completion,
    pieces: readonly string[],
    includeUsage: boolean,
  ) => StreamedCompletion
  readonly formatRefusal: (refusal: Refusal) => object
}

export interface Refusal {
  readonly status: number
  readonly message: string
  /** What OpenAI calls the kind of error; an invalid request when not said. */
  readonly type?: string
  readonly param: string | null
  readonly code: string | null
}
