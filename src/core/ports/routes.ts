import type { RouteChoice, RouteRecord } from '../domain/route.ts'

/** What served earlier tasks: ways of `strategy: auto`, and refinements of first requests. */
export interface RouteBook {
  /** With this model; empty where no history is kept. */
  read(model: string): Promise<RouteRecord>
  /** In a replay, what the attempt was begun with: nothing is chosen again. */
  recorded?(task: string, attempt: number): RouteChoice | undefined
}

/** What a place without a history tells. */
export const noRecord: RouteRecord = { figures: [], misroutes: [], firstAnswers: [] }

/** For a place without a history. */
export const noRoutes: RouteBook = { read: async () => noRecord }
