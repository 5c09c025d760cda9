import { estimateTokens } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'

/** Tokens of the section of what earlier tasks made, its heading included. */
const mostTokens = 150

const withHeading = (facts: string): string => `EARLIER\n${facts}`

/** True when a prompt has room for these facts. */
export const hasRoomFor = (facts: string): boolean =>
  estimateTokens(withHeading(facts)) <= mostTokens

/** The section of a prompt; empty without facts, and for facts that a saved state cannot have from here. */
export function showRecalled({ recalled = '' }: Pick<Attempt, 'recalled'>): string {
  const isOurs = hasRoomFor(recalled) && !/[^\P{C}\n]/u.test(recalled)
  return recalled === '' || !isOurs ? '' : withHeading(recalled)
}
