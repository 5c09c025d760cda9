import { type ChangeSet, changeBetween, type FileChange } from '../../../packages/change/change.ts'
import { splitHidden } from '../../../packages/text/text.ts'
import { leftGroup, leftMarker, tasksInBody, trailer } from '../../core/domain/identity.ts'
import type { CommitRecord } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { revertedBy } from '../../publish/rollback/read-line.ts'
import { reapply } from '../../recovery/task/split-changes.ts'
import {
  closed,
  done,
  forgeSaid,
  loginText,
  notDone,
  type Order,
  type Ordered,
  type PullTarget,
  refused,
} from '../pass.ts'

type Needs = Pick<Ports, 'workspace' | 'forge'>

/**
 * `/retry ID` and `/skip ID` on the pull request of a group: takes one task out of it. A new commit reverts that
 * task's commit with its tick, and a hidden line of the body says why it left. Repeating it changes nothing.
 *
 * @returns `null` once the task is out
 */
export async function leaveGroup(
  { target, remark }: Order<PullTarget>,
  id: string,
  why: 'retry' | 'skip',
  ports: Needs,
): Promise<Ordered | null> {
  const { pull } = target
  if (pull.state === 'merged') return refused('This is already merged.')
  const tasks = tasksInBody(pull.body)
  const task = tasks.find((each) => each.id === id)
  if (task === undefined) {
    return refused(`**${id}** is not a task of this pull request: ${listed(tasks)}.`)
  }
  if (pull.state === 'closed') return why === 'retry' ? null : closed
  if (id === target.id && why === 'retry') {
    return refused(
      `**${id}** gives its name to this branch, so it cannot leave it for one of its own. \`/revise <what to change>\` changes it here, \`/retry\` retries all of this.`,
    )
  }
  const left = leftGroup(pull.body)
  if (tasks.every((each) => each.id === id || left.has(each.id))) {
    return refused(`No other task would be left: \`/${why}\` alone is about all of this.`)
  }
  const taken = await takeOut(id, target, ports)
  if (taken !== null) return taken
  if (left.get(id)?.why === why) return null
  const { head, base, title, labels, draft } = pull
  const body = withLine(pull.body, id, leftMarker(task, why), loginText(remark.author))
  const written = await ports.forge.upsertPullRequest({
    ...{ head, base, title, labels, draft, body },
    ...{ reviewers: [], assignees: [] },
  })
  return written.status === 'refused'
    ? notDone(written, `That could not be recorded here. ${forgeSaid(written.detail)}`)
    : null
}

/** The reply to `/skip ID`. */
export const skipped = ({ remark }: Order<PullTarget>, id: string): Ordered =>
  done(
    `Took **${id}** out of this for ${loginText(remark.author)}, with its changes. No test of ours has seen the rest without it: look at its checks. \`/run ${id}\` starts it again.`,
    true,
  )

/** Reverts the task's commit on the branch, unless that has happened. */
async function takeOut(
  id: string,
  { pull }: PullTarget,
  { workspace }: Needs,
): Promise<Ordered | null> {
  const view = await workspace.refresh()
  const tip = view.branches.find(({ name }) => name === pull.head)
  if (tip === undefined) return refused('The branch of this pull request is gone.')
  const line = await workspace.history(tip.sha, { without: view.base.sha })
  const commit = line.find((each) => each.trailers[trailer.member] === id)
  if (commit === undefined) {
    return refused(
      `The changes for **${id}** cannot be told from those for the other tasks. \`/revise <what to change>\` changes all of this, \`/reject\` discards it.`,
    )
  }
  if (revertedBy(line).has(commit.sha)) return null
  const back = await changesBack(commit, tip.sha, workspace)
  if (typeof back === 'string') {
    return refused(
      `The changes for **${id}** cannot be taken out: later ones build on them in \`${back}\`. \`/revise <what to change>\` changes all of this.`,
    )
  }
  const message = messageOf(commit, tip.trailers)
  const sha = await workspace.commit({ parents: [tip.sha], changes: back, message })
  const pushed = await workspace.publish(pull.head, sha, tip.sha)
  if (pushed.status === 'published') return null
  return pushed.status === 'moved'
    ? refused('Someone pushed to this branch meanwhile: look at it, then ask again.')
    : notDone(pushed, `The branch could not be pushed. ${forgeSaid(pushed.detail)}`)
}

/**
 * The changes that undo a commit on what the tip has now, or a path where they do not fit. git would not undo a tick
 * beside another one.
 */
async function changesBack(
  { sha, parents: [parent = ''] }: CommitRecord,
  tip: string,
  workspace: Needs['workspace'],
): Promise<ChangeSet | string> {
  const entries = await workspace.changedBetween(parent, sha)
  const paths = [...new Set(entries.flatMap(({ path, oldPath }) => [path, oldPath]))]
  const [before, after, now] = await Promise.all(
    [parent, sha, tip].map((at) => workspace.readFiles(at, paths)),
  )
  const changes: FileChange[] = []
  for (const path of paths) {
    const undo = changeBetween(path, after?.get(path), before?.get(path))
    const left = undo && reapply(now?.get(path), [{ change: undo }])
    if (left === null) return path
    const change = changeBetween(path, now?.get(path), left.content)
    if (change !== null) changes.push(change)
  }
  return changes
}

/** The branch stays the group's: the trailers are those of its tip. */
function messageOf({ sha, title }: CommitRecord, tip: Readonly<Record<string, string>>): string {
  const kept = [
    ...[trailer.run, trailer.task, trailer.attempt, trailer.fingerprint, trailer.outcome],
    ...[trailer.receipt, trailer.group, trailer.start],
  ].flatMap((name) => (tip[name] === undefined ? [] : [`${name}: ${tip[name]}`]))
  return `Revert "${title}"\n\nThis reverts commit ${sha}.\n\n${[...kept, `${trailer.reverts}: ${sha}`].join('\n')}\n`
}

function withLine(body: string, id: string, marker: string, by: string): string {
  const { words, hidden } = splitHidden(body)
  const said = `- ${by} took **${id}** out of this.`
  return `${[words, said, [marker, ...hidden].join('\n')].join('\n\n')}\n`
}

const listed = (tasks: readonly { readonly id: string }[]): string =>
  tasks.length === 0 ? 'it has none' : `it has ${tasks.map(({ id }) => `**${id}**`).join(', ')}`
