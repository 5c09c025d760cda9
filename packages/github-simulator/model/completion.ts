import type { ScriptedToolCall, ScriptedUsage } from './model-script.ts'

/** A finished answer, before it takes the shape of a protocol. */
export interface Completion {
  /** Which answer of the server it is, from 1; identifiers are made of it. */
  readonly number: number
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
  readonly text: string
  readonly toolCalls: readonly ScriptedToolCall[]
  readonly finish: 'stop' | 'length'
  readonly usage: ScriptedUsage | null
}

/** The texts of a streamed answer's events, joined; those of the answer's text are one by one. */
export interface StreamedCompletion {
  readonly opening: string
  /** One for each piece of the text. */
  readonly deltas: readonly string[]
  readonly ending: string
}

/** Some twenty characters a piece, about five tokens. */
const piece = /[\s\S]{1,20}/gu

/** Cuts a text into what a stream sends at a time. */
export const cutIntoPieces = (text: string): readonly string[] => text.match(piece) ?? []

/** The arguments of a call as they are sent. */
export const argumentsOf = ({ arguments: given }: ScriptedToolCall): string =>
  typeof given === 'string' ? given : JSON.stringify(given)

/** The text of an event that has a name, as Responses and Messages send them. */
export const formatNamedEvent = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
