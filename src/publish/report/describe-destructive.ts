import type { DestructiveOperation } from '../../../packages/judge/judge.ts'
import {
  clip,
  fenced,
  fold,
  nameSome,
  paragraphs,
  tableCell,
  writeTable,
} from '../../../packages/text/text.ts'
import type { DestructiveDecision } from '../../core/domain/destructive-decision.ts'
import { describeDecision } from './describe-decision.ts'

/** The most operations of a category that the one-line summary names. */
const mostNamed = 2

/** "2 filesystem (scripts/clean.sh:3 `rm -rf "$DIR"`, …), 1 git (…)". */
export function summariseDestructive(operations: readonly DestructiveOperation[]): string {
  const byCategory = [...Map.groupBy(operations, ({ category }) => category)]
  const parts = byCategory.map(([category, found]) => {
    const named = found.map(({ path, line, operation }) => `${path}:${line} ${code(operation, 80)}`)
    return `${found.length} ${category} (${nameSome(named, mostNamed)})`
  })
  return parts.join(', ')
}

/** The report's section in Markdown: every operation, and the waiting changes, folded. */
export function writeDestructive(decisions: readonly DestructiveDecision[]): string {
  if (decisions.length === 0) return ''
  const rows = decisions.flatMap(({ taskId, operations, decision, by }) =>
    operations.map(({ category, path, line, operation, why }) =>
      [
        ...[taskId, describeDecision(decision, by), category],
        ...[code(`${path}:${line}`, 200), code(operation, 160), why],
      ].map(tableCell),
    ),
  )
  const columns = ['task', 'decision', 'category', 'where', 'operation', 'why']
  const patches = decisions
    .filter(({ decision, patch }) => decision === 'waiting' && patch !== '')
    .map(({ taskId, patch }) => fold(`The change of ${taskId} that waits`, fenced(patch, 'diff')))
  return paragraphs(['## Destructive operations', writeTable(columns, rows), ...patches])
}

/** The text as inline code on one line; no back-tick can end it. */
const code = (text: string, most: number): string =>
  `\`${clip(text.replaceAll(/[`\s]+/g, ' ').trim(), most)}\``
