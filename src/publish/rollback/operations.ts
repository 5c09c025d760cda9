/** The operations of a rollback, and how each one is undone. */

import type { Task } from '../../../packages/task/task.ts'
import { neutraliseTitle } from '../../../packages/text/text.ts'
import { branchOf } from '../../core/domain/branches.ts'
import { label, trailer } from '../../core/domain/identity.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { CommitRecord, PublishResult } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { readLine } from './read-line.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings'>

export interface Operation {
  readonly kind: 'drop' | 'unpark' | 'close' | 'revert' | 'propose_revert'
  readonly task: string
  /** Its name in a journal: the task, the pull request (`#7`) or the commit. */
  readonly key: string
  readonly branch: string | null
  readonly run: string | null
  readonly words: string
  /** Reads again before it writes: after a kill, ask for the rollback again. */
  readonly undo: (ports: Needs) => Promise<Undone>
}

/** What it does, for a sentence or a list; `words` are for a table. */
export const describeOperation = ({ words }: Operation): string => words.replaceAll(/ {2,}/g, ' ')

/** `left`: nothing changed; `detail` says why, and what helps. */
export interface Undone {
  readonly outcome: 'done' | 'left'
  readonly detail: string
}

const done = (detail = ''): Undone => ({ outcome: 'done', detail })
const left = (detail: string): Undone => ({ outcome: 'left', detail })

/** A current attempt, or one that an unfinished run keeps. The run's memory of it goes with its state. */
export const dropAttempt = (task: string): Operation => ({
  ...{ kind: 'drop', task, key: task, branch: null, run: null },
  words: `drop      the attempt at ${task} that the last run kept`,
  async undo({ workspace }) {
    await workspace.discard(task)
    return done()
  },
})

/** An attempt kept under `refs/executor/parked`. */
export const dropParked = (task: string): Operation => ({
  ...{ kind: 'unpark', task, key: task, branch: null, run: null },
  words: `drop      the attempt at ${task} that is saved in the repository`,
  undo: async ({ workspace }) => published(await workspace.park(task, null), 'the saved attempt'),
})

/** The task whose failure takes the others of its group back; `null` for a rollback that a person asked for. */
export type Cause = Pick<Task, 'id' | 'fingerprint'> | null

export const closePullRequest = (
  task: string,
  { number, url, head }: Pick<PullRequest, 'number' | 'url' | 'head'>,
  cause: Cause,
): Operation => ({
  ...{ kind: 'close', task, key: `#${number}`, branch: head, run: null },
  words: `close     #${number} of ${head}  ${url}`,
  async undo({ forge }) {
    // Add the label before closing: after a kill between the two, it shows the reason.
    for (const step of [
      () => forge.upsertComment(number, rollbackMarker, closingComment(task, cause)),
      () => forge.label(number, { add: [label.rolledBack] }),
      () => forge.close(number),
    ]) {
      const result = await step()
      if (result.status === 'refused') return left(result.detail)
    }
    return done()
  },
})

export type UndoneCommit = Pick<CommitRecord, 'sha' | 'title' | 'trailers'>

export function revertCommit(
  task: string,
  branch: string,
  commit: UndoneCommit,
  cause: Cause,
): Operation {
  const { sha, title } = commit
  return {
    ...{ kind: 'revert', task, key: sha, branch, run: commit.trailers[trailer.run] ?? null },
    words: `revert    ${sha.slice(0, 7)} on ${branch}  ${title}`,
    async undo(ports) {
      const { workspace } = ports
      const view = await workspace.refresh()
      const tip = view.branches.find(({ name }) => name === branch)
      const line = tip && (await readLine(tip, view, ports))
      if (!line) return left(`${branch} is gone`)
      if (!line.own.some((own) => own.sha === sha)) return done('it was reverted meanwhile')
      const below = line.own.find((own) => own.sha !== sha) ?? null
      const message = revertMessage(task, commit, below, cause)
      const onto = line.tip.sha
      const back = await workspace.revert({ onto, commit: sha, also: [], message })
      if (back.status === 'nothing_to_merge') return left(`nothing of it is left on ${branch}`)
      if (back.status === 'conflict') {
        const where = back.paths.length === 0 ? 'it' : `it in ${back.paths.join(', ')}`
        return left(`a later commit by someone else conflicts with ${where}: revert it manually`)
      }
      return published(await workspace.publish(branch, back.sha, onto), branch)
    },
  }
}

/**
 * Proposes to revert work that is in the base, on the task's branch, started from the base; never writes the base
 * itself.
 *
 * @param number of the merged pull request; `null` without a forge
 */
export function proposeRevert(
  task: string,
  number: number | null,
  commit: UndoneCommit,
  cause: Cause,
): Operation {
  const { sha, title } = commit
  const branch = branchOf(task)
  return {
    ...{ kind: 'propose_revert', task, key: sha, branch },
    run: commit.trailers[trailer.run] ?? null,
    words: `propose   to revert ${sha.slice(0, 7)}, which is merged  ${title}`,
    async undo({ workspace, forge, settings }) {
      const { base, branches } = await workspace.refresh()
      const tip = branches.find(({ name }) => name === branch)
      const isIn = tip !== undefined && (await workspace.contains(base.sha, tip.sha))
      // Pushed by a rollback that was killed before it opened the pull request.
      const isThere = tip !== undefined && tip.trailers[trailer.reverts] === sha && !isIn
      if (!isThere) {
        const also = tip === undefined || isIn ? [] : [tip.sha]
        const message = revertMessage(task, commit, null, cause)
        const back = await workspace.revert({ onto: base.sha, commit: sha, also, message })
        if (back.status === 'nothing_to_merge') {
          return left(`nothing of it is left on ${base.branch}`)
        }
        if (back.status === 'conflict') {
          return left(`later work conflicts with it in ${back.paths.join(', ')}: revert it by hand`)
        }
        const pushed = await workspace.publish(branch, back.sha, tip?.sha ?? null)
        if (pushed.status !== 'published') return published(pushed, branch)
      }
      const what = number === null ? `commit ${sha}` : `#${number}`
      const opened = await forge.upsertPullRequest({
        head: branch,
        base: base.branch,
        title: `Revert ${neutraliseTitle(title)}`,
        body: `${cause === null ? '' : `${cause.id} failed, and ${task} belongs together with it. `}Reverts the change that ${what} merged into \`${base.branch}\` for ${task}, including its tick in the roadmap.\n\nMerge this to roll back; ${task} is then open again. Close it to keep the change.\n`,
        labels: [label.rolledBack],
        draft: false,
        reviewers: settings.pullRequest.reviewers,
        assignees: [],
      })
      if (opened.status === 'refused') return left(`${branch} is pushed; ${opened.detail}`)
      const where = opened.value === null ? branch : `#${opened.value.number}`
      return done(`${where} reverts it once someone merges it into ${base.branch}`)
    },
  }
}

function published(result: PublishResult, what: string): Undone {
  if (result.status === 'published') return done()
  return result.status === 'moved'
    ? left(`${what} has moved meanwhile: inspect it, and roll back again`)
    : left(result.detail)
}

/**
 * The trailers name the reverted commit, and the branch's remaining value: nothing, or that of our earlier commit
 * (`below`), which is in effect again.
 */
function revertMessage(
  task: string,
  { sha, title, trailers }: UndoneCommit,
  below: Pick<CommitRecord, 'trailers'> | null,
  cause: Cause,
): string {
  const line = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name}: ${value}`]
  const worth = below?.trailers ?? { [trailer.outcome]: 'rolled-back' }
  const lines = [
    ...line(trailer.run, trailers[trailer.run]),
    ...line(trailer.task, task),
    ...line(trailer.attempt, trailers[trailer.attempt]),
    ...[trailer.fingerprint, trailer.outcome, trailer.receipt, trailer.proposal].flatMap((name) =>
      line(name, worth[name]),
    ),
    ...line(trailer.reverts, sha),
    ...line(trailer.cause, cause === null ? undefined : `${cause.id} ${cause.fingerprint}`),
  ]
  return `Revert "${neutraliseTitle(title)}"\n\nThis reverts commit ${sha}.\n\n${lines.join('\n')}\n`
}

/** First line of the comment that explains why a pull request was closed. */
const rollbackMarker = '<!-- executor:rollback -->'

const closingComment = (task: string, cause: Cause): string =>
  cause === null ? askedFor(task) : takenAlong(task, cause.id)

const takenAlong = (task: string, failed: string): string => `${rollbackMarker}
**Rolled back**: ${failed} failed, and ${task} belongs together with it. Closed without merging; new commits on the branch revert the bot's commits. Commits by people stay.

To try them all again, tick one of these tasks on the dashboard, or run \`executor run --task ${task}\`.
`

const askedFor = (task: string): string => `${rollbackMarker}
**Rolled back** by \`executor rollback\`: closed without merging, and new commits on the branch revert the bot's commits. Commits by people stay.

${task} is open again, and the next run retries it. \`/skip\` leaves it out for good.
`
