/** What an operation can ruin; `packages`: what is installed, and so run, from elsewhere than a registry. */
export type DestructiveCategory =
  | 'filesystem'
  | 'database'
  | 'git'
  | 'cloud'
  | 'containers'
  | 'system'
  | 'packages'

/** Something a changed file does when it runs, and that nobody can take back. */
export interface DestructiveOperation {
  readonly path: string
  /** 1-based. */
  readonly line: number
  readonly column: number
  readonly category: DestructiveCategory
  /** The call or command as written, on one line and shortened. */
  readonly operation: string
  /** One plain sentence. */
  readonly why: string
  /**
   * Names the operation wherever it moves within its file: hex over path, category, the whole text
   * and what its variables hold. An approval is bound to it.
   */
  readonly fingerprint: string
}

/** What was decided about a task's destructive operations, for the report. */
export interface DestructiveDecision {
  readonly taskId: string
  readonly operations: readonly DestructiveOperation[]
  readonly decision: 'approved' | 'rejected' | 'waiting'
  /** Who, or the setting that let them through. */
  readonly by: string
  /** ISO 8601. */
  readonly at: string
  /** The change they are in, as a unified diff, shortened. */
  readonly patch: string
}

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
