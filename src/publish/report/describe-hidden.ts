import type { HiddenRecord } from '../../core/domain/hidden-text.ts'

/** "T-1, README.md line 3, HTML comment: <!-- … -->", for a list. */
export function describeHidden({ taskId, path, channel, line, excerpt }: HiddenRecord): string {
  return `${taskId}, ${path ?? 'the roadmap'} line ${line}, ${channel}: ${excerpt}`
}

/** "Hidden text was kept from the model: 2 in the roadmap, 1 in README.md.", or nothing. */
export function summariseHidden(records: readonly HiddenRecord[], taskId: string): string {
  const counts = new Map<string, number>()
  for (const record of records) {
    if (record.taskId !== taskId) continue
    const place = record.path ?? 'the roadmap'
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  if (counts.size === 0) return ''
  const places = [...counts].map(([place, count]) => `${count} in ${place}`)
  const shown = places.slice(0, 5).join(', ')
  const more = places.length > 5 ? ` and ${places.length - 5} more files` : ''
  return `Text that a reader does not see was kept from the model: ${shown}${more}. The run's report shows it.`
}
