import { catalogue, isCatalogued, type RunErrorCode } from '../core/domain/errors.ts'
import type { RunState } from '../core/domain/run-state.ts'
import { finishedVerdicts } from '../core/domain/verdict.ts'

/**
 * The exit code of a run (surface.md): 0 all asked-for tasks done, 1 some failed, 2 wrong use
 * or set-up, 3 waiting for a person, 4 a limit or a cancel, resumable.
 */
export function exitCodeOf(state: RunState): 0 | 1 | 2 | 3 | 4 {
  const codes = state.record.errors.map(({ code }) => exitCodeOfError(code))
  if (state.run.dryRun) return codes.includes(2) ? 2 : 0
  if (state.progress.stopped !== null) return 4
  if (codes.includes(2)) return 2
  if (codes.includes(4)) return 4
  const open = Object.values(state.tasks.results).filter(
    ({ verdict }) => !finishedVerdicts.includes(verdict),
  )
  if (open.some(({ verdict }) => verdict === 'over_budget')) return 4
  const failed = ['failed', 'skipped', 'deferred', 'rejected']
  if (open.some(({ verdict, thisRun }) => thisRun && failed.includes(verdict))) return 1
  return open.some(({ verdict }) => verdict === 'waiting') ? 3 : 0
}

/** A resumed run still lists these, and `stopped` says whether they count; of one cause the verdicts tell. */
const uncounted: ReadonlySet<RunErrorCode> = new Set([
  'model_unavailable',
  'forge_unavailable',
  'same_cause',
])

/** Besides the catalogue's own, what a roadmap's lint found: nothing was started. */
function exitCodeOfError(code: RunErrorCode): number {
  if (uncounted.has(code)) return 0
  return isCatalogued(code) ? catalogue[code].exitCode : 2
}
