/**
 * Carries out what a rollback is to take back, one thing after another. Each is looked up anew or is a
 * compare-and-swap: a rollback that was killed is simply asked for once more.
 */
import { type CommitOutcome, label, trailer } from '../../core/domain/identity.ts'
import type { ForgeResult } from '../../core/ports/forge.ts'
import type { CommitRecord, PublishResult } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { neutraliseTitle } from '../../text/markdown/neutralise.ts'
import type { Operation, UndoneCommit } from './operation.ts'
import { readLine } from './read-line.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings'>

/** `left`: it is as it was; `detail` says why, and what helps. */
export interface Undone {
  readonly outcome: 'done' | 'left'
  readonly detail: string
}

const done = (detail = ''): Undone => ({ outcome: 'done', detail })
const left = (detail: string): Undone => ({ outcome: 'left', detail })

export async function undo(operation: Operation, ports: Needs): Promise<Undone> {
  switch (operation.kind) {
    case 'drop':
      // What the run remembers of it goes with its state.
      await ports.workspace.discard(operation.task)
      return done()
    case 'unpark':
      return published(await ports.workspace.park(operation.task, null), 'what was parked')
    case 'close':
      return closePullRequest(operation, ports)
    case 'revert':
      return revertCommit(operation, ports)
    case 'propose_revert':
      return proposeRevert(operation, ports)
  }
}

/** The label before the closing: whatever ends us between the two, it says how it was meant. */
async function closePullRequest(
  { number, task }: Extract<Operation, { readonly kind: 'close' }>,
  { forge }: Needs,
): Promise<Undone> {
  const steps: readonly (() => Promise<ForgeResult<null>>)[] = [
    () => forge.upsertComment(number, rollbackMarker, writeClosingComment(task)),
    () => forge.label(number, { add: [label.rolledBack] }),
    () => forge.close(number),
  ]
  for (const step of steps) {
    const result = await step()
    if (result.status === 'refused') return left(result.detail)
  }
  return done()
}

async function revertCommit(
  operation: Extract<Operation, { readonly kind: 'revert' }>,
  ports: Needs,
): Promise<Undone> {
  const { branch, sha } = operation
  const view = await ports.workspace.refresh()
  const tip = view.branches.find(({ name }) => name === branch)
  const line = tip && (await readLine(tip, view, ports))
  if (!line) return left(`${branch} is gone`)
  if (!line.own.some((commit) => commit.sha === sha)) return done('it was taken back meanwhile')
  const back = await ports.workspace.revert({
    onto: line.tip.sha,
    commit: sha,
    also: [],
    message: writeRevertMessage(operation, line.own.find((commit) => commit.sha !== sha) ?? null),
  })
  if (back.status === 'nothing_to_merge') return left(`nothing of it is left on ${branch}`)
  if (back.status === 'conflict') {
    const where = back.paths.length === 0 ? 'it' : `it in ${back.paths.join(', ')}`
    return left(`what somebody committed on top conflicts with ${where}: revert it by hand`)
  }
  return published(await ports.workspace.publish(branch, back.sha, line.tip.sha), branch)
}

/** On the branch of the task, grown from the base: the base itself is never written. */
async function proposeRevert(
  operation: Extract<Operation, { readonly kind: 'propose_revert' }>,
  ports: Needs,
): Promise<Undone> {
  const { workspace, forge } = ports
  const { branch, sha } = operation
  const { base, branches } = await workspace.refresh()
  const tip = branches.find(({ name }) => name === branch)
  const isIn = tip !== undefined && (await workspace.contains(base.sha, tip.sha))
  // Pushed by a rollback that was killed before it could ask.
  const isThere = tip !== undefined && tip.trailers[trailer.reverts] === sha && !isIn
  if (!isThere) {
    const back = await workspace.revert({
      onto: base.sha,
      commit: sha,
      also: tip === undefined || isIn ? [] : [tip.sha],
      message: writeRevertMessage(operation, null),
    })
    if (back.status === 'nothing_to_merge') return left(`nothing of it is left on ${base.branch}`)
    if (back.status === 'conflict') {
      return left(`later work conflicts with it in ${back.paths.join(', ')}: revert it by hand`)
    }
    const pushed = await workspace.publish(branch, back.sha, tip?.sha ?? null)
    if (pushed.status !== 'published') return published(pushed, branch)
  }
  const opened = await forge.upsertPullRequest({
    head: branch,
    base: base.branch,
    ...writeRevertProposal(operation, base.branch),
    labels: [label.rolledBack],
    draft: false,
    reviewers: ports.settings.pullRequest.reviewers,
    assignees: [],
  })
  if (opened.status === 'refused') return left(`${branch} is pushed; ${opened.detail}`)
  const where = opened.value === null ? branch : `#${opened.value.number}`
  return done(`${where} takes it back when somebody merges it into ${base.branch}`)
}

function published(result: PublishResult, what: string): Undone {
  if (result.status === 'published') return done()
  return result.status === 'moved'
    ? left(`${what} was moved by somebody meanwhile: look, and ask once more`)
    : left(result.detail)
}

/** Begins the comment that says why a pull request was closed. */
const rollbackMarker = '<!-- executor:rollback -->'

const nothingLeft: CommitOutcome = 'rolled-back'

/**
 * Its trailers say which commit it is about, and what the branch is worth with it: nothing any more, or
 * as much as the earlier commit of ours that is in effect again.
 */
function writeRevertMessage(
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
function writeClosingComment(task: string): string {
  return `${rollbackMarker}
**Rolled back.** Somebody ran \`executor rollback\`, so this is closed without merging, and what the bot committed is taken back on the branch by new commits. Commits of people stay.

${task} is open again: the next run tries it anew. To set it aside for good, write \`/skip\`.
`
}

/** A pull request that takes back what was merged. */
function writeRevertProposal(
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
