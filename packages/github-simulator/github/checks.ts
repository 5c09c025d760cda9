import type { Check } from './records.ts'
import type { Repository } from './store.ts'

export type Rollup = 'SUCCESS' | 'PENDING' | 'FAILURE' | 'ERROR'

const passing: ReadonlySet<Check['outcome']> = new Set(['success', 'neutral', 'skipped'])

/** The latest report of each check on a commit. */
export function checksOf({ checks }: Repository, sha: string): readonly Check[] {
  const byName = new Map<string, Check>()
  for (const check of checks) {
    if (check.sha === sha) byName.set(`${check.kind} ${check.name}`, check)
  }
  return [...byName.values()]
}

/** The combined result; `null` without checks. */
export function rollupOf(checks: readonly Check[]): Rollup | null {
  if (checks.length === 0) return null
  const outcomes = checks.map(({ outcome }) => outcome)
  if (outcomes.includes('error')) return 'ERROR'
  if (outcomes.some((outcome) => outcome !== 'pending' && !passing.has(outcome))) return 'FAILURE'
  return outcomes.includes('pending') ? 'PENDING' : 'SUCCESS'
}

/** Branch protection's objections to merging this commit, in GitHub's words. */
export function missingChecks(repository: Repository, sha: string): readonly string[] {
  const checks = checksOf(repository, sha)
  return (repository.options.requiredChecks ?? []).flatMap((name) => {
    const found = checks.filter((check) => check.name === name)
    const rollup = rollupOf(found)
    if (rollup === 'SUCCESS') return []
    const state = { PENDING: 'pending', FAILURE: 'failing', ERROR: 'failing' }
    return [`Required status check "${name}" is ${rollup === null ? 'expected' : state[rollup]}.`]
  })
}
