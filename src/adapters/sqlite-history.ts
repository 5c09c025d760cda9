/**
 * The history of all runs as an index of their journals: `.executor/history.db` (SQLite, WAL). It
 * holds nothing that the journals lack, so a bad index is rebuilt; if none can be written, the
 * answers come from an index in memory.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { RouteRecord } from '../core/domain/route.ts'
import type { LearningCounts, Recovered } from '../core/history/learning.ts'
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
} from './database-file.ts'
import { loadSqlite } from './sqlite-history/load-sqlite.ts'
import {
  queryErrors,
  queryExecutions,
  queryFigures,
  queryRoutes,
  queryTrail,
  type TrailEvent,
} from './sqlite-history/query-history.ts'
import { queryLearning, queryRecovered, queryShapes } from './sqlite-history/query-learning.ts'
import { queryMisroutes } from './sqlite-history/query-misroutes.ts'
import { historySchema } from './sqlite-history/schema.ts'
import { dropOlderRuns, type TakenIn, takeIn } from './sqlite-history/take-in.ts'

export interface HistoryPlace {
  /** `.executor` itself. */
  readonly directory: string
  /** Drops runs whose last event is older (ISO 8601); `null` keeps all. */
  readonly oldest: string | null
}

export interface History {
  /** The events added when the index was opened. */
  readonly taken: TakenIn
  /** Why the index is only in memory; `null` for a file. */
  readonly unwritten: string | null
  executions(query: HistoryQuery): readonly Execution[]
  trail(of: Pick<Execution, 'run' | 'task' | 'attempt'>): readonly TrailEvent[]
  figures(by: 'model' | 'strategy' | 'day', period: Period): readonly Figures[]
  routes(period: Period): readonly RouteFigures[]
  errors(period: Period, limit: number): readonly ErrorGroup[]
  misroutes(period: Period): readonly Omit<MisrouteGroup, 'of'>[]
  /** For the choices of an attempt. */
  record(model: string): RouteRecord
  learning(period: Period): readonly LearningCounts[]
  recovered(period: Period): Recovered
  close(): void
}

const fileName = 'history.db'

/** Opens the history and updates it. `anew` rebuilds it from the journals. */
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
      return fill(openDatabaseFile(Database, path, historySchema))
    } catch (error) {
      if (isDamage(error) && !isAnew) return open(true)
      if (!isUnavailable(error)) throw error
      unwritten = error instanceof Error ? error.message : String(error)
      return fill(openMemory(Database, historySchema))
    }
  }
  // Before the first run there is nothing to keep and no folder.
  const isNone = !existsSync(place.directory)
  let database = isNone ? fill(openMemory(Database, historySchema)) : open(anew)
  /** Damage may appear only in a page that a later query reads. */
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
    learning: (period) => ask((found) => queryLearning(found, period)),
    recovered: (period) => ask((found) => queryRecovered(found, period)),
    record: (model) => ask((found) => queryShapes(found, model)),
    close: () => database.close(),
  }
}
