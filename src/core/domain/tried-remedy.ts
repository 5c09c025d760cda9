import { type Tried, triedSchema } from '../../../packages/diagnosis/diagnosis.ts'
import type { Stored } from '../../../packages/text/text.ts'
import { nodeSchema } from './steps.ts'

/** A remedy that a node tried in an attempt. */
export const triedRemedySchema = triedSchema.extend({ node: nodeSchema })

export type TriedRemedy = Stored<typeof triedRemedySchema>

/** Records the judge's tries as those of a node. */
export const triesOf = (
  node: TriedRemedy['node'],
  tried: readonly Tried[],
): readonly TriedRemedy[] => tried.map((each) => ({ ...each, node }))
