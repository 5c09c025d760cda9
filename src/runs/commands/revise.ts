import type { FeedbackThread } from '../../core/domain/answer.ts'
import type { Author, Remark, RemarkRef, ReviewThread } from '../../core/ports/discussion.ts'
import { showText } from '../../text/hidden/show-text.ts'
import { mayCommand } from '../may-command.ts'
import type { Services } from '../services.ts'
import { isSpelt } from '../triggers/command-of.ts'
import { parseCommand } from '../triggers/parse-command.ts'
import { closed, type Handler, ignored, refused } from './ordered.ts'
import { runTask } from './run-task.ts'

/** Threads and characters of a prompt. */
const mostThreads = 30
const longestText = 4_000

/**
 * `/revise`, or a review that requests changes: another attempt with what was said, and with the
 * unresolved threads. Only words of people who may write here are in it, as their reader sees them.
 */
export const revise: Handler = async (order, context, services) => {
  const { command, remark, target } = order
  if (target.pull.state !== 'open') {
    return isSpelt(remark) ? closed : ignored('a review of what is closed')
  }
  const threads = await services.discussion.threads(target.pull.number)
  const heard = await hear(threads, context.self, services)
  const shown = heard.slice(0, mostThreads)
  const isInThread = shown.some(({ ids }) => remark.kind === 'review_comment' && ids.has(remark.id))
  const text = isInThread || command.name !== 'revise' ? '' : show(command.text)
  if (text === '' && shown.length === 0) {
    return refused('Tell me what to change: `/revise <what to change>`, or comments on the lines.')
  }
  const feedback = { by: remark.author.login, text, threads: shown.map(({ thread }) => thread) }
  const elsewhere = shown.filter(({ ids }) => !ids.has(remark.id)).map(({ first }) => first)
  return runTask(order, context, services, { feedback, threads: elsewhere })
}

interface Heard {
  readonly thread: FeedbackThread
  /** Where to answer. */
  readonly first: RemarkRef
  readonly ids: ReadonlySet<number>
}

/** What was said in each thread since we answered there, by people who may write here. */
async function hear(
  threads: readonly ReviewThread[],
  self: string,
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
    const since = remarks.slice(remarks.findLastIndex(({ author }) => author.login === self) + 1)
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

/** What is said for people: a command is not, but for what `/revise` asks for. */
function wordsOf({ body }: Remark): string {
  const command = parseCommand(body)
  if (command === null || command.name === 'unknown') return show(body)
  return command.name === 'revise' ? show(command.text) : ''
}

const show = (text: string): string => showText('remark.md', text).text.trim().slice(0, longestText)
