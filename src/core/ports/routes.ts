import type { RouteRecord } from '../domain/route.ts'

/** How the ways of `strategy: auto` served earlier tasks. */
export interface RouteBook {
  /** With this model; empty where no history is kept. */
  read(model: string): Promise<RouteRecord>
}

/** For a place without a history, and for strategies that do not ask for it. */
export const noRoutes: RouteBook = { read: async () => ({ figures: [], misroutes: [] }) }
