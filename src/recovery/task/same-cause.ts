import type { Attempt } from '../../core/domain/attempt.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { type Diagnosis, sameDiagnosis } from '../../core/domain/diagnosis.ts'
import type { RunError } from '../../core/domain/run-state.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'

/** Verdicts in a row after which the next task would most likely be paid for in vain, too. */
const enough = 5

/**
 * What ended an attempt besides its tests and its code: a set-up that fails, a program or a package that
 * lacks, a run that was killed, an endpoint. Undefined for all that another answer could mend.
 */
export function causeOf({ classification, failure }: Attempt): Diagnosis | undefined {
  if (classification?.reason === 'missing_dependency') return undefined
  if (classification?.diagnosis !== undefined) return classification.diagnosis
  const { diagnosis } = failure ?? {}
  const isOurs = diagnosis?.kind === 'set-up' || diagnosis?.kind === 'killed'
  return failure?.at === 'cannot_run' && isOurs ? diagnosis : undefined
}

/** The patch that ends a run whose last tasks all ended for one cause; `null` where they did not. */
export function sameCause({
  tasks: { results },
  progress: { limits },
  record: { errors },
}: StateFacts<'tasks.results' | 'progress.limits' | 'record.errors'>): StateFacts<
  'progress.limits' | 'record.errors' | 'progress.stuck'
> | null {
  const tried = Object.values(results).filter(isTried).slice(-enough)
  const [first] = tried
  const cause = first?.diagnosis
  if (tried.length < enough || cause === undefined) return null
  if (tried.some(({ diagnosis: other }) => !other || !sameDiagnosis(cause, other))) return null
  const error: RunError = {
    code: 'same_cause',
    message: `${enough} tasks in a row ended for one cause, so the others were not tried: ${first?.reason}`,
    next: 'Mend that first, then run it again.',
    taskId: null,
  }
  return {
    progress: { limits: [...limits, 'same_cause'], stuck: cause },
    record: { errors: [...errors, error] },
  }
}

const isTried = ({ thisRun, attempts }: TaskResult): boolean => thisRun && attempts > 0
