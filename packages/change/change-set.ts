import { z } from 'zod'
import { object, type Stored, text } from '../text/text.ts'

/** One file of a change set, in memory. `path` is repository-relative with forward slashes. */
export const fileChangeSchema = z.discriminatedUnion('action', [
  object({ action: z.literal('create'), path: text, content: text }),
  object({ action: z.literal('modify'), path: text, before: text, content: text }),
  object({ action: z.literal('delete'), path: text, before: text }),
])

export type FileChange = Stored<typeof fileChangeSchema>

/** All changes of a task; at most one entry per path. */
export type ChangeSet = readonly FileChange[]

/** An unusable part of a model's answer, worded so that the model can fix it. */
export const refusalSchema = object({
  /** Empty when it concerns the whole answer. */
  path: text,
  reason: text,
  /** The offending lines, shortened. */
  excerpt: text,
  /** Set when a whole file would lose existing code: `asked` requests edits, `again` means that did not help. */
  lost: z.enum(['asked', 'again']).optional(),
  /** True when the whole answer changed nothing: any later answer with a change settles it. */
  isEcho: z.literal(true).optional(),
  /** True when the answer was a part that ended after this file: the next answer settles it. */
  isEarly: z.literal(true).optional(),
})

export type Refusal = Stored<typeof refusalSchema>

/** The file's text before the change, or `undefined` when there was no file. */
export const contentBefore = (change: FileChange): string | undefined =>
  change.action === 'create' ? undefined : change.before

/** The file's text after the change, or `undefined` when it is deleted. */
export const contentAfter = (change: FileChange): string | undefined =>
  change.action === 'delete' ? undefined : change.content
