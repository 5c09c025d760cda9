import { count, maybeText, object, type Stored, text } from './stored.ts'

/** A piece of a text that its reader does not see, kept from the model for that, and where it was found. */
export const hiddenRecordSchema = object({
  taskId: text,
  /** A repository path, or `null`: the task's own words in the roadmap. */
  path: maybeText,
  /** How it was hidden, in plain words: `HTML comment`, `zero-width character`, … */
  channel: text,
  /** 1-based, in the text it was taken out of. */
  line: count,
  /** What was hidden, shortened, with every character that cannot be seen written as `<U+200B>`. */
  excerpt: text,
})

export type HiddenRecord = Stored<typeof hiddenRecordSchema>

/** The same in a text by itself. */
export type HiddenText = Omit<HiddenRecord, 'taskId' | 'path'>
