import type { JournalEvent } from '../domain/journal-event.ts'

/** Sentences about writes whose outcome is still unknown. */
export function findUncertain(events: readonly JournalEvent[]): readonly string[] {
  const last = new Map<string, string | null>()
  for (const event of events) {
    if (event.kind !== 'effected') continue
    const { effect, key, outcome, detail } = event
    last.set(`${effect} ${key}`, outcome === 'uncertain' ? detail : null)
  }
  return [...last.values()].flatMap((detail) => detail ?? [])
}
