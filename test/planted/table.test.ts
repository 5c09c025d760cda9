import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plant } from '../plant-bugs.ts'
import { findings } from './table.ts'

const root = join(import.meta.dirname, '../..')

it.each(findings)('$of: the mend of "$name" is in the sources, once', ({ test, ...bug }) => {
  const source = readFileSync(join(root, bug.file), 'utf8')
  expect(plant(bug, source)).not.toBe(source)
  expect(existsSync(join(root, test))).toBe(true)
})
