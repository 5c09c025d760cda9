/** The questions that pull requests on recovery branches ask people. */

import { changesOf, countChanges } from '../../../packages/change/change.ts'
import {
  alert,
  countOf,
  fenced,
  fold,
  inlineCode,
  lineBeforeCode,
  neutraliseLine,
  paragraphs,
  tableCell,
  writeTable,
} from '../../../packages/text/text.ts'
import type { Attempt, Proposal } from '../../core/domain/attempt.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { type ProposalMark, proposalMarker } from '../../core/domain/hidden-lines.ts'
import { taskMarker } from '../../core/domain/identity.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { writePatch } from '../../core/write-patch.ts'
import {
  describeTaken,
  foldTask,
  type InParts,
  type LogPlace,
  writeAnswers,
  writeEvidence,
} from './describe-attempt.ts'
import { titleOf, writeProposalMessage } from './write-commit-message.ts'

type Words = Pick<Settings, 'commit' | 'model'> & LogPlace

/** The text of such a pull request; the mark names the commit, once there is one. */
export interface QuestionText {
  readonly title: string
  readonly commit: string
  /** Of the pull request. */
  readonly body: (mark: ProposalMark) => string
  /** The question alone, for a comment on the changed line of the roadmap. */
  readonly short: (mark: ProposalMark) => string
  /** False when work continues without an answer. */
  readonly asks: boolean
}

/**
 * The proposal to replace a failed task.
 *
 * @param asked true when a person decides; else work continues on this branch
 */
export function writeRecovery(
  attempt: Attempt,
  proposal: Proposal,
  { hash, asked }: { readonly hash: string; readonly asked: boolean },
  state: StateFacts<'run.id'>,
  settings: Words,
  notes = '',
): QuestionText {
  const isSplit = proposal.strategy === 'DECOMPOSE'
  const title = titleOf(isSplit ? 'Split' : 'Rewrite', attempt, settings)
  const now = `Now: ${proposal.tasks.map(({ id }) => id).join(', ')}`
  const evidence = writeEvidence(attempt, 0)
  const list = listTasks(proposal, isSplit)
  const model = proposal.tasks[0]?.model
  const why = [
    `The bot could not complete **${attempt.task.id}**: ${neutraliseLine(attempt.task.title)}`,
    reasonOf(proposal),
  ]
  const body = [
    ...why,
    model === undefined
      ? `${isSplit ? 'These tasks would replace it' : 'The task would read'}:\n\n${list.shown}`
      : `One line would be added to the task:\n\n${fenced(`+ **Model**: ${model}`, 'diff')}`,
    proposal.tasks.some(({ together }) => together) ? `They belong together: ${allOrNone}` : '',
    asked
      ? answersToTasks.shown
      : 'Merging this changes only the roadmap. Work on the new tasks is stacked on this branch.',
    evidence.shown,
    describeTaken(attempt, state, settings),
    list.folded,
    notes,
    asked ? answersToTasks.folded : '',
    evidence.folded,
    foldTask(attempt.task),
  ]
  return {
    title,
    commit: writeProposalMessage(title, attempt, now, state, 'replaced', hash),
    body: marked(attempt, body),
    short: marked(attempt, [...why, answersToTasks.shown]),
    asks: asked,
  }
}

/** What a person approves with tasks that belong together. */
export const allOrNone = 'when one of them fails for good, the others are rolled back.'

const answersToTasks = writeAnswers(
  ['approveTasks', 'edit', 'reject'],
  ['rewrite', 'decompose', 'retry', 'defer', 'skip'],
  'Merging counts as approval and changes only the roadmap; closing counts as rejection. Other tasks continue meanwhile.',
)

function reasonOf({ explanation, wish }: Proposal): string {
  if (wish === undefined) return neutraliseLine(explanation)
  const words = wish.text === '' ? '' : `: ${neutraliseLine(wish.text.slice(0, 300))}`
  return `${lineBeforeCode(explanation)} ${inlineCode(wish.by)} asked for this${words}`
}

/** The most lines of a list that is shown in full. */
const mostLines = 6

/** Lists the tasks with their text; a long list shows only titles, and the full one folded. */
function listTasks({ tasks }: Proposal, isSplit: boolean): InParts {
  const lines = tasks.map(({ id, title, details, files }) => [
    `- **${id}** ${neutraliseLine(title)}`,
    ...details.map((detail) => `  - ${neutraliseLine(detail)}`),
    ...(files.length > 0 ? [`  - Files: ${files.map(inlineCode).join(', ')}`] : []),
  ])
  const all = lines.flat()
  if (all.length <= mostLines) return { shown: all.join('\n'), folded: '' }
  const titles = lines.flatMap(([title = '']) => title)
  const what = isSplit ? 'The new tasks in full' : 'The new task in full'
  return { shown: titles.join('\n'), folded: fold(what, all.join('\n')) }
}

/** Characters. */
const longestPatch = 24_000
const mostOperations = 40

/** The question whether a change with destructive operations may be written; so far it is not. */
export function writeDestructiveProposal(
  attempt: Attempt,
  hash: string,
  state: StateFacts<'run.id'>,
  settings: Words,
  notes = '',
): QuestionText {
  const { task, draft, destructive } = attempt
  const changes = changesOf(draft)
  const title = titleOf('Approval needed for', attempt, settings)
  const table = operationTable(attempt)
  const { files, added, removed } = countChanges(changes)
  const size = `+${added} −${removed} in ${countOf(files, 'file')}`
  const patch = fenced(writePatch(changes, longestPatch), 'diff')
  const what = alert('CAUTION', [
    `**The change for ${task.id} contains ${countOf(destructive.length, 'operation')} that cannot be undone.** It has not been written, run or pushed.`,
  ])
  const body = [
    what,
    neutraliseLine(task.title),
    table.shown,
    answersToOperations.shown,
    describeTaken(attempt, state, settings),
    table.folded,
    answersToOperations.folded,
    fold(`The change: ${size}`, patch),
    notes,
    foldTask(task),
  ]
  const waits = 'A change waits for approval'
  return {
    title,
    commit: writeProposalMessage(title, attempt, waits, state, 'asked', hash),
    body: marked(attempt, body),
    short: marked(attempt, [what, answersToOperations.shown]),
    asks: true,
  }
}

const answersToOperations = writeAnswers(
  ['approveOperations', 'reject'],
  ['retry', 'defer', 'skip'],
  'Merging counts as approval (it only adds a comment to the roadmap), closing as rejection. Any further destructive operation is asked about separately.',
)

/** The most rows outside the fold. */
const mostVisible = 4

function operationTable({ destructive }: Attempt): InParts {
  const rows = destructive
    .slice(0, mostOperations)
    .map(({ category, path, line, operation, why }) => [
      category,
      inlineCode(`${path}:${line}`),
      inlineCode(operation),
      tableCell(why),
    ])
  const draw = (some: readonly string[][], left: number, where: string) =>
    writeTable(
      ['category', 'where', 'operation', 'why'],
      left > 0 ? [...some, ['', '', `and ${left} more${where}`, '']] : some,
    )
  const shown = draw(rows.slice(0, mostVisible), destructive.length - mostVisible, ', below')
  if (destructive.length <= mostVisible) return { shown, folded: '' }
  const all = draw(rows, destructive.length - mostOperations, '')
  return { shown, folded: fold(`All ${destructive.length} operations`, all) }
}

/** Appends the hidden lines: the task with its fingerprint, and the proposal to decide on. */
const marked =
  ({ task }: Attempt, parts: readonly string[]) =>
  (mark: ProposalMark): string =>
    `${paragraphs([...parts, `${taskMarker(task)}\n${proposalMarker(mark)}`])}\n`
