import { taskMarker, trailer } from '../../core/domain/identity.ts'
import { type ProposalMark, proposalMarker } from '../../core/domain/proposal-marker.ts'
import type { ProposedTask } from '../../core/domain/proposed-task.ts'
import type { Attempt, Proposal, RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { fold } from '../../text/markdown/fold.ts'
import { inlineCode } from '../../text/markdown/inline-code.ts'
import {
  fenced,
  neutralise,
  neutraliseLine,
  neutraliseTitle,
} from '../../text/markdown/neutralise.ts'
import { writeAnswers } from './write-answers.ts'
import { titleOf } from './write-commit-message.ts'
import { writeEvidence } from './write-evidence.ts'
import { runDetails, taskText } from './write-pull-request.ts'

type Words = Pick<Settings, 'commit' | 'model'>

/** What a pull request on a recovery branch says; the mark names the commit, once there is one. */
export interface QuestionText {
  readonly title: string
  readonly commit: string
  readonly body: (mark: ProposalMark) => string
  /** On the line of the roadmap that changes; `null` where nobody is asked. */
  readonly comment: ((mark: ProposalMark) => string) | null
}

/**
 * The words of new tasks in place of one that failed.
 *
 * @param asked whether a person decides; else the work goes on upon this branch
 */
export function writeRecovery(
  attempt: Attempt,
  proposal: Proposal,
  given: { readonly hash: string; readonly asked: boolean },
  run: Pick<RunState, 'runId'>,
  settings: Words,
): QuestionText {
  const { task } = attempt
  const isSplit = proposal.strategy === 'DECOMPOSE'
  const title = titleOf(isSplit ? 'Split' : 'Rewrite', attempt, settings)
  const ids = proposal.tasks.map(({ id }) => id).join(', ')
  const instead = isSplit ? 'These tasks would take its place' : 'It would read'
  const evidence = writeEvidence(attempt)
  const lead = [
    `**${task.id}** could not be done as it stands. ${reasonOf(proposal)}`,
    `${instead}:\n\n${listTasks(proposal.tasks)}`,
  ]
  const answers = given.asked ? [howToAnswer] : []
  const body = (mark: ProposalMark) => [
    ...lead,
    given.asked
      ? 'Merging this changes the roadmap and nothing else; the other tasks go on meanwhile.'
      : 'Merging this changes the roadmap and nothing else. Work on the new tasks is stacked on this branch.',
    ...answers,
    evidence === '' ? '' : `### Evidence\n\n${evidence}`,
    fold('The task, as the roadmap has it', fenced(taskText(task), 'markdown')),
    runDetails(attempt, run, settings),
    marks(task, mark),
  ]
  const comment = (mark: ProposalMark) => [...lead, evidence, howToAnswer, marks(task, mark)]
  return {
    title,
    commit: commitMessage(title, attempt, `Now: ${ids}`, run, 'replaced', given.hash),
    body: (mark) => join(body(mark)),
    comment: given.asked ? (mark) => join(comment(mark)) : null,
  }
}

const howToAnswer = writeAnswers(
  ['approveTasks', 'edit', 'rewrite', 'decompose', 'retry', 'defer', 'skip', 'reject'],
  'To merge this by hand is to approve, to close it is to reject. An approval counts for the commit it was given for, and for no later one.',
)

function reasonOf({ explanation, wish }: Proposal): string {
  const why = neutraliseLine(explanation)
  if (wish === undefined) return why
  const words = wish.text === '' ? '' : `: ${neutraliseLine(wish.text.slice(0, 300))}`
  return `${why} ${inlineCode(wish.by)} asked for this${words}`
}

/** Tasks as a list to read, each with what it says. */
function listTasks(tasks: readonly ProposedTask[]): string {
  const lines = tasks.flatMap(({ id, title, details, files }) => [
    `- **${id}** ${neutralise(title)}`,
    ...details.map((detail) => `  - ${neutraliseLine(detail)}`),
    ...(files.length > 0 ? [`  - Files: ${files.map(inlineCode).join(', ')}`] : []),
  ])
  return lines.join('\n')
}

/** The hidden lines at the end: which task in which words, and what is put to the vote. */
export const marks = (task: Attempt['task'], mark: ProposalMark): string =>
  `${taskMarker(task)}\n${proposalMarker(mark)}`

/** The message of a commit on a recovery branch. */
export function commitMessage(
  title: string,
  { task, number }: Attempt,
  what: string,
  run: Pick<RunState, 'runId'>,
  outcome: 'replaced' | 'asked',
  hash: string,
): string {
  const trailers = [
    `${trailer.run}: ${run.runId}`,
    `${trailer.task}: ${task.id}`,
    `${trailer.attempt}: ${number}`,
    `${trailer.fingerprint}: ${task.fingerprint}`,
    `${trailer.outcome}: ${outcome}`,
    `${trailer.proposal}: ${hash}`,
  ]
  return `${title}\n\n${task.id}: ${neutraliseTitle(task.title)}\n${what}\n\n${trailers.join('\n')}\n`
}

export const join = (sections: readonly string[]): string =>
  `${sections.filter((section) => section !== '').join('\n\n')}\n`
