import { join } from 'node:path'
import { secondsBefore } from '../core/domain/instant.ts'
import type { Settings } from '../core/domain/settings.ts'
import type { Clock } from '../core/ports/clock.ts'
import { noRecord, noRoutes, type RouteBook } from '../core/ports/routes.ts'
import { logSize } from './file-store/results-log.ts'
import { resultsLog } from './file-store/state-files.ts'

const dayInSeconds = 86_400

/** What served earlier tasks, from the history. */
export function createHistoryRoutes(
  directory: string,
  { history, state }: Pick<Settings, 'history' | 'state'>,
  clock: Pick<Clock, 'now'>,
): RouteBook {
  if (!history) return noRoutes
  return {
    async read(model) {
      // Before the first result there is nothing to learn from.
      if ((await logSize(join(directory, resultsLog))) === 0) return noRecord
      const { openHistory } = await import('./sqlite-history.ts')
      const oldest = secondsBefore(clock.now(), state.retentionDays * dayInSeconds)
      const found = await openHistory({ directory, oldest })
      try {
        return found.record(model)
      } finally {
        found.close()
      }
    },
  }
}
