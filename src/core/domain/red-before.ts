import { type Tried, triedSchema } from '../../../packages/diagnosis/diagnosis.ts'
import type { Receipt } from '../../../packages/judge/judge.ts'
import type { Stored } from '../../../packages/text/text.ts'
import { nodeSchema } from './steps.ts'

/**
 * The red part of a suite before the change: its counts, or the command that runs no test, before as after. An accept
 * command is red before a change that is right, so a command alone counts only where nothing was verified.
 *
 * @returns `null` for a suite that was green or did not run
 */
export function redBefore({
  result,
  before,
  commands,
}: Pick<Receipt, 'result' | 'before' | 'commands'>): Receipt['before'] | Receipt['commands'][0] {
  if (before !== null && before.failed + before.passed > 0) return before.failed > 0 ? before : null
  const isBlocked = ({ before: start, exitCode }: Receipt['commands'][0]) =>
    start != null && start.counts === null && start.exitCode !== 0 && exitCode !== 0
  return result === 'unverified' ? (commands.find(isBlocked) ?? null) : null
}

/** A remedy that a node tried in an attempt. */
export const triedRemedySchema = triedSchema.extend({ node: nodeSchema })

export type TriedRemedy = Stored<typeof triedRemedySchema>

/** Records the judge's tries as those of a node. */
export const triesOf = (
  node: TriedRemedy['node'],
  tried: readonly Tried[],
): readonly TriedRemedy[] => tried.map((each) => ({ ...each, node }))
