import { clip, createDataMask, stripHidden } from '../../../packages/text/text.ts'
import type { RunEvent } from './event-schema.ts'

/** The most UTF-16 units of a text in an event, and the most items of a list. */
export const longestText = 1000
export const longestList = 20

/**
 * Prepares an event for another program: without hidden characters and secrets, and of limited size. Hidden characters
 * go first, since they could split a secret, and the cut comes last, since it could halve one.
 */
export function cleanEvent(event: RunEvent, redact: (text: string) => string): RunEvent {
  const mask = createDataMask((text) => clip(redact(inOneLine(text)), longestText))
  return mask(withShortLists(event))
}

/** JSON escapes a line feed, and leaves the other characters at which some readers end a line. */
const inOneLine = (text: string): string =>
  stripHidden(text, 'plain').text.replaceAll(/[\u2028\u2029]/g, '\n')

function withShortLists(event: RunEvent): RunEvent {
  if (event.type === 'question') {
    return { ...event, choices: event.choices.slice(0, longestList) }
  }
  if (event.type !== 'run_ended') return event
  const { limits, errors } = event
  return { ...event, limits: limits.slice(0, longestList), errors: errors.slice(0, longestList) }
}
