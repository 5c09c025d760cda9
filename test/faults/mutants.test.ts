import { execa } from 'execa'
import { expect, it } from 'vitest'
import { mutants } from './mutants.ts'

const runner = new URL('run-mutants.ts', import.meta.url).pathname

it('meets every bug that is planted', async () => {
  const options = { reject: false, all: true }
  const args = ['--disable-warning=ExperimentalWarning', runner]
  const { exitCode, signal, all } = await execa(process.execPath, args, options)
  console.log(all)
  expect(signal).toBeUndefined()
  expect((all ?? '').match(/^(?!met|\s).+/gm)).toEqual([
    `${mutants.length} of ${mutants.length} planted bugs are met.`,
  ])
  expect(exitCode).toBe(0)
  expect(mutants.length).toBeGreaterThanOrEqual(15)
}, 180_000)
