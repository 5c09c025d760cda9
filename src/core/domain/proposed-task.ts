import { z } from 'zod'
import { object, type Stored, text, texts } from '../../../packages/text/text.ts'

/** A task proposed in place of a failed one; checked before any person sees it. */
export const proposedTaskSchema = object({
  id: text,
  /** One line, without structural Markdown. */
  title: text,
  /** Further sentences, one per line. */
  details: texts,
  files: texts,
  /** It is the old task with this model, and nothing else changed. */
  model: text.exactOptional(),
  /** It belongs together with the other tasks of its proposal: all of them, or none. */
  together: z.literal(true).exactOptional(),
})

export type ProposedTask = Stored<typeof proposedTaskSchema>
