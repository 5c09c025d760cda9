import { grantMarker } from '../domain/grant-marker.ts'
import { taskMarker, trailer } from '../domain/identity.ts'
import type { Attempt, Proposal, RunState } from '../domain/run-state.ts'
import type { Settings } from '../domain/settings.ts'
import type { Task } from '../domain/task.ts'
import type { Receipt } from '../domain/test-report.ts'
import { totalTokens } from '../domain/usage.ts'
import type { BranchTip } from '../ports.ts'
import { boundText } from '../safety/bound-text.ts'
import { fenced, neutralise, neutraliseLine } from '../safety/neutralise.ts'
import { summariseHidden } from './describe-hidden.ts'
import { describeCounts, describeRun } from './describe-receipt.ts'
import { writeTitle } from './write-commit-message.ts'
import { writeGrants } from './write-grants.ts'

/** Characters: GitHub takes 65,536 of a body, and the sections below want their share. */
const longestEvidence = 30_000
const longestTask = 15_000

/** A pull request's words. */
export interface PullRequestText {
  readonly title: string
  readonly body: string
}

/** The issue that a task comes from; `isLast`: merging this leaves nothing of it to do. */
export interface Origin {
  readonly issue: number
  readonly isLast: boolean
}

type Words = Pick<Settings, 'commit' | 'model'>

/** For a finished task: what was done and why it can be trusted first, machinery folded away. */
export function writePullRequest(
  attempt: Attempt,
  run: Pick<RunState, 'runId' | 'hidden'>,
  settings: Words,
  origin: Origin | null = null,
): PullRequestText {
  const { task, receipt, draft } = attempt
  const sections = [
    receipt === null ? '' : writeWarnings(receipt),
    whatWasDone(attempt, origin),
    origin === null ? '' : `${origin.isLast ? 'Closes' : 'Part of'} #${origin.issue}`,
    receipt === null ? '' : writeReceipt(receipt),
    notes([
      ...(draft?.notes ?? []),
      ...(receipt?.notes ?? []),
      summariseHidden(run.hidden, task.id),
    ]),
    writeGrants(attempt.grants),
    details('The task, as the roadmap has it', fenced(taskText(task), 'markdown')),
    machinery(attempt, run, settings),
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
  const { task, failure, broken } = attempt
  const problems = (failure?.problems ?? []).map((p) => `${p.path}:${p.line} ${p.message}`)
  const tests = broken.map(({ test, message }) => `${test}: ${message}`)
  const evidence = [failure?.message ?? '', ...problems, ...tests, failure?.output ?? '']
  const sections = [
    `**This attempt failed and is not to be merged as it is.** ${neutralise(proposal.explanation)}`,
    `The branch holds what the model wrote, so that nothing is lost. The bot leaves this task alone until the pull request is closed and the task is asked for by name.`,
    details(
      'Evidence',
      fenced(boundText(evidence.filter((line) => line !== '').join('\n'), longestEvidence)),
    ),
    attempt.receipt === null ? '' : writeWarnings(attempt.receipt),
    attempt.receipt === null ? '' : writeReceipt(attempt.receipt),
    details('The task, as the roadmap has it', fenced(taskText(task), 'markdown')),
    writeGrants(attempt.grants),
    machinery(attempt, run, settings),
    hiddenLines(attempt),
  ]
  return { title: writeTitle(task, settings), body: join(sections) }
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
    `The work was done by run ${code(run)}, which could not open this pull request.`,
    `**Verification**: ${neutralise(receipt)}`,
    details('The task, as the roadmap has it', fenced(taskText(task), 'markdown')),
    taskMarker(task),
  ]
  return { title: writeTitle(task, settings), body: join(sections) }
}

function whatWasDone({ task, draft }: Attempt, origin: Origin | null): string {
  const changes = draft?.changes ?? []
  const list = changes.map(({ action, path }) => `- ${action} ${code(path)}`).join('\n')
  const done =
    changes.length === 0
      ? `The code already did this${origin === null ? '; only the roadmap is ticked' : ''}.`
      : origin === null
        ? `${list}\n- tick the task in the roadmap`
        : list
  return `Completes **${task.id}**: ${neutraliseLine(task.title)}\n\n${done}`
}

/** The receipt as a maintainer reads it: the result, the counts, then each command. */
function writeReceipt(receipt: Receipt): string {
  if (receipt.commands.length === 0) {
    return `### Verification\n**${receipt.result}**: nothing was run, see the notes.`
  }
  const counts = receipt.after === null ? '' : `: ${describeCounts(receipt.before, receipt.after)}`
  const rows = receipt.commands.map((run) => {
    const before = run.before === undefined ? '–' : describeRun(run.before)
    return `| ${code(run.command)} | ${before} | ${describeRun(run)} | ${run.seconds.toFixed(1)} s |`
  })
  const sandbox = receipt.sandbox === null ? '' : `\n\nSandbox: ${receipt.sandbox}.`
  const table = ['| command | before | after | time |', '|---|---|---|--:|', ...rows].join('\n')
  return `### Verification\n**${receipt.result}**${counts}\n\n${table}${sandbox}`
}

/** What a reviewer must see first. */
function writeWarnings({ warnings = [] }: Receipt): string {
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

function machinery(attempt: Attempt, run: { readonly runId: string }, settings: Words): string {
  const { usage, number, validationRepairs, testRepairs, seconds } = attempt
  const rows = [
    `| run | \`${run.runId}\` |`,
    `| attempt | ${number} |`,
    `| repairs | ${validationRepairs} before writing, ${testRepairs} after tests |`,
    `| model | ${code(attempt.task.model ?? settings.model.name)}, ${usage.requests} requests |`,
    `| tokens | ${totalTokens(usage)} (${usage.promptTokens} in, ${usage.completionTokens} out) |`,
    `| cost | $${usage.dollars.toFixed(4)} |`,
    `| time | ${seconds.toFixed(1)} s |`,
  ]
  return details('How it was made', ['| | |', '|---|---|', ...rows].join('\n'))
}

const taskText = ({ title, details }: Task): string =>
  boundText(details === '' ? title : `${title}\n\n${details}`, longestTask)

/** As code on one line: no back-tick ends it, and no pipe the cell of a table. */
const code = (text: string): string => `\`${text.replaceAll(/[`|\s]+/g, ' ').trim()}\``

const details = (summary: string, body: string): string =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`

const join = (sections: readonly string[]): string =>
  `${sections.filter((section) => section !== '').join('\n\n')}\n`
