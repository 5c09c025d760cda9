import { z } from 'zod'
import { count, object, type Stored, text } from '../../text/text.ts'

/** The kind of damage; `packages`: installs, and so runs, a package from outside a registry. */
const categorySchema = z.enum([
  ...['filesystem', 'database', 'git', 'cloud', 'containers', 'system', 'packages'],
] as const)

export type DestructiveCategory = z.infer<typeof categorySchema>

/** An operation of a changed file that cannot be undone once it runs. */
export const destructiveOperationSchema = object({
  path: text,
  /** 1-based. */
  line: count,
  column: count,
  category: categorySchema,
  /** The call or command as written, on one line and shortened. */
  operation: text,
  /** One plain sentence. */
  why: text,
  /**
   * Identifies the operation wherever it moves within its file: hex over path, category, the whole text and the
   * values of its variables. An approval is bound to it.
   */
  fingerprint: text,
})

export type DestructiveOperation = Stored<typeof destructiveOperationSchema>
