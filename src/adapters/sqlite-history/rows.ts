import type { SQLOutputValue } from 'node:sqlite'

/** A row whose columns are selected as a type's fields, by their names; who selects says so. */
export const rowAs = <Row extends object>(row: Readonly<Record<string, SQLOutputValue>>): Row =>
  ({ ...row }) as unknown as Row
