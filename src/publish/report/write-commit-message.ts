import { type ChangeSet, changesOf } from '../../../packages/change/change.ts'
import { idsOf, membersOf, type Task } from '../../../packages/task/task.ts'
import { neutraliseTitle, oneLine } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import { taskIdOfBranch } from '../../core/domain/branches.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import {
  type CommitOutcome,
  groupTrailer,
  label,
  tasksInBody,
  trailer,
} from '../../core/domain/identity.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import { describeReceipt } from './describe-verification.ts'

/** GitHub cuts a title at this length; git shows about as much. */
const titleLength = 72

/**
 * The title of a commit and its pull request, from the configured template: one line, with the roadmap's text
 * neutralised so that GitHub does not act on it.
 */
export function writeTitle(
  task: Pick<Task, 'id' | 'title' | 'members'>,
  { commit }: Pick<Settings, 'commit'>,
): string {
  const title = oneLine(
    commit.title.replaceAll(/\{(id|title)\}/g, (_, name) =>
      name === 'id' ? idsOf(task) : neutraliseTitle(task.title),
    ),
  )
  const characters = [...title]
  if (characters.length <= titleLength) return title
  const kept = characters.slice(0, titleLength - 1).join('')
  return `${kept.trimEnd()}…`
}

/** The title of a commit that does not complete a task. */
export const titleOf = (
  verb: string,
  { task }: Pick<Attempt, 'task'>,
  { commit }: Pick<Settings, 'commit'>,
): string => writeTitle(task, { commit: { ...commit, title: `[Agent] ${verb} {id}: {title}` } })

/** The title of a failed attempt, in its commit and its pull request. */
export const failedTitle = (
  attempt: Pick<Attempt, 'task'>,
  settings: Pick<Settings, 'commit'>,
): string => titleOf('Did not complete', attempt, settings)

/**
 * What and why, then the trailers that bind the commit to run, task, attempt and receipt.
 *
 * @param part the task of a group that the commit completes, and its changes
 */
export function writeCommitMessage(
  attempt: Attempt,
  state: StateFacts<'run.id'>,
  outcome: CommitOutcome,
  settings: Pick<Settings, 'commit'>,
  part?: { readonly member: Task; readonly changes: ChangeSet },
): string {
  const { member = attempt.task, changes = changesOf(attempt.draft) } = part ?? {}
  const paths = changes.map(({ action, path }) => `- ${action} ${neutraliseTitle(path)}`)
  const receipt = attempt.receipt ? neutraliseTitle(describeReceipt(attempt.receipt)) : 'none'
  const isFailed = outcome === 'needs-human'
  return message(
    isFailed ? failedTitle(attempt, settings) : writeTitle(member, settings),
    [...membersOf(member).map(taskLine), ...paths],
    [
      ...trailersOf(attempt, state, outcome),
      ...(part === undefined ? [] : [`${trailer.member}: ${member.id}`]),
      `${trailer.receipt}: ${receipt}`,
      ...settings.commit.coAuthors.map((author) => `Co-authored-by: ${oneLine(author)}`),
    ],
  )
}

/** The message of a commit on a recovery branch; `hash` is the proposal's. */
export const writeProposalMessage = (
  title: string,
  attempt: Attempt,
  what: string,
  state: StateFacts<'run.id'>,
  outcome: 'replaced' | 'asked',
  hash: string,
): string =>
  message(
    title,
    [taskLine(attempt.task), what],
    [...trailersOf(attempt, state, outcome), `${trailer.proposal}: ${hash}`],
  )

/**
 * The message of a merge that brings the executor's work up to date. It repeats the trailers of the work, so that the
 * branch's last commit identifies it as the executor's, no matter who wrote the one before.
 */
export function writeMergeMessage(
  what: string,
  pullRequest: Pick<PullRequest, 'head' | 'body' | 'labels'>,
  { trailers }: Pick<BranchTip, 'trailers'>,
): string {
  const known = Object.values(trailer).flatMap((name) => {
    const value = trailers[name]
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  const own = trailers[trailer.task] === undefined ? trailersIn(pullRequest) : known
  const why =
    'Brings the branch up to date, so that it can be merged. The work itself is unchanged.'
  return message(`${what} into ${pullRequest.head}`, [why], own)
}

/** The trailers according to the pull request, for a branch whose last commit a person wrote. */
function trailersIn(pull: Pick<PullRequest, 'head' | 'body' | 'labels'>): readonly string[] {
  const { head, body, labels } = pull
  const tasks = tasksInBody(body)
  const task = tasks.find(({ id }) => id === taskIdOfBranch(head))
  if (task === undefined) return []
  const unverified = labels.includes(label.unverified) ? 'unverified' : 'done'
  return [
    `${trailer.task}: ${task.id}`,
    `${trailer.fingerprint}: ${task.fingerprint}`,
    `${trailer.outcome}: ${labels.includes(label.needsHuman) ? 'needs-human' : unverified}`,
    ...(tasks.length === 1 ? [] : [`${trailer.group}: ${groupTrailer(tasks)}`]),
  ]
}

const taskLine = ({ id, title }: Task): string => `${id}: ${neutraliseTitle(title)}`

const trailersOf = (
  { task, number, start }: Attempt,
  { run: { id } }: StateFacts<'run.id'>,
  outcome: CommitOutcome,
): readonly string[] => [
  `${trailer.run}: ${id}`,
  `${trailer.task}: ${task.id}`,
  `${trailer.attempt}: ${number}`,
  `${trailer.fingerprint}: ${task.fingerprint}`,
  `${trailer.outcome}: ${outcome}`,
  ...(task.members === undefined
    ? []
    : [`${trailer.group}: ${groupTrailer(task.members)}`, `${trailer.start}: ${start.sha}`]),
]

/** A failed attempt must not start the repository's CI. */
function message(title: string, body: readonly string[], trailers: readonly string[]): string {
  const skip = trailers.includes(`${trailer.outcome}: needs-human`) ? ['[skip ci]'] : []
  const end = trailers.length === 0 ? [] : [trailers.join('\n')]
  return `${[title, ...skip, body.join('\n'), ...end].join('\n\n')}\n`
}
