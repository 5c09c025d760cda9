import { latestProposal } from '../../core/domain/hidden-lines.ts'
import { readTaskMarker, tasksInBody } from '../../core/domain/identity.ts'
import { isBefore } from '../../core/domain/instant.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Remark } from '../../core/ports/discussion.ts'
import { actionsLogin, type MergeResult } from '../../core/ports/forge.ts'
import { hashOfOperations, hashOfTasks, proposalHash } from '../../core/proposal-hash.ts'
import {
  type CommandContext,
  closed,
  done,
  forgeSaid,
  type Handler,
  ignored,
  loginText,
  notDone,
  type Order,
  type Ordered,
  type PullTarget,
  quoted,
  refused,
  type Services,
  type SetMembership,
  short,
  toCopy,
} from '../pass.ts'
import { isSpelt } from '../triggers/parse-command.ts'
import { approvedBefore, isTooOld } from './find-approval.ts'
import { answerOf, runTask } from './run-task.ts'

/** `/approve`: merges a finished task, or starts carrying out the proposal. */
export const approve: Handler = async (order, context, services) => {
  const { target, remark } = order
  const { pull } = target
  if (pull.state === 'merged') return whereSpelt(remark, done('This is merged already.'))
  if (pull.state === 'closed') return whereSpelt(remark, closed)
  if (target.kind === 'needs_human') return whereSpelt(remark, failedAttempt)
  if (target.kind !== 'recovery' && target.kind !== 'destructive')
    return mergeTask(order, context, services)
  const unbound = whyUnbound(order, hashOf(target), false, context)
  if (unbound !== null) return askAnew(order, unbound)
  return runTask(order, context, services, { answer: answerOf(order, 'approve') })
}

const failedAttempt = refused(
  'This attempt failed, so the bot does not merge it; you can merge it by hand. `/retry` tries again, `/revise <what to change>` continues from this code, `/edit` with a list of tasks below replaces the task, `/skip` leaves it out.',
)

/** A bare review gets no refusal, because it may not be meant as a command. */
const whereSpelt = (remark: Remark, ordered: Ordered): Ordered =>
  isSpelt(remark) ? ordered : ignored('a review that needs no action')

/** `null` when only the branch is kept: then its head is the whole proposal. */
function hashOf(target: PullTarget): string | null {
  if (target.kind !== 'recovery' && target.kind !== 'destructive') {
    const { id, pull } = target
    const fingerprint = readTaskMarker(pull.body)?.fingerprint ?? ''
    return proposalHash({ kind: 'merge', task: { id, fingerprint }, sha: pull.headSha })
  }
  const { attempt } = target
  if (attempt === null) return null
  if (target.kind === 'destructive') return hashOfOperations(attempt)
  return attempt.proposal === null ? null : hashOfTasks(attempt.proposal)
}

/**
 * Checks that an approval was given for what would be carried out now: this commit and this proposal. A written sha
 * wins, then the commit that a review was made on, then, in a conversation, our latest proposal before the
 * approval.
 *
 * @param hash `proposalHash` of what would be carried out; `null`: the head's commit is all of it
 * @param isWhole whether the head's sha covers everything, so that naming it is enough
 * @returns `null` when it was, else half a sentence: why this approval does not cover the present state
 */
function whyUnbound(
  { command, remark, target }: Order<PullTarget>,
  hash: string | null,
  isWhole: boolean,
  { remarks }: CommandContext,
): string | null {
  const { pull, id } = target
  const head = pull.headSha
  const ours = remarks.filter(({ isOurs, on }) => isOurs && on === pull.number)
  const mark = latestProposal([pull.body, ...ours.map(({ body }) => body)], id)
  const sha = command.name === 'approve' ? command.sha : null
  const isNamed = sha !== null || remark.kind !== 'comment'
  const named = sha ?? (remark.kind === 'comment' ? mark?.sha : remark.commit) ?? ''
  // An abbreviated sha can be forged by search.
  if (sha !== null && sha.length < 40) return 'a commit needs all 40 digits'
  if (named !== head) {
    return isNamed && named !== ''
      ? `the approval was for \`${named.slice(0, 12)}\``
      : 'the latest proposal is about another commit'
  }
  if (isNamed && isWhole) return null
  if (mark === null || mark.sha !== head) return 'the proposal for this commit is unknown'
  if (hash !== null && mark.hash !== hash) return 'the proposal has changed'
  return isNamed || isBefore(mark.at, remark.createdAt)
    ? null
    : 'the proposal is newer than the approval'
}

/** Describes the present state, with a command that is bound to it. */
const askAnew = ({ remark, target }: Order<PullTarget>, reason: string): Ordered =>
  refused(
    `${loginText(remark.author)}, nothing was done: ${reason}. The head is now ${short(target.pull.headSha)}. To approve it, comment:\n\n${toCopy(`/approve ${target.pull.headSha}`)}`,
  )

const notSet = refused(
  'Merge this yourself: this repository does not set `merge-on-approve`. Other tasks meanwhile build on this branch.',
)

const mergeTask: Handler = async (order, context, services) => {
  const { remark, target } = order
  const { settings, clock } = services.ports
  if (!settings.merge.onApprove) return whereSpelt(remark, notSet)
  const { pull } = target
  const before = approvedBefore(remark, context)
  if (before !== null && before !== pull.headSha) return askAnew(order, pushedAfter(before))
  if (isTooOld(remark, clock.now())) {
    return askAnew(order, 'an approval is valid for seven days, and this one is older')
  }
  const unbound = whyUnbound(order, hashOf(target), true, context)
  if (unbound !== null) return askAnew(order, unbound)
  if (pull.draft)
    return refused('This is a draft: mark it ready for review first, then approve it.')
  const sha = pull.headSha
  const ordered = await mergeChecked(order, sha, services)
  return ordered.status === 'later' ? { ...ordered, approved: sha } : ordered
}

const noChecksOfActions =
  ' GitHub starts no workflow for a pull request that the default token opens. Close and reopen this one to start its checks, or pass the token of an App as `github-token`.'

/** Merges by an API call that names the commit: GitHub's auto-merge would also merge later pushes. */
async function mergeChecked(
  order: Order<PullTarget>,
  sha: string,
  { ports: { forge, settings }, sets }: Services,
): Promise<Ordered> {
  const { target, remark } = order
  const approved = `Approved by ${loginText(remark.author)}.`
  const checks = await forge.checks(sha)
  if (checks === 'red') {
    return refused(
      `The checks of ${short(sha)} are red, so it is not merged. \`/revise <what to change>\` starts another attempt.`,
    )
  }
  if (checks === 'none' && !settings.merge.withoutChecks) {
    const cause = target.pull.author === actionsLogin ? noChecksOfActions : ''
    return refused(
      `${short(sha)} has no checks, and no checks do not count as green.${cause} Merge it by hand, or set \`merge-without-checks\`.`,
    )
  }
  if (checks === 'pending') {
    return {
      status: 'later',
      reply: `${approved} The checks of ${short(sha)} are still running. The bot merges it once they are green, within seven days, unless a commit is pushed first.`,
    }
  }
  const set = await setOf(target.pull, settings, sets)
  if (set.status === 'unknown') {
    return { status: 'later', reply: `${approved} It is not merged yet: ${quoted(set.reason)}.` }
  }
  if (set.status === 'member') {
    return {
      status: 'later',
      reply: `${approved} ${set.task} belongs to the set **${set.set}** of ${settings.app.workspace}. The bot merges it in its turn once the rest of the set is approved and green, within seven days, unless a commit is pushed first.`,
    }
  }
  return tell(order, await forge.merge(target.pull.number, sha, remark.author.login))
}

/** The set that a task of this pull request belongs to: it is not merged by itself. */
async function setOf(
  { body }: Pick<PullTarget['pull'], 'body'>,
  { app: { workspace } }: Pick<Settings, 'app'>,
  sets: Services['sets'],
): Promise<SetMembership> {
  if (workspace === null) return { status: 'alone' }
  if (sets === undefined) {
    const reason = `only the App with \`runner: local\` reads the sets of ${workspace}`
    return { status: 'unknown', reason }
  }
  const found = await Promise.all(tasksInBody(body).map(({ id }) => sets(id)))
  return found.find(({ status }) => status !== 'alone') ?? { status: 'alone' }
}

const pushedAfter = (sha: string): string => `a commit was pushed after ${short(sha)}`

function tell(order: Order<PullTarget>, merged: MergeResult): Ordered {
  switch (merged.status) {
    case 'merged':
      return done(
        `Merged ${short(order.target.pull.headSha)} for ${loginText(order.remark.author)}. The pull requests stacked on it are being brought up to date.`,
        true,
      )
    case 'queued':
      return done(
        `Approved by ${loginText(order.remark.author)}: ${short(order.target.pull.headSha)} is in the merge queue.`,
      )
    case 'moved': {
      const pull = { ...order.target.pull, headSha: merged.headSha }
      const reason = pushedAfter(order.target.pull.headSha)
      return askAnew({ ...order, target: { ...order.target, pull } }, reason)
    }
    case 'blocked':
      return refused(
        `This merge is blocked. ${forgeSaid(merged.reason)} Work that depends on it continues, stacked on this branch.`,
      )
    case 'refused':
      return notDone(merged, `The merge failed. ${forgeSaid(merged.detail)}`)
  }
}
