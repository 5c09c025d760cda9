import type { DatabaseSync } from 'node:sqlite'

/**
 * Loads Node's SQLite on first use. Suppresses Node 22's warning that it is experimental, which
 * means nothing to the user.
 */
export async function loadSqlite(): Promise<typeof DatabaseSync> {
  const warn = process.emitWarning
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    const isThatOne = rest[0] === 'ExperimentalWarning' && String(warning).includes('SQLite')
    if (!isThatOne) Reflect.apply(warn, process, [warning, ...rest])
  }
  try {
    return (await import('node:sqlite')).DatabaseSync
  } finally {
    process.emitWarning = warn
  }
}
