/** A piece of a text that its reader does not see, and that was therefore kept from the model. */
export interface HiddenText {
  /** How it was hidden, in plain words: `HTML comment`, `zero-width character`, … */
  readonly channel: string
  /** 1-based, in the text it was taken out of. */
  readonly line: number
  /** What was hidden, shortened, with every character that cannot be seen written as `<U+200B>`. */
  readonly excerpt: string
}

/** The same, with where it was found. */
export interface HiddenRecord extends HiddenText {
  readonly taskId: string
  /** A repository path, or `null`: the task's own words in the roadmap. */
  readonly path: string | null
}
