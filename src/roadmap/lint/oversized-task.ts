import type { Task } from '../../core/domain/task.ts'
import { withoutCodeSpans } from '../../text/markdown/inline-text.ts'
import type { LintFinding } from './finding.ts'
import { proseOf, type TaskPlaces } from './task-text.ts'

const mostCharacters = 500
const mostCommas = 5
const mostAnds = 3

/**
 * A task that is probably several: more than 500 characters, five commas or three "and" in its own
 * words. Metadata, code and comments are not counted.
 */
export function findOversized(task: Task, places: TaskPlaces): readonly LintFinding[] {
  const prose = proseOf(task)
  const words = withoutCodeSpans(prose)
  const commas = words.match(/[,，、]/g)?.length ?? 0
  const ands = words.match(/\band\b/gi)?.length ?? 0
  const reasons = [
    prose.length > mostCharacters ? `${prose.length} characters` : '',
    commas > mostCommas ? `${commas} commas` : '',
    ands > mostAnds ? `"and" ${ands} times` : '',
  ].filter((reason) => reason !== '')
  if (reasons.length === 0) return []
  return [
    {
      rule: 'oversized-task',
      severity: 'warning',
      ...places.ofTask(task),
      message: `${task.id} is probably several tasks: ${reasons.join(', ')}.`,
      fix: 'Split it into tasks of one change each; **Depends on** keeps them in order.',
    },
  ]
}
