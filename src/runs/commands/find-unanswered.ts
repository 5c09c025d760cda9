import { taskIdOfRecoveryBranch } from '../../core/domain/branches.ts'
import { isBefore, secondsBefore } from '../../core/domain/instant.ts'
import { nameRemark, readReply } from '../../core/domain/reply-marker.ts'
import type { Overview, Remark } from '../../core/ports/discussion.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import { fortnight, type Seen } from '../pass.ts'
import {
  type CommentCommand,
  commandOf,
  isSpelt,
  kindOfCommand,
} from '../triggers/parse-command.ts'

/** `remarksSince` returns at most this many of a kind. */
const mostRemarks = 300

/** Input of `findUnanswered`. */
export interface Said extends Pick<Seen, 'overview' | 'remarks' | 'self'> {
  /** The remark of the event being served. */
  readonly own: Remark | null
  /** Ours, in any state. */
  readonly pullRequests: readonly Pick<PullRequest, 'number'>[]
  /** ISO time. */
  readonly now: string
  /** The setting: without it, a bare approval of a finished task asks for nothing. */
  readonly mergeOnApprove: boolean
}

/**
 * Finds the commands without a reply, oldest first: the event's own, and those whose event was lost or merged with
 * another. Pure; permissions are checked later.
 */
export function findUnanswered(said: Said): readonly Remark[] {
  const { own, overview, remarks } = said
  const { answered, outsiders } = readReplies(remarks)
  const reviews = overview.pullRequests.flatMap((pull) => pull.reviews)
  const all = [...remarks, ...reviews]
  const mayCount = isWorthALook(said)
  const swept = all.filter(
    (remark) =>
      !outsiders.has(remark.author.id) && mayCount(remark) && !isRepeatedTalk(remark, all),
  )
  const byKey = new Map(
    [...swept, ...(own ? [own] : [])].map((remark) => [nameRemark(remark), remark]),
  )
  return [...byKey.values()]
    .filter((remark) => !answered.has(nameRemark(remark)) && !isSuperseded(remark, reviews))
    .sort(byTime)
}

/** Selects, oldest first, remarks that start no run and follow none that may, within their conversation. */
export function withoutRun(remarks: readonly Remark[]): readonly Remark[] {
  const busy = new Set<number>()
  return remarks.filter((remark) => {
    const command = commandOf(remark)
    const kind = command && kindOfCommand(command)
    if ((kind === 'words' || kind === 'closing') && !busy.has(remark.on)) return true
    busy.add(remark.on)
    return false
  })
}

function readReplies(remarks: readonly Remark[]) {
  const answered = new Set<string>()
  const outsiders = new Set<number>()
  for (const { isOurs, body } of remarks) {
    const reply = isOurs ? readReply(body) : null
    if (reply?.isLater === false) answered.add(nameRemark(reply.to))
    if (reply?.outsider) outsiders.add(reply.outsider)
  }
  return { answered, outsiders }
}

/** Recent, unedited, by a person, on one of our pull requests, and a command there. */
function isWorthALook(said: Said): (remark: Remark) => boolean {
  const { overview, pullRequests, remarks, self, now, mergeOnApprove } = said
  const places = new Set([...pullRequests, ...overview.issues].map(({ number }) => number))
  if (overview.dashboard !== null) places.add(overview.dashboard.number)
  const horizon = horizonOf(remarks, now)
  const proposals = proposalsOf(overview)
  const isIdle = (remark: Remark): boolean =>
    remark.verdict === 'approved' &&
    !isSpelt(remark) &&
    !mergeOnApprove &&
    !proposals.has(remark.on)
  return (remark) =>
    !remark.author.isBot &&
    remark.author.login !== self &&
    remark.createdAt === remark.updatedAt &&
    isBefore(horizon, remark.createdAt) &&
    places.has(remark.on) &&
    commandOf(remark) !== null &&
    !isIdle(remark)
}

/** Pull requests with a proposal about a task. */
export const proposalsOf = ({ pullRequests }: Overview): ReadonlySet<number> =>
  new Set(
    pullRequests
      .filter(({ head }) => taskIdOfRecoveryBranch(head) !== null)
      .map(({ number }) => number),
  )

/** Of a reviewer's bare verdicts, the last one counts. */
export function isSuperseded(remark: Remark, reviews: readonly Remark[]): boolean {
  if (remark.kind !== 'review' || isSpelt(remark)) return false
  return reviews.some(
    (other) =>
      other.on === remark.on &&
      other.author.id === remark.author.id &&
      (other.verdict === 'approved' || other.verdict === 'changes_requested') &&
      byTime(remark, other) < 0,
  )
}

/** Before this time, replies may be missing among the remarks. */
function horizonOf(remarks: readonly Remark[], now: string): string {
  // A command waits no longer than this for its answer.
  const earliest = secondsBefore(now, fortnight)
  const starts = (['comment', 'review_comment'] as const).flatMap((kind) => {
    const times = remarks.filter((remark) => remark.kind === kind).map((one) => one.updatedAt)
    return times.length < mostRemarks ? [] : times.sort().slice(0, 1)
  })
  return starts.reduce((latest, start) => (isBefore(latest, start) ? start : latest), earliest)
}

/** Orders remarks independently of their arrival. */
const byTime = (a: Remark, b: Remark): number =>
  a.createdAt.localeCompare(b.createdAt) || a.id - b.id || a.kind.localeCompare(b.kind)

/**
 * Counts such commands of the author in the hour before this one, by their creation times, so that the count does not
 * depend on when or in which order they are read.
 */
export function countRecent(
  remark: Remark,
  others: readonly Remark[],
  isSuch: (command: CommentCommand, remark: Remark) => boolean,
): number {
  const from = secondsBefore(remark.createdAt, 3600)
  return others.filter((other) => {
    const command = commandOf(other)
    return (
      command !== null &&
      other.author.id === remark.author.id &&
      isEarlier(other, remark) &&
      isBefore(from, other.createdAt) &&
      isSuch(command, other)
    )
  }).length
}

/** Commands that get only words as an answer. */
const isTalk = (command: CommentCommand): boolean =>
  kindOfCommand(command) === 'words' && command.name !== 'malformed'

/** Answers in words that each person gets per hour. */
const mostTalk = 5

/** More answers would let a person flood a repository with our words. */
export function isRepeatedTalk(remark: Remark, others: readonly Remark[]): boolean {
  const command = commandOf(remark)
  return command !== null && isTalk(command) && countRecent(remark, others, isTalk) >= mostTalk
}

const isEarlier = (one: Remark, other: Remark): boolean =>
  isBefore(one.createdAt, other.createdAt) ||
  (one.createdAt === other.createdAt && one.kind === other.kind && one.id < other.id)
