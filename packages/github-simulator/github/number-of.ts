import { createHash } from 'node:crypto'

/** The same name has the same number on every server. */
export function numberOf(name: string): number {
  return (createHash('sha256').update(name.toLowerCase()).digest().readUIntBE(0, 4) % 2 ** 30) + 1
}
