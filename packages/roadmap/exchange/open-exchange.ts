/** Reads and writes plans of other programs. Loads their parsers, which a run does not need. */
export const openExchange = () => import('./exchange.ts')
