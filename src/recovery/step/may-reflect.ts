import type { Attempt } from '../../core/domain/attempt.ts'
import type { Settings } from '../../core/domain/settings.ts'

/** True when the model is asked why its change failed before the next repair; this failure counts. */
export const mayReflect = (
  attempt: Pick<Attempt, 'reflections' | 'validationRepairs' | 'testRepairs' | 'loop'>,
  { reflectAfter, limits }: Pick<Settings, 'reflectAfter' | 'limits'>,
): boolean => {
  const { reflections, validationRepairs, testRepairs, loop } = attempt
  const failures = loop?.isOpen ? loop.failures : validationRepairs + testRepairs + 1
  return reflectAfter > 0 && failures >= reflectAfter && reflections.length < limits.reflections
}
