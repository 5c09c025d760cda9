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

/** The decision about a task's destructive operations, for the report. */
export const destructiveDecisionSchema = object({
  taskId: text,
  operations: z.array(destructiveOperationSchema),
  decision: z.enum(['approved', 'rejected', 'waiting']),
  /** The person, or the setting that let them through. */
  by: text,
  /** ISO 8601. */
  at: text,
  /** The change that contains them, as a unified diff, shortened. */
  patch: text,
})

export type DestructiveDecision = Stored<typeof destructiveDecisionSchema>

/** The operations that no approval covers: a second occurrence of an approved one is not covered. */
export function notAllowed(
  operations: readonly DestructiveOperation[],
  allowed: readonly string[],
): readonly DestructiveOperation[] {
  const left = new Map<string, number>()
  for (const fingerprint of allowed) left.set(fingerprint, (left.get(fingerprint) ?? 0) + 1)
  return operations.filter(({ fingerprint }) => {
    const count = left.get(fingerprint) ?? 0
    left.set(fingerprint, count - 1)
    return count <= 0
  })
}
