import { object, type Stored, text, texts } from './stored.ts'

/** A task that is proposed in place of one that failed; checked before anybody sees it. */
export const proposedTaskSchema = object({
  id: text,
  /** One line, without Markdown's marks of structure. */
  title: text,
  /** What else to say, a line each. */
  details: texts,
  files: texts,
})

export type ProposedTask = Stored<typeof proposedTaskSchema>
