import { z } from 'zod'
import { type DestructiveOperation, judgedSchemas } from '../../../packages/judge/judge.ts'
import { object, type Stored, text } from '../../../packages/text/text.ts'

/** The decision about a task's destructive operations, for the report. */
export const destructiveDecisionSchema = object({
  taskId: text,
  operations: z.array(judgedSchemas.operation),
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
