import { changesOf } from '../../core/domain/attempt.ts'
import { grantMarker } from '../../core/domain/grant-marker.ts'
import { taskMarker, trailer } from '../../core/domain/identity.ts'
import type { Attempt, Proposal, RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Task } from '../../core/domain/task.ts'
import type { Receipt } from '../../core/domain/test-report.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'
import { fold } from '../../text/markdown/fold.ts'
import { inlineCode } from '../../text/markdown/inline-code.ts'
import { fenced, neutralise, neutraliseLine } from '../../text/markdown/neutralise.ts'
import { boundText } from '../../text/words/bound-text.ts'
import { summariseHidden } from './describe-hidden.ts'
import { describeCounts, describeOutputs, describeRun } from './describe-receipt.ts'
import { writeAnswers } from './write-answers.ts'
import { titleOf, writeTitle } from './write-commit-message.ts'
import { writeEvidence } from './write-evidence.ts'
import { writeGrants } from './write-grants.ts'

/** Characters: GitHub takes 65,536 of a body, and other sections want their share. */
const longestTask = 15_000

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
  run: Pick<RunState, 'runId' | 'hidden'>,
  settings: Words,
  origin: IssueOrigin | null = null,
): PullRequestText {
  const { task, receipt, draft } = attempt
  const warnings = draft?.warnings ?? []
  const unseen = receipt?.result === 'unverified' ? [whyUnseen(receipt)] : []
  const sections = [
    writeWarnings([...unseen, ...(receipt?.warnings ?? []), ...warnings]),
    whatWasDone(attempt, origin),
    origin === null ? '' : `${origin.isLast ? 'Closes' : 'Part of'} #${origin.issue}`,
    receipt === null ? '' : writeReceipt(receipt),
    notes([
      ...(draft?.notes ?? []).filter((note) => !warnings.includes(note)),
      ...(unseen.length > 0 ? [] : (receipt?.notes ?? [])),
      summariseHidden(run.hidden, task.id),
    ]),
    writeGrants(attempt.grants),
    fold('The task, as the roadmap has it', fenced(taskText(task), 'markdown')),
    runDetails(attempt, run, settings),
    hiddenLines(attempt),
  ]
  return { title: writeTitle(task, settings), body: join(sections) }
}

/** For a failed attempt that a person should look at. */
export function writeEscalation(
  attempt: Attempt,
  proposal: Proposal,
  run: { readonly runId: string },
  settings: Words,
): PullRequestText {
  const { task } = attempt
  const sections = [
    `**This attempt failed and is not to be merged as it is.** ${neutralise(proposal.explanation)}`,
    'The branch holds what the model wrote, so that nothing is lost. Nothing more is tried until somebody answers.',
    `### Evidence\n\n${writeEvidence(attempt)}`,
    writeAnswers(
      ['retry', 'decompose', 'rewrite', 'edit', 'defer', 'skip', 'reject'],
      'Or mend the code on this branch yourself, and merge it. To close this is to reject.',
    ),
    attempt.receipt === null ? '' : writeWarnings(attempt.receipt.warnings ?? []),
    attempt.receipt === null ? '' : writeReceipt(attempt.receipt, !attempt.failure?.output),
    fold('The task, as the roadmap has it', fenced(taskText(task), 'markdown')),
    writeGrants(attempt.grants),
    runDetails(attempt, run, settings),
    hiddenLines(attempt),
  ]
  return { title: titleOf('Did not complete', attempt, settings), body: join(sections) }
}

/** What is read back from a body's end, without a blank line between. */
const hiddenLines = ({ grants, task }: Attempt): string =>
  [...grants.map(grantMarker), taskMarker(task)].join('\n')

/** For a finished branch whose pull request could not be opened at the time. */
export function writeAdoptedPullRequest(
  task: Task,
  branch: BranchTip,
  settings: Pick<Settings, 'commit'>,
): PullRequestText {
  const receipt = branch.trailers[trailer.receipt] ?? 'none'
  const run = branch.trailers[trailer.run] ?? 'unknown'
  const sections = [
    `Completes **${task.id}**: ${neutraliseLine(task.title)}`,
    `The work was done by run ${inlineCode(run)}, which could not open this pull request.`,
    `**Verification**: ${neutralise(receipt)}`,
    fold('The task, as the roadmap has it', fenced(taskText(task), 'markdown')),
    taskMarker(task),
  ]
  return { title: writeTitle(task, settings), body: join(sections) }
}

function whatWasDone({ task, draft }: Attempt, origin: IssueOrigin | null): string {
  const changes = changesOf(draft)
  const list = changes.map(({ action, path }) => `- ${action} ${inlineCode(path)}`).join('\n')
  const done =
    changes.length === 0
      ? `The code already did this${origin === null ? '; only the roadmap is ticked' : ''}.`
      : origin === null
        ? `${list}\n- tick the task in the roadmap`
        : list
  const locks = (draft?.locks ?? []).map(
    ({ change, command }) =>
      `${inlineCode(change.path)} was not written by the model: ${inlineCode(command)} made it of the changed manifest.`,
  )
  return [`Completes **${task.id}**: ${neutraliseLine(task.title)}`, done, ...locks].join('\n\n')
}

/** The receipt as a maintainer reads it: the result, the counts, then each command. */
function writeReceipt(receipt: Receipt, withOutputs = true): string {
  if (receipt.commands.length === 0) {
    return `### Verification\n**${receipt.result}**: nothing was run.`
  }
  const counts = receipt.after === null ? '' : `: ${describeCounts(receipt.before, receipt.after)}`
  const rows = receipt.commands.map((run) => {
    const before = run.before === undefined ? '–' : describeRun(run.before)
    return `| ${inlineCode(run.command)} | ${before} | ${describeRun(run)} | ${run.seconds.toFixed(1)} s |`
  })
  const sandbox = receipt.sandbox === null ? '' : `\n\nSandbox: ${receipt.sandbox}.`
  const table = ['| command | before | after | time |', '|---|---|---|--:|', ...rows].join('\n')
  const outputs = withOutputs ? describeOutputs(receipt).map((each) => `\n\n${each}`) : []
  return `### Verification\n**${receipt.result}**${counts}\n\n${table}${sandbox}${outputs.join('')}`
}

const whyUnseen = ({ notes: why }: Receipt): string =>
  `No test has seen this work.${why.map((one) => ` ${one}`).join('')} Try it yourself before you merge it.`

/** What a reviewer must see first. */
function writeWarnings(warnings: readonly string[]): string {
  if (warnings.length === 0) return ''
  const lines = warnings.map((warning) => `> - ${neutraliseLine(warning)}`)
  return ['> [!WARNING]', '> **Look at this first**', ...lines].join('\n')
}

function notes(lines: readonly string[]): string {
  const said = lines.filter((line) => line !== '')
  return said.length === 0
    ? ''
    : `### Notes\n${said.map((line) => `- ${neutraliseLine(line)}`).join('\n')}`
}

/** What it took, folded away. */
export function runDetails(
  attempt: Attempt,
  run: { readonly runId: string },
  settings: Words,
): string {
  const { usage, number, validationRepairs, testRepairs, seconds } = attempt
  const rows = [
    `| run | \`${run.runId}\` |`,
    `| attempt | ${number} |`,
    `| repairs | ${validationRepairs} before writing, ${testRepairs} after tests |`,
    `| model | ${inlineCode(attempt.task.model ?? settings.model.name)}, ${usage.requests} requests |`,
    `| tokens | ${totalTokens(usage)} (${usage.promptTokens} in, ${usage.completionTokens} out) |`,
    `| cost | $${usage.dollars.toFixed(4)} |`,
    `| time | ${seconds.toFixed(1)} s |`,
  ]
  return fold('How it was made', ['| | |', '|---|---|', ...rows].join('\n'))
}

/** The task's words, bounded. */
export const taskText = ({ title, details }: Task): string =>
  boundText(details === '' ? title : `${title}\n\n${details}`, longestTask)

const join = (sections: readonly string[]): string =>
  `${sections.filter((section) => section !== '').join('\n\n')}\n`
