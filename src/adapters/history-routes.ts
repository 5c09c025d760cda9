import { secondsBefore } from '../core/domain/instant.ts'
import type { Settings } from '../core/domain/settings.ts'
import { noRoutes, type RouteBook } from '../core/ports/routes.ts'
import type { Clock } from '../core/ports.ts'

const dayInSeconds = 86_400

/** The ways that served earlier tasks, from the history; read only when `strategy: auto` has to choose. */
export function createHistoryRoutes(
  directory: string,
  { strategy, history, state }: Settings,
  clock: Pick<Clock, 'now'>,
): RouteBook {
  if (strategy !== 'auto' || !history) return noRoutes
  return {
    async read(model) {
      const { openHistory } = await import('./sqlite-history.ts')
      const oldest = secondsBefore(clock.now(), state.retentionDays * dayInSeconds)
      const found = await openHistory({ directory, oldest })
      try {
        return found.shapes(model)
      } finally {
        found.close()
      }
    },
  }
}
