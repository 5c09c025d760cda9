import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'

const words = z.union([z.string(), z.array(z.string())]).default([])
const entry = z.object({
  integrity: z.string().optional(),
  link: z.boolean().default(false),
  dev: z.boolean().default(false),
  optional: z.boolean().default(false),
  os: words,
  cpu: words,
})
const lock = z
  .object({ packages: z.record(z.string(), entry) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')))

/** Programs for other machines than those that releases are made on; SECURITY.md names them. */
const unlocked = /^node_modules\/@(?:biomejs\/cli|oxc-parser\/binding)-/

it('every package that is installed here is locked by its content', () => {
  const without = Object.entries(lock.packages).filter(
    ([path, { integrity, link }]) =>
      path.startsWith('node_modules/') && !link && !/^sha512-.{86}==$/.test(integrity ?? ''),
  )
  for (const [path, { dev, optional, os, cpu }] of without) {
    expect(path).toMatch(unlocked)
    const isOurs = os.includes('linux') && cpu.includes('x64') && !path.includes('musl')
    expect([path, dev, optional, isOurs]).toEqual([path, true, true, false])
  }
  expect(without.length).toBeLessThanOrEqual(23)
})
