import { changesOf } from '../../core/domain/attempt.ts'
import { type CommitOutcome, trailer } from '../../core/domain/identity.ts'
import type { Attempt } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { neutraliseTitle } from '../../text/markdown/neutralise.ts'
import { describeReceipt } from './describe-receipt.ts'

/** Git shows about this much of a title; GitHub cuts it here. */
const titleLength = 72

/**
 * The commit's and the pull request's title, by the template of the config: one line, and of the
 * roadmap's words nothing that GitHub would act on.
 */
export function writeTitle(
  task: { readonly id: string; readonly title: string },
  settings: Pick<Settings, 'commit'>,
): string {
  const title = oneLine(
    settings.commit.title.replaceAll(/\{(id|title)\}/g, (_, name) =>
      name === 'id' ? task.id : neutraliseTitle(task.title),
    ),
  )
  const characters = [...title]
  return characters.length > titleLength
    ? `${characters
        .slice(0, titleLength - 1)
        .join('')
        .trimEnd()}…`
    : title
}

/** The title of what completes no task. */
export const titleOf = (
  verb: string,
  { task }: Pick<Attempt, 'task'>,
  { commit }: Pick<Settings, 'commit'>,
): string => writeTitle(task, { commit: { ...commit, title: `[Agent] ${verb} {id}: {title}` } })

/** What and why, then the trailers that bind the commit to run, task, attempt and receipt. */
export function writeCommitMessage(
  attempt: Attempt,
  run: { readonly runId: string },
  outcome: CommitOutcome,
  settings: Pick<Settings, 'commit'>,
): string {
  const { task } = attempt
  const paths = changesOf(attempt.draft).map(
    ({ action, path }) => `- ${action} ${neutraliseTitle(path)}`,
  )
  const receipt = attempt.receipt ? neutraliseTitle(describeReceipt(attempt.receipt)) : 'none'
  const trailers = [
    `${trailer.run}: ${run.runId}`,
    `${trailer.task}: ${task.id}`,
    `${trailer.attempt}: ${attempt.number}`,
    `${trailer.fingerprint}: ${task.fingerprint}`,
    `${trailer.outcome}: ${outcome}`,
    `${trailer.receipt}: ${receipt}`,
    ...settings.commit.coAuthors.map((author) => `Co-authored-by: ${oneLine(author)}`),
  ]
  // A failed attempt must not start the repository's CI.
  const skip = outcome === 'needs-human' ? '[skip ci]\n\n' : ''
  const body = [`${task.id}: ${neutraliseTitle(task.title)}`, ...paths].join('\n')
  return `${writeTitle(task, settings)}\n\n${skip}${body}\n\n${trailers.join('\n')}\n`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
