import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { taken } from '../../packages/sandbox/test/attacks/planted.ts'
import { mutants } from '../faults/mutants.ts'
import { type Bug, plant } from '../plant-bugs.ts'
import { findings } from './table.ts'

const root = join(import.meta.dirname, '../..')

const bugs: readonly (Bug & { readonly name: string })[] = [...findings, ...mutants, ...taken]

it.each(bugs)('the text that plants "$name" is in $file, once', (bug) => {
  const source = readFileSync(join(root, bug.file), 'utf8')
  expect(plant(bug, source)).not.toBe(source)
})

it('each finding names a test file', () => {
  expect(findings.filter(({ test }) => !existsSync(join(root, test)))).toEqual([])
})
