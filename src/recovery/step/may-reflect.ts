import type { Attempt } from '../../core/domain/attempt.ts'
import type { Settings } from '../../core/domain/settings.ts'

/** True when the model is asked why its change failed before the next repair. `failures` counts this one. */
export const mayReflect = (
  { reflections }: Pick<Attempt, 'reflections'>,
  failures: number,
  { reflectAfter, limits }: Pick<Settings, 'reflectAfter' | 'limits'>,
): boolean =>
  reflectAfter > 0 && failures >= reflectAfter && reflections.length < limits.reflections
