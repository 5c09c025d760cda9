/** One file of a change set, in memory. `path` is repository-relative with forward slashes. */
export type FileChange =
  | { readonly action: 'create'; readonly path: string; readonly content: string }
  | {
      readonly action: 'modify'
      readonly path: string
      readonly before: string
      readonly content: string
    }
  | { readonly action: 'delete'; readonly path: string; readonly before: string }

/** All a task changes; at most one entry per path. */
export type ChangeSet = readonly FileChange[]

/** A part of a model's answer that could not be used, said so that the model can mend it. */
export interface Refusal {
  /** Empty when the answer as a whole is meant. */
  readonly path: string
  readonly reason: string
  /** The offending lines, shortened. */
  readonly excerpt: string
  /** Set where a file in full would lose what is there: edits are asked for, or were in vain. */
  readonly lost?: 'asked' | 'again' | undefined
  /** True where nothing in the whole answer was new: any change that a later answer brings settles it. */
  readonly isEcho?: true | undefined
}

/** The file's text before the change, or `undefined` when there was no file. */
export function contentBefore(change: FileChange): string | undefined {
  return change.action === 'create' ? undefined : change.before
}

/** The file's text after the change, or `undefined` when it is gone. */
export function contentAfter(change: FileChange): string | undefined {
  return change.action === 'delete' ? undefined : change.content
}
