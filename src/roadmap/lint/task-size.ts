import type { Task } from '../../core/domain/task.ts'
import { amountOf } from '../../model/budget/check-budget.ts'
import { withoutCodeSpans } from '../../text/markdown/inline-text.ts'
import type { LintContext, RuleMatch } from './finding.ts'
import { proseOf, type TaskPlaces } from './task-text.ts'

const mostCharacters = 500
const mostCommas = 5
const mostAnds = 3

/**
 * A task that is probably several: more than 500 characters, five commas or three "and" in its own
 * words. Metadata, code and comments are not counted.
 */
export function findOversized(task: Task, places: TaskPlaces): RuleMatch | null {
  const prose = proseOf(task)
  const words = withoutCodeSpans(prose)
  const commas = words.match(/[,，、]/g)?.length ?? 0
  const ands = words.match(/\band\b/gi)?.length ?? 0
  const reasons = [
    prose.length > mostCharacters ? `${prose.length} characters` : '',
    commas > mostCommas ? `${commas} commas` : '',
    ands > mostAnds ? `"and" ${ands} times` : '',
  ].filter((reason) => reason !== '')
  if (reasons.length === 0) return null
  return {
    ...places.ofTask(task),
    message: `${task.id} is probably several tasks: ${reasons.join(', ')}.`,
    fix: 'Split it into tasks of one change each; **Depends on** keeps them in order.',
  }
}

/** A `Budget` line below what the task will probably take: it would be paid for, and not finished. */
export function findSmallBudget(
  task: Task,
  places: TaskPlaces,
  { forecast }: Pick<LintContext, 'forecast'>,
): RuleMatch | null {
  const expected = forecast.get(task.id)
  if (expected === undefined || task.budget === null) return null
  const units = ['tokens', 'dollars'] as const
  const short = units.flatMap((unit) => {
    const [allowed, needed] = [task.budget?.[unit] ?? null, expected[unit]]
    if (allowed === null || needed === null || allowed >= needed) return []
    return [`about ${amountOf(unit, needed)}, and its Budget allows ${amountOf(unit, allowed)}`]
  })
  if (short.length === 0) return null
  return {
    ...places.ofField(task, 'budget'),
    message: `${task.id} will probably take ${short.join('; ')}.`,
    fix: 'Raise the Budget, split the task, or name fewer files in it.',
  }
}
