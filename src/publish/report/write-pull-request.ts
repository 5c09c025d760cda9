import type { Grant } from '../../core/domain/answer.ts'
import type { Attempt, Proposal } from '../../core/domain/attempt.ts'
import { changesOf, type StateFacts } from '../../core/domain/change-state.ts'
import { grantMarker, splitHidden } from '../../core/domain/hidden-lines.ts'
import type { HiddenRecord } from '../../core/domain/hidden-text.ts'
import { taskMarker, trailer } from '../../core/domain/identity.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Task } from '../../core/domain/task.ts'
import type { Receipt } from '../../core/domain/test-report.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import { neutralise, neutraliseLine } from '../../text/markdown/neutralise.ts'
import {
  headed,
  inlineCode,
  paragraphs,
  writeList,
  writeTable,
} from '../../text/markdown/write-markdown.ts'
import { attemptDetails, foldTask, writeAnswers, writeEvidence } from './describe-attempt.ts'
import { describeCounts, describeOutputs, describeRun } from './describe-receipt.ts'
import { titleOf, writeTitle } from './write-commit-message.ts'

/** A pull request's words. */
export interface PullRequestText {
  readonly title: string
  readonly body: string
}

/** The issue that a task comes from; `isLast`: merging this leaves nothing of it to do. */
export interface IssueOrigin {
  readonly issue: number
  readonly isLast: boolean
}

type Words = Pick<Settings, 'commit' | 'model'>

/** For a finished task: what was done and why it can be trusted first, run details folded away. */
export function writePullRequest(
  attempt: Attempt,
  state: StateFacts<'run.id' | 'record.hidden'>,
  settings: Words,
  origin: IssueOrigin | null = null,
): PullRequestText {
  const { task, receipt, draft } = attempt
  const warnings = draft?.warnings ?? []
  const unseen = receipt?.result === 'unverified' ? [whyUnseen(receipt)] : []
  const notes = [
    ...(draft?.notes ?? []).filter((note) => !warnings.includes(note)),
    ...(unseen.length > 0 ? [] : (receipt?.notes ?? [])),
    ...summariseHidden(state.record.hidden, task.id),
  ]
  return textOf(writeTitle(task, settings), [
    writeWarnings([...unseen, ...(receipt?.warnings ?? []), ...warnings]),
    whatWasDone(attempt, origin),
    origin === null ? '' : `${origin.isLast ? 'Closes' : 'Part of'} #${origin.issue}`,
    writeReceipt(receipt),
    headed('### Notes', writeList(notes.map(neutraliseLine))),
    ...endOf(attempt, state, settings),
  ])
}

/** For a failed attempt that a person should look at. */
export function writeEscalation(
  attempt: Attempt,
  proposal: Proposal,
  state: StateFacts<'run.id'>,
  settings: Words,
): PullRequestText {
  const { receipt, failure } = attempt
  return textOf(titleOf('Did not complete', attempt, settings), [
    `**This attempt failed and is not to be merged as it is.** ${neutralise(proposal.explanation)}`,
    'The branch holds what the model wrote, so that nothing is lost. Nothing more is tried until somebody answers.',
    `### Evidence\n\n${writeEvidence(attempt)}`,
    writeAnswers(
      ['retry', 'decompose', 'rewrite', 'edit', 'defer', 'skip', 'reject'],
      'Or mend the code on this branch yourself, and merge it. To close this is to reject.',
    ),
    writeWarnings(receipt?.warnings ?? []),
    writeReceipt(receipt, !failure?.output),
    ...endOf(attempt, state, settings),
  ])
}

/** For a finished branch whose pull request could not be opened at the time. */
export function writeAdoptedPullRequest(
  task: Task,
  { trailers }: BranchTip,
  settings: Pick<Settings, 'commit'>,
): PullRequestText {
  const run = inlineCode(trailers[trailer.run] ?? 'unknown')
  return textOf(writeTitle(task, settings), [
    completes(task),
    `The work was done by run ${run}, which could not open this pull request.`,
    `**Verification**: ${neutralise(trailers[trailer.receipt] ?? 'none')}`,
    foldTask(task),
    taskMarker(task),
  ])
}

const textOf = (title: string, parts: readonly string[]): PullRequestText => ({
  title,
  body: `${paragraphs(parts)}\n`,
})

/** What its task may change besides its scope, the details, and the hidden lines without a blank line between. */
const endOf = (
  attempt: Attempt,
  state: StateFacts<'run.id'>,
  settings: Words,
): readonly string[] => [
  attempt.grants.map(writeGrant).join('\n'),
  attemptDetails(attempt, state, settings),
  [...attempt.grants.map(grantMarker), taskMarker(attempt.task)].join('\n'),
]

const writeGrant = ({ path, by }: Grant): string =>
  `- ${inlineCode(by)} lets this task change ${inlineCode(path)}.`

/** A body with one more grant: the line for people before the hidden lines at its end. */
export function withGrant(body: string, grant: Grant): string {
  const { words, hidden } = splitHidden(body)
  const end = [grantMarker(grant), ...hidden].join('\n')
  return `${[words, writeGrant(grant), end].join('\n\n')}\n`
}

const completes = ({ id, title }: Task): string => `Completes **${id}**: ${neutraliseLine(title)}`

function whatWasDone({ task, draft }: Attempt, origin: IssueOrigin | null): string {
  const changes = changesOf(draft).map(({ action, path }) => `${action} ${inlineCode(path)}`)
  const tick = origin === null ? ['tick the task in the roadmap'] : []
  const onlyTick = origin === null ? '; only the roadmap is ticked' : ''
  const done =
    changes.length === 0
      ? `The code already did this${onlyTick}.`
      : writeList([...changes, ...tick])
  const locks = (draft?.locks ?? []).map(
    ({ change, command }) =>
      `${inlineCode(change.path)} was not written by the model: ${inlineCode(command)} made it of the changed manifest.`,
  )
  return [completes(task), done, ...locks].join('\n\n')
}

/** The receipt as a maintainer reads it: the result, the counts, then each command. */
function writeReceipt(receipt: Receipt | null, withOutputs = true): string {
  if (receipt === null) return ''
  const { result, before, after, commands, sandbox } = receipt
  if (commands.length === 0) return `### Verification\n**${result}**: nothing was run.`
  const counts = after === null ? '' : `: ${describeCounts(before, after)}`
  const rows = commands.map((run) => [
    inlineCode(run.command),
    run.before === undefined ? '–' : describeRun(run.before),
    describeRun(run),
    `${run.seconds.toFixed(1)} s`,
  ])
  return paragraphs([
    `### Verification\n**${result}**${counts}`,
    writeTable(['command', 'before', 'after', 'time:'], rows),
    sandbox === null ? '' : `Sandbox: ${sandbox}.`,
    ...(withOutputs ? describeOutputs(receipt) : []),
  ])
}

const whyUnseen = ({ notes: why }: Receipt): string =>
  `No test has seen this work.${why.map((one) => ` ${one}`).join('')} Try it yourself before you merge it.`

/** What a reviewer must see first. */
function writeWarnings(warnings: readonly string[]): string {
  if (warnings.length === 0) return ''
  const lines = warnings.map((warning) => `> - ${neutraliseLine(warning)}`)
  return ['> [!WARNING]', '> **Look at this first**', ...lines].join('\n')
}

const mostPlaces = 5

/** How much hidden text was kept from the model, by place: one sentence at most. */
function summariseHidden(records: readonly HiddenRecord[], taskId: string): readonly string[] {
  const own = records.filter((record) => record.taskId === taskId)
  if (own.length === 0) return []
  const places = [...Map.groupBy(own, ({ path }) => path ?? 'the roadmap')].map(
    ([place, { length }]) => `${length} in ${place}`,
  )
  const left = places.length - mostPlaces
  const more = left > 0 ? ` and ${left} more files` : ''
  const shown = places.slice(0, mostPlaces).join(', ')
  return [
    `Text that a reader does not see was kept from the model: ${shown}${more}. The run's report shows it.`,
  ]
}
