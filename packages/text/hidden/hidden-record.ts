import { count, maybeText, object, type Stored, text } from '../stored.ts'

/** A piece of text that its reader does not see, and its place; it is kept from the model for that reason. */
export const hiddenRecordSchema = object({
  taskId: text,
  /** A repository path, or `null` for the task's own words in the roadmap. */
  path: maybeText,
  /** How it was hidden, in plain words: `HTML comment`, `zero-width character`, … */
  channel: text,
  /** 1-based, in the original text. */
  line: count,
  /** The hidden text, shortened, with every invisible character written as `<U+200B>`. */
  excerpt: text,
})

export type HiddenRecord = Stored<typeof hiddenRecordSchema>

/** The same in a text by itself. */
export type HiddenText = Omit<HiddenRecord, 'taskId' | 'path'>
