/** Derives from the journals what a rollback cannot revert. */
import type { EffectKind, JournalEvent } from '../../core/domain/journal-event.ts'
import { addUsage, noUsage, totalTokens, type Usage } from '../../core/domain/usage.ts'

const said: Partial<Readonly<Record<EffectKind, string>>> = {
  comment: 'comments that were written',
  review_comment: 'comments on lines of the roadmap',
  issue: 'issues that were opened or edited',
  reaction: 'reactions to comments',
  dispatch: 'workflows that were started',
  people: 'people who were asked to review',
  merge: 'merges',
}

/**
 * One sentence each. An effect belongs to its step, whose line follows it.
 *
 * @param tasks of which; `null` means all of these journals
 */
export function whatStays(
  events: readonly JournalEvent[],
  tasks: readonly string[] | null,
): readonly string[] {
  const isMeant = (task: string | null) => tasks === null || (task !== null && tasks.includes(task))
  let usage: Usage = noUsage
  let tests = 0
  let effects: EffectKind[] = []
  const counts = new Map<EffectKind, number>()
  for (const event of events) {
    if (event.kind === 'effected' && event.outcome === 'done') effects.push(event.effect)
    if (event.kind === 'answered' && isMeant(event.task)) usage = addUsage(usage, event.usage)
    if (event.kind === 'observed' && event.tested !== undefined && isMeant(event.task)) tests += 1
    if (event.kind !== 'stepped') continue
    if (isMeant(event.task)) {
      if (event.node === 'verify_task' && event.outcome !== 'unverified') tests += 1
      for (const effect of effects) counts.set(effect, (counts.get(effect) ?? 0) + 1)
    }
    effects = []
  }
  const named = Object.entries(said).flatMap(([effect, words]) => {
    const count = [...counts].find(([kind]) => kind === effect)?.[1] ?? 0
    return count === 0 ? [] : [`${words}: ${count}`]
  })
  return [
    ...spent(usage),
    ...(tests === 0 ? [] : [`test runs and what they did: ${tests}`]),
    ...named,
  ]
}

function spent(usage: Usage): readonly string[] {
  const tokens = totalTokens(usage)
  if (tokens === 0) return []
  const dollars = usage.dollars > 0 ? `, $${usage.dollars.toFixed(4)}` : ''
  return [`what the model calls used: ${tokens.toLocaleString('en-US')} tokens${dollars}`]
}
