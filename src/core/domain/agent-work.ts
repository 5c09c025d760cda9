import { z } from 'zod'
import { fileChangeSchema } from '../../../packages/change/change.ts'
import { maybeText, object, type Stored, text, texts } from '../../../packages/text/text.ts'

/** What a session of an agent left: kept in the journal as its answer. */
export const agentWorkSchema = object({
  /** The difference of its folder from the start commit. */
  changes: z.array(fileChangeSchema),
  /** The agent's last words. */
  summary: text,
  /** What its folder had that a change set cannot hold, and other remarks, in sentences. */
  notes: texts,
  /** Why the session is of no use; `null` for one that ended well. */
  problem: maybeText,
  /** Its last output, where there is a problem. */
  output: text,
  /** Addresses beyond the model that it could reach, in words; `null` for none. */
  reached: maybeText,
})

export type AgentWork = Stored<typeof agentWorkSchema>
