import { createHash } from 'node:crypto'

/** Identifies a remembered fact by what it says: eight hexadecimal digits, the same wherever it is derived. */
export const factId = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)
