import { z } from 'zod'
import { count, object, type Stored, text } from './stored.ts'

/** What an operation can ruin; `packages`: what is installed, and so run, from elsewhere than a registry. */
const categorySchema = z.enum([
  ...['filesystem', 'database', 'git', 'cloud', 'containers', 'system', 'packages'],
] as const)

export type DestructiveCategory = z.infer<typeof categorySchema>

/** Something a changed file does when it runs, and that nobody can take back. */
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
   * Names the operation wherever it moves within its file: hex over path, category, the whole text
   * and what its variables hold. An approval is bound to it.
   */
  fingerprint: text,
})

export type DestructiveOperation = Stored<typeof destructiveOperationSchema>

/** What was decided about a task's destructive operations, for the report. */
export const destructiveDecisionSchema = object({
  taskId: text,
  operations: z.array(destructiveOperationSchema),
  decision: z.enum(['approved', 'rejected', 'waiting']),
  /** Who, or the setting that let them through. */
  by: text,
  /** ISO 8601. */
  at: text,
  /** The change they are in, as a unified diff, shortened. */
  patch: text,
})

export type DestructiveDecision = Stored<typeof destructiveDecisionSchema>

/** The operations that no approval covers: an approved one that is there once more is not covered. */
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
