/** Saves attempts: as a file for people, or in the repository for the run that gets the answer. */

import { changesOf, contentAfter } from '../../../packages/change/change.ts'
import { isTaskId } from '../../../packages/task/task.ts'
import { fenced, paragraphs, withSentence } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import { recordOfRefusal } from '../../core/domain/errors.ts'
import type { RunError } from '../../core/domain/run-state.ts'
import type { PublishResult, Workspace } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { readParkedAttempt, writeParked } from '../../recovery/task/parked-attempt.ts'

/** Saves the attempt as {@link keepPatch} does, and appends to the reason of its failure where it is. */
export async function tellKept(
  reason: string,
  attempt: Attempt,
  ports: Pick<Ports, 'store'>,
): Promise<string> {
  const kept = await keepPatch(attempt, ports)
  if (kept === null) return reason
  return withSentence(reason, `The attempt is saved in ${kept}.`)
}

/**
 * Saves the files that a failed attempt wrote as `.executor/attempts/<id>.md`, so that paid work is not lost. Returns
 * the path, or `null` without any files.
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

/** Saves an attempt in the repository until a person answers, since the next run starts from scratch. */
export const parkAttempt = (attempt: Attempt, workspace: Workspace): Promise<PublishResult> =>
  workspace.park(attempt.task.id, writeParked(attempt))

/** The most attempts deleted at once: each takes a push. */
const mostCleared = 20

/**
 * Reads the saved attempts by task, and deletes those whose question is closed. An unreadable one stays, and counts
 * as no attempt.
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
 * Closes the questions about a task that is now decided: comments the reason on each pull request, closes it, and
 * deletes the attempt saved for the answer. Without questions it makes no requests.
 */
export async function settleQuestions(
  id: string,
  state: StateFacts<'tasks.questions' | 'record.errors'>,
  ports: Pick<Ports, 'forge' | 'workspace'>,
  how: {
    /** The reason, in the executor's own Markdown. */
    readonly said: string
    /** The pull request that carries the decision itself. */
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
