import type { ForgeResult } from './forge.ts'

/** A line of the checked commit, with what was found there. */
export interface CheckAnnotation {
  readonly path: string
  /** 1-based. */
  readonly line: number
  readonly level: 'failure' | 'warning'
  readonly title: string
  readonly message: string
}

/** A finished check of one commit, as GitHub shows it beside the pull request. */
export interface CheckRunDraft {
  readonly name: string
  /** With the name and the commit, identifies the check run. */
  readonly externalId: string
  readonly sha: string
  readonly conclusion: 'success' | 'failure' | 'neutral'
  readonly title: string
  /** Markdown. */
  readonly summary: string
  readonly annotations: readonly CheckAnnotation[]
}

export interface CheckRuns {
  /**
   * Writes the check run, or completes the one that a killed job has begun. Annotations cannot be taken back: another
   * verdict on the same commit is a check run of its own, and GitHub shows the newest.
   */
  upsert(draft: CheckRunDraft): Promise<ForgeResult<null>>
}
