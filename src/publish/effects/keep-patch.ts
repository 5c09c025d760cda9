import { changesOf } from '../../core/domain/attempt.ts'
import { contentAfter } from '../../core/domain/change-set.ts'
import type { Attempt } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { fenced } from '../../text/markdown/neutralise.ts'

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
  attempt: Attempt,
  ports: Pick<Ports, 'store'>,
): Promise<string | null> {
  const { task, draft, failure } = attempt
  const changes = changesOf(draft)
  if (changes.length === 0) return null
  const files = changes.map((change) => {
    const text = contentAfter(change)
    return `## ${change.action} ${change.path}\n${text === undefined ? '' : fenced(text)}`
  })
  const why = failure === null ? '' : `${failure.message}\n\n`
  const text = `# ${task.id}: ${task.title}\n\n${why}${files.join('\n\n')}\n`
  return ports.store.writeReport(`attempts/${task.id}.md`, text)
}
