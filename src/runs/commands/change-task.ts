import { checkPath, foldName, showText } from '../../../packages/text/text.ts'
import type { FeedbackThread } from '../../core/domain/answer.ts'
import { label, tasksInBody } from '../../core/domain/identity.ts'
import type { Author, Remark, RemarkRef, ReviewThread } from '../../core/ports/discussion.ts'
import type { ForgeResult } from '../../core/ports/forge.ts'
import { withGrant } from '../../publish/report/write-pull-request.ts'
import { readEditedTasks } from '../../recovery/task/edited-tasks.ts'
import {
  closed,
  done,
  forgeSaid,
  type Handler,
  ignored,
  loginText,
  mayCommand,
  notDone,
  type PullTarget,
  quoted,
  refused,
  type Services,
} from '../pass.ts'
import { isSpelt, parseCommand } from '../triggers/parse-command.ts'
import { leaveGroup, skipped } from './leave-group.ts'
import { answerOf, grantsOf, runOnRequest, runTask } from './run-task.ts'

/** `/retry`: retries the task from scratch, unchanged; `/retry ID` one task of a group, alone. */
export const retry: Handler = async (order, context, services) => {
  const { command, target } = order
  const id = command.name === 'retry' ? command.id : null
  if (id === null || (id === target.id && !isGroup(target))) {
    return runTask(order, context, services, { answer: answerOf(order, 'retry') })
  }
  const stays = await leaveGroup(order, id, 'retry', services.ports)
  return stays ?? runOnRequest({ ...order, command: { name: 'run', id } }, context, services)
}

const isGroup = ({ pull }: PullTarget): boolean => tasksInBody(pull.body).length > 1

/** `/decompose` and `/rewrite`: asks for another proposal in place of this one. */
export const proposeAnew: Handler = async (order, context, services) => {
  if (order.target.pull.state === 'closed') return closed
  const { command } = order
  const text = command.name === 'rewrite' ? showText('remark.md', command.text).text : ''
  const choice = command.name === 'rewrite' ? 'rewrite' : 'decompose'
  return runTask(order, context, services, {
    answer: answerOf(order, choice, { text: text.slice(0, 4_000) }),
  })
}

/** `/edit`: replaces this task by the author's own tasks. */
export const edit: Handler = async (order, context, services) => {
  if (order.target.pull.state === 'closed') return closed
  const { command, target } = order
  const read = readEditedTasks(command.name === 'edit' ? command.list : '', target.id)
  if (read.status === 'refused') {
    return refused(
      `This list does not work: ${quoted(read.reason)}. Write one to five tasks below \`/edit\`, such as\n\n\`\`\`\n/edit\n- [ ] Read the file once\n  **Files**: \`src/read.ts\`\n- [ ] Count its lines\n  An empty file has none.\n\`\`\``,
    )
  }
  return runTask(order, context, services, {
    answer: answerOf(order, 'edit', { tasks: read.tasks }),
  })
}

/** `/allow`: adds a path to this task's scope, recorded in its pull request's body, and starts another attempt. */
export const allowPath: Handler = async (order, context, services) => {
  const { command, remark, target } = order
  const { pull } = target
  const { forge, settings } = services.ports
  if (pull.state !== 'open') return closed
  const checked = checkPath(command.name === 'allow' ? command.path : '')
  if (checked.status === 'refused')
    return refused(`No task may change that path: ${checked.reason}.`)
  const { path } = checked
  if (isOwn(path, settings.roadmap)) {
    return refused(
      `Only the bot itself changes \`${settings.roadmap}\` and \`.executor/\`; no task may.`,
    )
  }
  const grant = { path, by: remark.author.login }
  const known = grantsOf(target)
  const grants = known.some((each) => each.path === path) ? known : [...known, grant]
  if (grants !== known) {
    const { head, base, title, labels, draft, body } = pull
    const written = await forge.upsertPullRequest({
      ...{ head, base, title, labels, draft },
      body: withGrant(body, grant),
      reviewers: [],
      assignees: [],
    })
    if (written.status === 'refused') {
      return refused(
        `The permission could not be recorded in this pull request. ${forgeSaid(written.detail)}`,
      )
    }
  }
  return runTask(order, context, services, { grants })
}

function isOwn(path: string, roadmap: string): boolean {
  const folded = foldName(path)
  return folded === foldName(roadmap) || folded.startsWith('.executor/')
}

/** Threads in a prompt, and characters of each. */
const mostThreads = 30
const longestText = 4_000

/**
 * `/revise`, or a review that requests changes: starts another attempt with the review and the unresolved threads.
 * Uses only words of people who may write here, without hidden text.
 */
export const revise: Handler = async (order, context, services) => {
  const { command, remark, target } = order
  if (target.pull.state !== 'open') {
    return isSpelt(remark) ? closed : ignored('a review of a closed pull request')
  }
  const threads = await services.discussion.threads(target.pull.number)
  const heard = await hear(threads, services)
  const shown = heard.slice(0, mostThreads)
  const isInThread = shown.some(({ ids }) => remark.kind === 'review_comment' && ids.has(remark.id))
  const text = isInThread || command.name !== 'revise' ? '' : show(command.text)
  if (text === '' && shown.length === 0) {
    return refused(
      'Say what to change: `/revise <what to change>`, or comments on lines of the diff.',
    )
  }
  const feedback = { by: remark.author.login, text, threads: shown.map(({ thread }) => thread) }
  const elsewhere = shown.filter(({ ids }) => !ids.has(remark.id)).map(({ first }) => first)
  return runTask(order, context, services, { feedback, threads: elsewhere })
}

interface Heard {
  readonly thread: FeedbackThread
  /** The remark to answer. */
  readonly first: RemarkRef
  readonly ids: ReadonlySet<number>
}

/** The remarks in each thread since our last answer, by people who may write here. */
async function hear(
  threads: readonly ReviewThread[],
  { discussion }: Services,
): Promise<readonly Heard[]> {
  const known = new Map<number, Promise<boolean>>()
  const isWriter = (author: Author): Promise<boolean> => {
    const asked = known.get(author.id) ?? mayCommand(author, discussion)
    known.set(author.id, asked)
    return asked
  }
  const heard: Heard[] = []
  for (const { id, path, line, remarks } of threads) {
    const [first] = remarks
    const since = remarks.slice(remarks.findLastIndex(({ isOurs }) => isOurs) + 1)
    const said: string[] = []
    for (const remark of since) {
      const words = wordsOf(remark)
      if (words !== '' && (await isWriter(remark.author))) said.push(words)
    }
    if (first === undefined || said.length === 0) continue
    const text = said.join('\n\n').slice(0, longestText)
    const ids = new Set(remarks.map((remark) => remark.id))
    heard.push({ thread: { id, path, line, text }, first: refOf(first), ids })
  }
  return heard
}

const refOf = ({ kind, id, on }: Remark): RemarkRef => ({ kind, id, on })

/** The words meant for people; a command contributes only what `/revise` asks for. */
function wordsOf({ body }: Remark): string {
  const command = parseCommand(body)
  if (command === null || command.name === 'unknown') return show(body)
  return command.name === 'revise' ? show(command.text) : ''
}

const show = (text: string): string => showText('remark.md', text).text.trim().slice(0, longestText)

const ways = {
  reject: {
    label: null,
    words: 'Rejected',
    next: 'The task rests until someone asks for it, for example with `/retry` here.',
  },
  cancel: {
    label: null,
    words: 'Cancelled',
    next: 'The bot stops working on this task; `/retry` starts it again.',
  },
  skip: {
    label: label.skipped,
    words: 'Skipped',
    next: 'The other tasks continue without it; `/retry` starts it again.',
  },
  defer: {
    label: label.deferred,
    words: 'Deferred',
    next: 'The next scheduled run tries the task again.',
  },
} as const

/**
 * `/defer`, `/skip`, `/reject` and `/cancel`: closes the pull request, with a label that records the meaning. `/skip ID`
 * takes one task out of a group.
 */
export const setAside: Handler = async (order, _, { ports }) => {
  const { command, target, remark } = order
  const { pull, id } = target
  const member = command.name === 'skip' ? command.id : null
  if (member !== null && (member !== id || isGroup(target))) {
    return (await leaveGroup(order, member, 'skip', ports)) ?? skipped(order, member)
  }
  if (pull.state === 'merged') return refused('This is already merged.')
  const way = ways[command.name as keyof typeof ways]
  const wanted: readonly string[] = way.label === null ? [] : [way.label]
  const others = [label.skipped, label.deferred].filter((name) => !wanted.includes(name))
  const add = wanted.filter((name) => !pull.labels.includes(name))
  const remove = others.filter((name) => pull.labels.includes(name))
  // Add the label first: after a kill between the two, the closed pull request still has its meaning.
  const labelled: ForgeResult<null> =
    add.length + remove.length === 0
      ? { status: 'ok', value: null }
      : await ports.forge.label(pull.number, { add, remove })
  const result = labelled.status === 'ok' ? await ports.forge.close(pull.number) : labelled
  if (result.status === 'refused')
    return notDone(result, `That failed. ${forgeSaid(result.detail)}`)
  return done(`${way.words} **${id}** for ${loginText(remark.author)}. ${way.next}`, true)
}
