/** What a rollback leaves behind in words: commits, comments, a proposal. */
import { type CommitOutcome, trailer } from '../../core/domain/identity.ts'
import type { CommitRecord } from '../../core/ports/workspace.ts'
import { neutraliseTitle } from '../../text/markdown/neutralise.ts'
import type { Operation, UndoneCommit } from './operation.ts'

/** Begins the comment that says why a pull request was closed. */
export const rollbackMarker = '<!-- executor:rollback -->'

const nothingLeft: CommitOutcome = 'rolled-back'

/**
 * Its trailers say which commit it is about, and what the branch is worth with it: nothing any more, or
 * as much as the earlier commit of ours that is in effect again.
 */
export function writeRevertMessage(
  { task, sha, title, run, attempt }: UndoneCommit,
  below: Pick<CommitRecord, 'trailers'> | null,
): string {
  const worth = [trailer.fingerprint, trailer.outcome, trailer.receipt, trailer.proposal].flatMap(
    (name) => {
      const value = below?.trailers[name]
      return value === undefined ? [] : [`${name}: ${value}`]
    },
  )
  const trailers = [
    ...(run === null ? [] : [`${trailer.run}: ${run}`]),
    `${trailer.task}: ${task}`,
    ...(attempt === null ? [] : [`${trailer.attempt}: ${attempt}`]),
    ...(below === null ? [`${trailer.outcome}: ${nothingLeft}`] : worth),
    `${trailer.reverts}: ${sha}`,
  ]
  return `Revert "${titleOf({ title })}"\n\nThis reverts commit ${sha}.\n\n${trailers.join('\n')}\n`
}

/** On a pull request that is closed. */
export function writeClosingComment(task: string): string {
  return `${rollbackMarker}
**Rolled back.** Somebody ran \`executor rollback\`, so this is closed without merging, and what the bot committed is taken back on the branch by new commits. Commits of people stay.

${task} is open again: the next run tries it anew. To set it aside for good, write \`/skip\`.
`
}

/** A pull request that takes back what was merged. */
export function writeRevertProposal(
  operation: Extract<Operation, { readonly kind: 'propose_revert' }>,
  base: string,
): { readonly title: string; readonly body: string } {
  const { task, sha, number } = operation
  const what = number === null ? `commit ${sha}` : `#${number}`
  return {
    title: `Take back ${titleOf(operation)}`,
    body: `Takes back what ${what} brought to \`${base}\` for ${task}, its tick in the roadmap included. The bot never writes to \`${base}\` by itself: merge this to roll back, or close it to leave things as they are. Once it is merged, ${task} is open again.\n`,
  }
}

const titleOf = ({ title }: Pick<UndoneCommit, 'title'>): string => neutraliseTitle(title)
