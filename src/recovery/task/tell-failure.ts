import type { Attempt } from '../../core/domain/attempt.ts'
import { shortenFile } from '../../model/prompts/compose-prompt.ts'

/** In characters: less than 200 tokens. */
const longest = 600

/**
 * Why an attempt failed, for the next attempt at the same task; empty when unknown. What a model said of it is left
 * out: the next prompt holds facts, and the kind that the model chose.
 */
export function tellFailure({ failure, classification, broken }: Attempt): string {
  const test = broken[0] ?? failure?.failures[0]
  const facts = [
    causeOf(classification),
    failure?.message ?? '',
    test === undefined ? '' : `${test.test}: ${test.message}`,
  ].map((fact) => fact.replaceAll(/\s+/g, ' ').trim())
  const told = facts.filter(
    (fact, at) =>
      fact !== '' && !facts.some((other, index) => index !== at && says(other, fact, index < at)),
  )
  return told.length === 0
    ? ''
    : shortenFile(`An earlier attempt at this task failed. ${told.join(' ')}`, longest)
}

function causeOf(classification: Attempt['classification']): string {
  const { by = 'none', reason = 'unknown', explanation = '' } = classification ?? {}
  if (by !== 'model') return explanation
  return reason === 'unknown' ? '' : `It was judged ${reason.replaceAll('_', ' ')}.`
}

/** Whether one text contains all of the other; of two equal texts the first stays. */
const says = (text: string, other: string, isEarlier: boolean): boolean =>
  text.includes(other) && (text !== other || isEarlier)
