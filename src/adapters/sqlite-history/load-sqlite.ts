import type { DatabaseSync } from 'node:sqlite'

/**
 * SQLite of Node, loaded when it is first needed. Node 22 warns that it is experimental: of all
 * warnings that one is not shown, it says nothing to whoever runs this program.
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
