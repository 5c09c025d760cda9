import type { Receipt } from '../../../packages/judge/judge.ts'
import { membersOf, type Task } from '../../../packages/task/task.ts'
import {
  alert,
  fold,
  type HiddenRecord,
  inlineCode,
  neutraliseLine,
  paragraphs,
  splitHidden,
  writeList,
} from '../../../packages/text/text.ts'
import type { Grant } from '../../core/domain/answer.ts'
import type { Attempt, Proposal } from '../../core/domain/attempt.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { grantMarker } from '../../core/domain/hidden-lines.ts'
import { memberMarker, taskMarker, trailer } from '../../core/domain/identity.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import {
  describeTaken,
  foldTask,
  type LogPlace,
  writeAnswers,
  writeEvidence,
} from './describe-attempt.ts'
import {
  describeSaid,
  describeSize,
  describeTouched,
  describeUntested,
  listFiles,
} from './describe-change.ts'
import { describeNewTests, describeVerdict, foldCommands } from './describe-verification.ts'
import { failedTitle, writeTitle } from './write-commit-message.ts'

export interface PullRequestText {
  readonly title: string
  readonly body: string
}

/** The issue that a task comes from; `isLast` when merging this completes the issue. */
export interface IssueOrigin {
  readonly issue: number
  readonly isLast: boolean
}

/** Facts that are not part of the attempt. */
interface PullRequestParts {
  readonly origin?: IssueOrigin | null
  /** The scratchpad, folded. */
  readonly notes?: string
}

type Words = Pick<Settings, 'commit' | 'model' | 'merge'> & LogPlace

/** The most notes shown with a box of warnings, and without one. */
const mostNotes = { beside: 0, alone: 2 } as const

/**
 * The pull request of a finished task: one screen with what a reviewer decides on, the rest folded. Warnings come
 * first.
 */
export function writePullRequest(
  attempt: Attempt,
  state: StateFacts<'run.id' | 'record.hidden'>,
  settings: Words,
  { origin = null, notes: scratch = '' }: PullRequestParts = {},
): PullRequestText {
  const { task, receipt, draft } = attempt
  const warnings = draft?.warnings ?? []
  const unseen = receipt?.result === 'unverified' ? whyUnseen(receipt) : null
  const notes = [
    ...(draft?.notes ?? []).filter((note) => !warnings.includes(note)),
    ...(unseen === null ? (receipt?.notes ?? []) : []),
    ...summariseHidden(state.record.hidden, task.id),
  ]
  const warned = writeWarnings([...(receipt?.warnings ?? []), ...warnings], unseen)
  const most = warned.box === '' ? mostNotes.alone : mostNotes.beside
  const lines = [
    ...(receipt === null ? [] : describeNewTests(receipt)),
    ...notes.slice(0, most).map(neutraliseLine),
  ]
  return textOf(writeTitle(task, settings), [
    warned.box,
    completes(task),
    describeSaid(attempt),
    `${describeSize(attempt, origin === null)}${describeTouched(receipt)}`,
    origin === null ? '' : `${origin.isLast ? 'Closes' : 'Part of'} #${origin.issue}`,
    receipt === null ? '' : `${describeVerdict(receipt)}${describeUntested(attempt)}`,
    writeList(lines),
    howToAnswer(task, settings),
    describeTaken(attempt, state, settings),
    warned.rest,
    scratch,
    foldList('Notes', notes.slice(most)),
    listFiles(attempt),
    receipt === null ? '' : foldCommands(receipt),
    ...endOf(attempt),
  ])
}

/** How to change, reject or undo it, in one line. */
function howToAnswer({ members }: Task, { merge }: Pick<Settings, 'merge'>): string {
  const approve = merge.onApprove ? ['**Merge it** when its checks are green: `/approve`'] : []
  return [
    ...approve,
    '**Change it**: `/revise <what to change>`',
    '**Reject it**: `/reject`',
    ...(members === undefined ? [] : [oneOf(members)]),
    '**Undo it**, also once merged: `/rollback`',
  ].join(' · ')
}

/** How to take one task out of a group. */
const oneOf = (members: readonly Task[]): string =>
  `**One of its tasks**: \`/retry ${members.at(-1)?.id}\`, \`/skip ${members.at(-1)?.id}\``

const foldList = (what: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : fold(`${what} (${lines.length})`, writeList(lines.map(neutraliseLine)))

const answersToFailure = writeAnswers(
  ['retry', 'revise', 'skip'],
  ['decompose', 'rewrite', 'edit', 'defer', 'reject'],
  'Closing this counts as `/reject`. You can also fix the code on this branch and merge it.',
)

/** The pull request of a failed attempt, for a person to read. */
export function writeEscalation(
  attempt: Attempt,
  proposal: Proposal,
  state: StateFacts<'run.id'>,
  settings: Words,
  scratch = '',
): PullRequestText {
  const { task, receipt, failure } = attempt
  const evidence = writeEvidence(attempt, 3)
  return textOf(failedTitle(attempt, settings), [
    alert('CAUTION', [
      `**This attempt at ${task.id} failed. Do not merge it as it is.**`,
      neutraliseLine(proposal.explanation),
    ]),
    neutraliseLine(task.title),
    evidence.shown,
    answersToFailure.shown,
    describeTaken(attempt, state, settings),
    scratch,
    evidence.folded,
    answersToFailure.folded,
    foldList('Warnings', receipt?.warnings ?? []),
    receipt === null ? '' : foldCommands(receipt, !failure?.output),
    ...endOf(attempt),
  ])
}

/** The pull request of a finished branch whose own could not be opened at the time. */
export function writeAdoptedPullRequest(
  task: Task,
  { trailers }: BranchTip,
  settings: Pick<Settings, 'commit' | 'merge'>,
): PullRequestText {
  const run = inlineCode(trailers[trailer.run] ?? 'unknown')
  return textOf(writeTitle(task, settings), [
    completes(task),
    `**Verification**: ${neutraliseLine(trailers[trailer.receipt] ?? 'none')}`,
    howToAnswer(task, settings),
    `<sub>Run ${run} did the work, and could not open this pull request.</sub>`,
    foldTask(task),
    taskMarkers(task).join('\n'),
  ])
}

const textOf = (title: string, parts: readonly string[]): PullRequestText => ({
  title,
  body: `${paragraphs(parts)}\n`,
})

/** The paths allowed beyond its scope, the task's text, and the hidden lines, which no blank line separates. */
const endOf = ({ task, grants }: Attempt): readonly string[] => [
  grants.map(writeGrant).join('\n'),
  foldTask(task),
  [...grants.map(grantMarker), ...taskMarkers(task)].join('\n'),
]

const writeGrant = ({ path, by }: Grant): string =>
  `- ${inlineCode(by)} lets this task change ${inlineCode(path)}.`

/** Adds a grant to a body: a line for people, before the hidden lines at the end. */
export function withGrant(body: string, grant: Grant): string {
  const { words, hidden } = splitHidden(body)
  const end = [grantMarker(grant), ...hidden].join('\n')
  return `${[words, writeGrant(grant), end].join('\n\n')}\n`
}

function completes(task: Task): string {
  const lines = membersOf(task).map(({ id, title }) => `**${id}**: ${neutraliseLine(title)}`)
  const owner = task.owner === undefined ? '' : ` (owner: ${neutraliseLine(task.owner)})`
  return lines.length === 1
    ? `Completes ${lines[0]}${owner}`
    : `Completes ${lines.length} tasks:\n\n${writeList(lines)}`
}

/** The hidden lines that name the tasks; that of the first is the last. */
const taskMarkers = (task: Task): readonly string[] => [
  ...(task.members ?? []).map(memberMarker),
  taskMarker(task),
]

const whyUnseen = ({ notes: why }: Receipt): string =>
  `**No test has checked this change.**${why.map((one) => ` ${neutraliseLine(one)}`).join('')} Try it before you merge it.`

/** The most warnings outside the fold. */
const mostWarnings = 3

/** The warnings to read first, in a box, and the rest, folded. */
function writeWarnings(
  warnings: readonly string[],
  unseen: string | null,
): { readonly box: string; readonly rest: string } {
  if (warnings.length === 0 && unseen === null) return { box: '', rest: '' }
  const left = warnings.length - mostWarnings
  const more = left > 0 ? [`- and ${left} more, below`] : []
  const lines = warnings.slice(0, mostWarnings).map((warning) => `- ${neutraliseLine(warning)}`)
  const head = unseen ?? '**Look at this first**'
  return {
    box: alert('WARNING', [head, ...lines, ...more]),
    rest: foldList('More warnings', warnings.slice(mostWarnings)),
  }
}

const mostPlaces = 5

/** How much hidden text the executor kept from the model, by file, in at most one sentence. */
function summariseHidden(records: readonly HiddenRecord[], taskId: string): readonly string[] {
  const own = records.filter((record) => record.taskId === taskId)
  if (own.length === 0) return []
  const places = [...Map.groupBy(own, ({ path }) => path ?? 'the roadmap')].map(
    ([place, { length }]) => `${length} in ${place}`,
  )
  const left = places.length - mostPlaces
  const more = left > 0 ? ` and ${left} more files` : ''
  const shown = places.slice(0, mostPlaces).join(', ')
  return [`Hidden text was kept from the model: ${shown}${more}. The run's report quotes it.`]
}
