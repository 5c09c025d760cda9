import type { Task } from '../../core/domain/task.ts'
import { amountOf } from '../../model/budget/allowances.ts'
import type { LintContext, LintFinding } from './finding.ts'
import type { TaskPlaces } from './task-text.ts'

/** A `Budget` line below what the task will probably take: it would be paid for, and not finished. */
export function findSmallBudget(
  task: Task,
  places: TaskPlaces,
  { forecast }: Pick<LintContext, 'forecast'>,
): readonly LintFinding[] {
  const expected = forecast.get(task.id)
  if (expected === undefined || task.budget === null) return []
  const units = ['tokens', 'dollars'] as const
  const short = units.flatMap((unit) => {
    const [allowed, needed] = [task.budget?.[unit] ?? null, expected[unit]]
    if (allowed === null || needed === null || allowed >= needed) return []
    return [`about ${amountOf(unit, needed)}, and its Budget allows ${amountOf(unit, allowed)}`]
  })
  if (short.length === 0) return []
  return [
    {
      rule: 'small-budget',
      severity: 'warning',
      ...places.ofField(task, 'budget'),
      message: `${task.id} will probably take ${short.join('; ')}.`,
      fix: 'Raise the Budget, split the task, or name fewer files in it.',
    },
  ]
}
