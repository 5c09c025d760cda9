import { z } from 'zod'
import { object, type Stored, text } from './stored.ts'

/** One file of a change set, in memory. `path` is repository-relative with forward slashes. */
export const fileChangeSchema = z.discriminatedUnion('action', [
  object({ action: z.literal('create'), path: text, content: text }),
  object({ action: z.literal('modify'), path: text, before: text, content: text }),
  object({ action: z.literal('delete'), path: text, before: text }),
])

export type FileChange = Stored<typeof fileChangeSchema>

/** All a task changes; at most one entry per path. */
export type ChangeSet = readonly FileChange[]

/** A part of a model's answer that could not be used, said so that the model can mend it. */
export const refusalSchema = object({
  /** Empty when the answer as a whole is meant. */
  path: text,
  reason: text,
  /** The offending lines, shortened. */
  excerpt: text,
  /** Set where a file in full would lose what is there: edits are asked for, or were in vain. */
  lost: z.enum(['asked', 'again']).optional(),
  /** True where nothing in the whole answer was new: any change that a later answer brings settles it. */
  isEcho: z.literal(true).optional(),
})

export type Refusal = Stored<typeof refusalSchema>

/** The file's text before the change, or `undefined` when there was no file. */
export function contentBefore(change: FileChange): string | undefined {
  return change.action === 'create' ? undefined : change.before
}

/** The file's text after the change, or `undefined` when it is gone. */
export function contentAfter(change: FileChange): string | undefined {
  return change.action === 'delete' ? undefined : change.content
}
