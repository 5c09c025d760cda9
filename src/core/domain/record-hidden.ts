import type { HiddenRecord, HiddenText } from '../../../packages/text/text.ts'
import type { StateFacts, StatePatch } from './change-state.ts'

/** More records of one run than anyone would read. */
const mostRecords = 100

/** Returns a patch that records text kept from the model, each piece once. */
export function recordHidden(
  state: StateFacts<'record.hidden'>,
  taskId: string,
  removed: readonly (HiddenText & { readonly path?: string })[],
): StatePatch {
  const known = new Set(state.record.hidden.map(keyOf))
  const records = removed.map(
    ({ channel, line, excerpt, path = null }): HiddenRecord => ({
      taskId,
      path,
      channel,
      line,
      excerpt,
    }),
  )
  const fresh = records.filter((record) => !known.has(keyOf(record)))
  return { record: { hidden: [...state.record.hidden, ...fresh].slice(0, mostRecords) } }
}

const keyOf = ({ taskId, path, channel, line, excerpt }: HiddenRecord): string =>
  [taskId, path, channel, line, excerpt].join('\0')
