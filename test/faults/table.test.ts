import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { table } from './table.ts'

const root = new URL('../../', import.meta.url)

it.each(Object.entries(table))('%s has tests', (_, references) => {
  expect(references.length).toBeGreaterThan(0)
  const missing = references.filter(
    ([file, words]) => !readFileSync(new URL(file, root), 'utf8').includes(words),
  )
  expect(missing).toEqual([])
})
