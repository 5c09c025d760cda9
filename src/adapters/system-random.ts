import { randomBytes } from 'node:crypto'
import type { Random } from '../core/ports/clock.ts'

export function createSystemRandom(): Random {
  return {
    hex: (length) =>
      randomBytes(Math.ceil(length / 2))
        .toString('hex')
        .slice(0, length),
    fraction: () => Math.random(),
  }
}
