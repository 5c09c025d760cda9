import { tasksOfIssue } from '../../../packages/roadmap/roadmap.ts'
import { closestName } from '../../../packages/text/text.ts'
import {
  recoveryBranchOf,
  taskIdOfBranch,
  taskIdOfRecoveryBranch,
} from '../../core/domain/branches.ts'
import { label } from '../../core/domain/identity.ts'
import { readReply } from '../../core/domain/reply-marker.ts'
import type { Remark } from '../../core/ports/discussion.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { Ports } from '../../core/ports.ts'
import {
  writeGone,
  writeHelp,
  writeStatus,
  writeUnknown,
} from '../../publish/report/write-replies.ts'
import { readParkedAttempt } from '../../recovery/task/parked-attempt.ts'
import { forgetIssue } from '../issues/serve-issues.ts'
import {
  type CommandContext,
  type CommandTarget,
  done,
  type Handler,
  ignored,
  loginText,
  mayCommand,
  type Order,
  type Ordered,
  type PullTarget,
  refused,
  type Services,
} from '../pass.ts'
import {
  type CommandName,
  type CommentCommand,
  commandNames,
  commandOf,
  isSpelt,
  kindOfCommand,
} from '../triggers/parse-command.ts'
import { approve } from './approve.ts'
import { allowPath, edit, proposeAnew, retry, revise, setAside } from './change-task.ts'
import { countRecent, isRepeatedTalk, proposalsOf } from './find-unanswered.ts'
import { runOnRequest } from './run-task.ts'
import { undo } from './undo-task.ts'

/**
 * Checks that a remark is a valid command: still there and unedited, by a person who may write here, on one of our
 * issues or pull requests, and within the author's hourly limit. Fails closed. `findUnanswered` has checked that it
 * has no reply. Otherwise returns its outcome.
 */
export async function admitCommand(
  seen: Remark,
  context: CommandContext,
  { discussion, ports }: Services,
): Promise<Order | Ordered> {
  const remark = await discussion.remark(seen)
  const command = remark && commandOf(remark)
  if (remark === null || command === null) return ignored('it was deleted')
  if (remark.updatedAt !== remark.createdAt || !isSame(command, commandOf(seen))) {
    return ignored('it was edited')
  }
  const { author } = remark
  if (author.isBot || author.login === context.self) return ignored('no person wrote it')
  if (author.id !== seen.author.id) return ignored('its author has changed')
  const target = await findTarget(remark.on, context, ports)
  if (target === null) return ignored('the executor did not open that pull request or issue')
  const isElsewhere = target.kind === 'issue' && !target.adopted
  if (isElsewhere && !(command.name === 'run' && command.id !== null)) {
    return ignored('the executor does not work on the issue')
  }
  if (command.name === 'unknown' && meantBy(command) === null && !('pull' in target)) {
    return ignored('it resembles no command, and people and other bots also write here')
  }
  if (isRepeatedTalk(remark, context.remarks)) return ignored('the author got this reply recently')
  const order = { command, remark, target }
  if (command.name === 'help' || command.name === 'status') return order
  if (!(await mayCommand(author, discussion))) {
    const isAddressed = isSpelt(remark) && !isElsewhere && !wasTold(author.id, context)
    return isAddressed ? noWriter(remark) : ignored('its author has no write access')
  }
  const limit = ports.settings.limits.commandsPerHour
  if (startsRun(command, target) && countRuns(remark, context) >= limit) {
    const words = `${loginText(author)}, you have started ${limit} runs in the last hour, which is the limit. This one was not started; try again later.`
    return refused(words)
  }
  return order
}

/** The command with the nearest spelling. */
const meantBy = ({ word }: Extract<CommentCommand, { readonly name: 'unknown' }>): string | null =>
  closestName(word, commandNames)

const puzzled = (reply: string): Ordered => ({ status: 'refused', reply, puzzled: true })

const isSame = (one: CommentCommand, other: CommentCommand | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const wasTold = (id: number, { remarks }: CommandContext): boolean =>
  remarks.some(({ isOurs, body }) => isOurs && readReply(body)?.outsider === id)

const noWriter = ({ author }: Remark): Ordered => ({
  status: 'refused',
  reply: `Thank you, ${loginText(author)}, but commands need write access to this repository. \`/status\` and \`/help\` work for everyone.`,
  outsider: true,
})

const startsRun = (command: CommentCommand, { kind }: Pick<CommandTarget, 'kind'>): boolean =>
  kindOfCommand(command) === 'run' ||
  (command.name === 'approve' && (kind === 'recovery' || kind === 'destructive'))

function countRuns(remark: Remark, { remarks, overview }: CommandContext): number {
  const proposals = proposalsOf(overview)
  const reviews = overview.pullRequests.flatMap((pull) => pull.reviews)
  return countRecent(remark, [...remarks, ...reviews], (command, { on }) =>
    startsRun(command, { kind: proposals.has(on) ? 'recovery' : 'task' }),
  )
}

const isFinished: Handler = async () =>
  refused(
    'This task is finished, so nothing can replace it. `/revise <what to change>` starts another attempt, `/reject` discards it.',
  )

const asksNothing: Handler = async () =>
  refused(
    'This only asks whether the change may be written. `/decompose` and `/rewrite` propose other tasks, `/retry` retries this one.',
  )

/** Commands for every pull request that we opened. */
const onEvery = {
  approve,
  decompose: proposeAnew,
  rewrite: proposeAnew,
  edit,
  retry,
  revise,
  allow: allowPath,
  defer: setAside,
  skip: setAside,
  reject: setAside,
  cancel: setAside,
  rollback: undo,
} satisfies Partial<Record<CommandName, Handler>>

const onPulls: Readonly<
  Record<PullTarget['kind'], Readonly<Record<keyof typeof onEvery, Handler>>>
> = {
  task: { ...onEvery, decompose: isFinished, rewrite: isFinished, edit: isFinished },
  recovery: onEvery,
  destructive: { ...onEvery, edit: asksNothing },
  needs_human: onEvery,
}

/** Carries out an admitted command, up to the run that it may ask for. */
export async function carryOut(
  order: Order,
  context: CommandContext,
  services: Services,
): Promise<Ordered> {
  const { command, target } = order
  const { name } = command
  if (name === 'malformed') {
    return puzzled(
      `I do not understand this \`/${command.of}\`: ${command.problem}. \`/help\` lists all commands.`,
    )
  }
  if (name === 'unknown') return puzzled(writeUnknown(command.word, meantBy(command)))
  if (name === 'help') return done(writeHelp())
  if (name === 'status') return showStatus(order, context, services)
  if (name === 'run') return runOnRequest(order, context, services)
  if ('pull' in target) return onPulls[target.kind][name]({ ...order, target }, context, services)
  return target.kind === 'issue' && kindOfCommand(command) === 'closing'
    ? letGo(order, target.number, services)
    : refused(`\`/${name}\` is for pull requests. ${writeHelp()}`)
}

async function letGo({ remark }: Order, number: number, services: Services): Promise<Ordered> {
  const { forge } = services.ports
  // Remove the label first: after a kill between the two, the issue is not adopted again.
  await forge.label(number, { remove: [label.issue] })
  await forgetIssue(number, await forge.pullRequests(), services)
  const words = `Stopped work on this issue for ${loginText(remark.author)} and closed its open pull requests. The label \`executor\` starts it again.`
  return done(words, true)
}

async function showStatus(
  { target }: Order,
  context: CommandContext,
  { ports }: Services,
): Promise<Ordered> {
  const { tasks, results } = await context.standing()
  if ('pull' in target) {
    const own = tasks.filter(({ id }) => id === target.id)
    if (own.length > 0) return done(writeStatus(own, results))
    const head = recoveryBranchOf(target.id)
    const all = target.pull.head === head ? [target.pull] : await ports.forge.pullRequests('known')
    const proposal = all.find((pull) => pull.head === head) ?? null
    return done(writeGone(target.id, proposal, tasks, results))
  }
  if (target.kind === 'dashboard') return done(writeStatus(tasks, results))
  return done(writeStatus(tasksOfIssue(tasks, target.number), results))
}

/**
 * Reads what this issue or pull request is to us; `null` for a pull request that is not ours: another author's, or a
 * fork's whose head has a name like ours.
 */
async function findTarget(
  number: number,
  context: CommandContext,
  { forge, workspace }: Pick<Ports, 'forge' | 'workspace'>,
): Promise<CommandTarget | null> {
  const pull = await forge.pullRequest(number)
  if (pull === null) return findIssue(number, context)
  if (pull.author !== context.self) return null
  const task = taskIdOfBranch(pull.head)
  if (task !== null) {
    return { kind: isEscalated(pull) ? 'needs_human' : 'task', id: task, pull }
  }
  const id = taskIdOfRecoveryBranch(pull.head)
  if (id === null) return null
  const text = (await workspace.parked()).get(id)
  const attempt = text === undefined ? null : readParkedAttempt(id, text)
  // A proposal to split an attempt with such operations asks about the split.
  const isSplit = (attempt?.proposal?.tasks.length ?? 0) > 0
  const isDestructive = !isSplit && (attempt?.destructive.length ?? 0) > 0
  return { kind: isDestructive ? 'destructive' : 'recovery', id, pull, attempt }
}

const isEscalated = ({ labels }: PullRequest): boolean => labels.includes(label.needsHuman)

function findIssue(number: number, { overview }: CommandContext): CommandTarget {
  if (overview.dashboard?.number === number) return { kind: 'dashboard', number }
  return { kind: 'issue', number, adopted: overview.issues.some((each) => each.number === number) }
}
