/** The questions that a pull request on a recovery branch puts before people. */
import type { Attempt, Proposal } from '../../core/domain/attempt.ts'
import { changesOf, type StateFacts } from '../../core/domain/change-state.ts'
import { type ProposalMark, proposalMarker } from '../../core/domain/hidden-lines.ts'
import { taskMarker } from '../../core/domain/identity.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { fenced, neutralise, neutraliseLine } from '../../text/markdown/neutralise.ts'
import {
  fold,
  inlineCode,
  paragraphs,
  tableCell,
  writeTable,
} from '../../text/markdown/write-markdown.ts'
import { writePatch } from '../../text/markdown/write-patch.ts'
import { attemptDetails, writeAnswers, writeEvidence } from './describe-attempt.ts'
import { titleOf, writeProposalMessage } from './write-commit-message.ts'

type Words = Pick<Settings, 'commit' | 'model'>

/** What such a pull request says; the mark names the commit, once there is one. */
export interface QuestionText {
  readonly title: string
  readonly commit: string
  readonly body: (mark: ProposalMark) => string
  /** On the line of the roadmap that changes; `null` where it asks nothing. */
  readonly comment: ((mark: ProposalMark) => string) | null
}

/**
 * New tasks in place of one that failed.
 *
 * @param asked whether a person decides; else the work goes on upon this branch
 */
export function writeRecovery(
  attempt: Attempt,
  proposal: Proposal,
  { hash, asked }: { readonly hash: string; readonly asked: boolean },
  state: StateFacts<'run.id'>,
  settings: Words,
): QuestionText {
  const isSplit = proposal.strategy === 'DECOMPOSE'
  const title = titleOf(isSplit ? 'Split' : 'Rewrite', attempt, settings)
  const now = `Now: ${proposal.tasks.map(({ id }) => id).join(', ')}`
  const evidence = writeEvidence(attempt)
  const lead = [
    `**${attempt.task.id}** could not be done as it stands. ${reasonOf(proposal)}`,
    `${isSplit ? 'These tasks would take its place' : 'It would read'}:\n\n${listTasks(proposal)}`,
  ]
  const goesOn = asked
    ? 'the other tasks go on meanwhile.'
    : 'Work on the new tasks is stacked on this branch.'
  const body = [
    ...lead,
    `Merging this changes the roadmap and nothing else${asked ? ';' : '.'} ${goesOn}`,
    asked ? answersToTasks : '',
    evidence && `### Evidence\n\n${evidence}`,
    attemptDetails(attempt, state, settings),
  ]
  return {
    title,
    commit: writeProposalMessage(title, attempt, now, state, 'replaced', hash),
    body: marked(attempt, body),
    comment: asked ? marked(attempt, [...lead, evidence, answersToTasks]) : null,
  }
}

const answersToTasks = writeAnswers(
  ['approveTasks', 'edit', 'rewrite', 'decompose', 'retry', 'defer', 'skip', 'reject'],
  'To merge this by hand is to approve, to close it is to reject. An approval counts for the commit it was given for, and for no later one.',
)

function reasonOf({ explanation, wish }: Proposal): string {
  const why = neutraliseLine(explanation)
  if (wish === undefined) return why
  const words = wish.text === '' ? '' : `: ${neutraliseLine(wish.text.slice(0, 300))}`
  return `${why} ${inlineCode(wish.by)} asked for this${words}`
}

/** A list to read, each task with what it says. */
const listTasks = ({ tasks }: Proposal): string =>
  tasks
    .flatMap(({ id, title, details, files }) => [
      `- **${id}** ${neutralise(title)}`,
      ...details.map((detail) => `  - ${neutraliseLine(detail)}`),
      ...(files.length > 0 ? [`  - Files: ${files.map(inlineCode).join(', ')}`] : []),
    ])
    .join('\n')

/** Characters. */
const longestPatch = 24_000
const mostOperations = 40

/** Whether a change with destructive operations may be written: it is nowhere yet. */
export function writeDestructiveProposal(
  attempt: Attempt,
  hash: string,
  state: StateFacts<'run.id'>,
  settings: Words,
): QuestionText {
  const { task, draft, destructive } = attempt
  const title = titleOf('Ask about', attempt, settings)
  const what = destructive.length === 1 ? 'something' : `${destructive.length} things`
  const lead = [
    `The change for **${task.id}** does ${what} that nobody can take back. It was neither written nor run nor pushed: it waits for a writer of this repository.`,
    operationTable(attempt),
    answersToOperations,
  ]
  const patch = fenced(writePatch(changesOf(draft), longestPatch), 'diff')
  const body = [...lead, fold('The whole change', patch), attemptDetails(attempt, state, settings)]
  const waits = 'A change waits for approval'
  return {
    title,
    commit: writeProposalMessage(title, attempt, waits, state, 'asked', hash),
    body: marked(attempt, body),
    comment: marked(attempt, lead),
  }
}

const answersToOperations = writeAnswers(
  ['approveOperations', 'retry', 'defer', 'skip', 'reject'],
  'To merge this by hand is to approve: it adds one comment to the roadmap that says so. To close it is to reject. One more operation, or another one in a repair, is asked about again.',
)

function operationTable({ destructive }: Attempt): string {
  const rows = destructive
    .slice(0, mostOperations)
    .map(({ category, path, line, operation, why }) => [
      category,
      inlineCode(`${path}:${line}`),
      inlineCode(operation),
      tableCell(why),
    ])
  const more = destructive.length - mostOperations
  if (more > 0) rows.push(['', '', `and ${more} more`, ''])
  return writeTable(['category', 'where', 'operation', 'why'], rows)
}

/** With the hidden lines at the end: which task in which words, and the proposal to vote on. */
const marked =
  ({ task }: Attempt, parts: readonly string[]) =>
  (mark: ProposalMark): string =>
    `${paragraphs([...parts, `${taskMarker(task)}\n${proposalMarker(mark)}`])}\n`
