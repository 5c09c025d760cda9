/** Describes a change in the lines that a reviewer reads first. */

import {
  type ChangeSet,
  changesOf,
  countChanges,
  type DiffStat,
} from '../../../packages/change/change.ts'
import type { DestructiveOperation, Receipt } from '../../../packages/judge/judge.ts'
import { isTestFile } from '../../../packages/source/source.ts'
import {
  clip,
  countOf,
  fenced,
  firstSentence,
  fold,
  inlineCode,
  nameSome,
  neutraliseLine,
  paragraphs,
  tableCell,
  writeList,
  writeTable,
} from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { DestructiveDecision } from '../../core/domain/run-state.ts'
import { describeDecision } from './describe-decision.ts'

/** Characters of a model's sentence: two lines on a wide screen. */
const longestSentence = 240
const mostNamed = 4
const mostListed = 200

/** The model's summary of its change, as one sentence attributed to it; empty without one. */
export function describeSaid({ draft }: Pick<Attempt, 'draft'>): string {
  const said = neutraliseLine(firstSentence(draft?.summary ?? '', longestSentence))
  return said === '' ? '' : `The model's summary: ${said}`
}

/** `+12 −0 in 2 files` */
const describeStat = ({ files, added, removed }: DiffStat): string =>
  `\`+${added} −${removed}\` in ${countOf(files, 'file')}`

/**
 * The size of the change, and its files.
 *
 * @param tick whether the commit also ticks the task in the roadmap
 */
export function describeSize({ draft }: Pick<Attempt, 'draft'>, tick: boolean): string {
  const changes = changesOf(draft)
  if (changes.length === 0) {
    return `The code already does this, so no file changes${tick ? ' but the roadmap, where the task is ticked' : ''}.`
  }
  const names = nameSome(changes.map(nameFile), mostNamed)
  const ticked = tick ? ', and the tick in the roadmap' : ''
  return `${describeStat(countChanges(changes))}: ${names}${ticked}.`
}

/** A sentence, appended to the test results, that the change adds no tests; empty when it does. */
export function describeUntested({ draft }: Pick<Attempt, 'draft'>): string {
  const changes = draft?.changes ?? []
  const isTested = changes.some(
    (change) => change.action !== 'delete' && isTestFile(change.path, change.content),
  )
  return changes.length === 0 || isTested ? '' : ' The change adds no tests.'
}

/** A sentence on the files that import what the change modifies; empty without any. */
export function describeTouched(receipt: Pick<Receipt, 'touches'> | null): string {
  const { importers, tested } = receipt?.touches ?? { importers: 0, tested: 0 }
  return importers === 0 ? '' : ` It touches ${countOf(importers, 'importer')}, ${tested} tested.`
}

/** The files that {@link describeSize} does not list, and those that a package manager wrote. */
export function listFiles({ draft }: Pick<Attempt, 'draft'>): string {
  const changes = changesOf(draft)
  const locks = (draft?.locks ?? []).map(
    ({ change, command }) =>
      `${inlineCode(change.path)} was not written by the model: ${inlineCode(command)} made it from the changed manifest.`,
  )
  const files = changes.length > mostNamed ? fold('All files', listAll(changes)) : ''
  return paragraphs([writeList(locks), files])
}

function listAll(changes: ChangeSet): string {
  const left = changes.length - mostListed
  const more = left > 0 ? [`and ${left} more`] : []
  return writeList([...changes.slice(0, mostListed).map(nameFile), ...more])
}

const marks = { create: ' (new)', modify: '', delete: ' (deleted)' } as const

const nameFile = ({ action, path }: ChangeSet[number]): string =>
  `${inlineCode(path)}${marks[action]}`

/** The most operations of a category that the one-line summary names. */
const mostOperations = 2

/** "2 filesystem (scripts/clean.sh:3 `rm -rf "$DIR"`, …), 1 git (…)". */
export function summariseDestructive(operations: readonly DestructiveOperation[]): string {
  const byCategory = [...Map.groupBy(operations, ({ category }) => category)]
  const parts = byCategory.map(([category, found]) => {
    const named = found.map(({ path, line, operation }) => `${path}:${line} ${code(operation, 80)}`)
    return `${found.length} ${category} (${nameSome(named, mostOperations)})`
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
