/** Where attempts are kept: as a file for people, or in the repository for the run that hears the answer. */
import type { Attempt } from '../../core/domain/attempt.ts'
import { contentAfter } from '../../core/domain/change-set.ts'
import { changesOf, type StateFacts } from '../../core/domain/change-state.ts'
import { recordOfRefusal } from '../../core/domain/errors.ts'
import type { RunError } from '../../core/domain/run-state.ts'
import { isTaskId } from '../../core/domain/task-id.ts'
import type { PublishResult, Workspace } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { readParkedAttempt, writeParked } from '../../recovery/task/parked-attempt.ts'
import { fenced } from '../../text/markdown/neutralise.ts'
import { paragraphs } from '../../text/markdown/write-markdown.ts'

/** Keeps the attempt as {@link keepPatch} does, and adds to the reason of its failure a sentence that says where. */
export async function tellKept(
  reason: string,
  attempt: Attempt,
  ports: Pick<Ports, 'store'>,
): Promise<string> {
  const kept = await keepPatch(attempt, ports)
  if (kept === null) return reason
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'} The attempt is kept in ${kept}.`
}

/**
 * Keeps what a failed attempt wrote as `.executor/attempts/<id>.md`, so that nothing a model
 * was paid for is lost. Answers the path, or `null` when there was nothing to keep.
 */
export async function keepPatch(
  { task, draft, failure }: Attempt,
  { store }: Pick<Ports, 'store'>,
): Promise<string | null> {
  const files = changesOf(draft).map((change) => {
    const text = contentAfter(change)
    return `## ${change.action} ${change.path}\n${text === undefined ? '' : fenced(text)}`
  })
  if (files.length === 0) return null
  const parts = [`# ${task.id}: ${task.title}`, failure?.message ?? '', ...files]
  return store.writeReport(`attempts/${task.id}.md`, `${paragraphs(parts)}\n`)
}

/** Keeps an attempt in the repository until a person answers: the next run starts from nothing. */
export const parkAttempt = (attempt: Attempt, workspace: Workspace): Promise<PublishResult> =>
  workspace.park(attempt.task.id, writeParked(attempt))

/** At most so many are cleared away at once: each is a push. */
const mostCleared = 20

/**
 * The attempts that are kept, by task. Those that no answer can want any more are cleared away;
 * a text that cannot be read stays where it is, and counts as no attempt.
 */
export async function readParkedAttempts(
  workspace: Workspace,
  isWanted: (id: string) => boolean,
): Promise<Readonly<Record<string, Attempt>>> {
  const texts = [...(await workspace.parked())].filter(([name]) => isTaskId(name))
  const over = texts.filter(([id]) => !isWanted(id)).slice(0, mostCleared)
  for (const [id] of over) await workspace.park(id, null)
  const kept = texts.flatMap(([id, text]) => {
    const attempt = isWanted(id) ? readParkedAttempt(id, text) : null
    return attempt === null ? [] : [[id, attempt] as const]
  })
  return Object.fromEntries(kept)
}

const settledMarker = '<!-- executor:settled -->'

/**
 * Ends what asked people about a task that is decided now: each pull request is told why and closed,
 * and the attempt that was kept for the answer goes. Asks nothing of the outside where nothing asked.
 */
export async function settleQuestions(
  id: string,
  state: StateFacts<'tasks.questions' | 'record.errors'>,
  ports: Pick<Ports, 'forge' | 'workspace'>,
  how: {
    /** Why, for people: Markdown of our own. */
    readonly said: string
    /** The pull request that is the decision's own. */
    readonly except?: number
    readonly label?: string
  },
): Promise<StateFacts<'tasks.questions' | 'record.errors'>> {
  const { [id]: asked = [], ...questions } = state.tasks.questions
  const errors: RunError[] = []
  for (const { number } of asked) {
    if (number === how.except) continue
    await ports.forge.upsertComment(number, settledMarker, how.said)
    if (how.label !== undefined) await ports.forge.label(number, { add: [how.label] })
    const closed = await ports.forge.close(number)
    if (closed.status === 'refused') errors.push(recordOfRefusal(closed, id))
  }
  if (asked.length > 0) await ports.workspace.park(id, null)
  return { tasks: { questions }, record: { errors: [...state.record.errors, ...errors] } }
}
