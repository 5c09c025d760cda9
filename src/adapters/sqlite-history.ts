/**
 * The history of all runs as an index of their journals: `.executor/history.db` (SQLite, WAL). It says
 * nothing that the journals do not, so whatever is wrong with it, it is made anew; and where none can
 * be written, the answers come from one in memory.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { MisrouteGroup } from '../core/history/routing.ts'
import type {
  ErrorGroup,
  Execution,
  Figures,
  HistoryQuery,
  Period,
  RouteFigures,
} from '../core/history/statistics.ts'
import {
  isDamage,
  isUnavailable,
  openDatabaseFile,
  openMemory,
  removeFile,
} from './sqlite-history/database-file.ts'
import { loadSqlite } from './sqlite-history/load-sqlite.ts'
import {
  queryErrors,
  queryExecutions,
  queryFigures,
  queryRoutes,
  queryTrail,
  type TrailEvent,
} from './sqlite-history/query-history.ts'
import { queryMisroutes } from './sqlite-history/query-misroutes.ts'
import { dropOlderRuns, type TakenIn, takeIn } from './sqlite-history/take-in.ts'

export interface HistoryPlace {
  /** `.executor` itself. */
  readonly directory: string
  /** Runs whose last word is older (ISO time) are dropped; `null` keeps all. */
  readonly oldest: string | null
}

export interface History {
  /** What the journals had more than the index when it was opened. */
  readonly taken: TakenIn
  /** Why the index is in memory for now; `null` when it is a file. */
  readonly unwritten: string | null
  executions(query: HistoryQuery): readonly Execution[]
  trail(of: Pick<Execution, 'run' | 'task' | 'attempt'>): readonly TrailEvent[]
  figures(by: 'model' | 'strategy' | 'day', period: Period): readonly Figures[]
  routes(period: Period): readonly RouteFigures[]
  errors(period: Period, limit: number): readonly ErrorGroup[]
  misroutes(period: Period): readonly Omit<MisrouteGroup, 'of'>[]
  close(): void
}

const fileName = 'history.db'

/** Opens the history and brings it up to date. `anew` makes it from the journals alone. */
export async function openHistory(
  place: HistoryPlace,
  { anew = false }: { readonly anew?: boolean } = {},
): Promise<History> {
  const Database = await loadSqlite()
  const path = join(place.directory, fileName)
  let unwritten: string | null = null
  let taken: TakenIn = { events: 0, unreadable: 0 }
  const fill = (database: DatabaseSync): DatabaseSync => {
    try {
      taken = takeIn(database, place.directory)
      if (place.oldest !== null) dropOlderRuns(database, place.oldest)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  }
  const open = (isAnew: boolean): DatabaseSync => {
    try {
      if (isAnew) removeFile(path)
      return fill(openDatabaseFile(Database, path))
    } catch (error) {
      if (isDamage(error) && !isAnew) return open(true)
      if (!isUnavailable(error)) throw error
      unwritten = error instanceof Error ? error.message : String(error)
      return fill(openMemory(Database))
    }
  }
  // Before the first run there is nothing to keep, and no folder for it.
  const isNone = !existsSync(place.directory)
  let database = isNone ? fill(openMemory(Database)) : open(anew)
  /** Damage may show itself in a page that no earlier question came to. */
  function ask<T>(question: (database: DatabaseSync) => T): T {
    try {
      return question(database)
    } catch (error) {
      if (!isDamage(error) || unwritten !== null) throw error
      database.close()
      database = open(true)
      return question(database)
    }
  }
  return {
    get taken() {
      return taken
    },
    get unwritten() {
      return unwritten
    },
    executions: (query) => ask((found) => queryExecutions(found, query)),
    trail: (of) => ask((found) => queryTrail(found, of)),
    figures: (by, period) => ask((found) => queryFigures(found, by, period)),
    routes: (period) => ask((found) => queryRoutes(found, period)),
    errors: (period, limit) => ask((found) => queryErrors(found, period, limit)),
    misroutes: (period) => ask((found) => queryMisroutes(found, period)),
    close: () => database.close(),
  }
}
