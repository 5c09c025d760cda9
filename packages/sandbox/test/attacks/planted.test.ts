import { execa } from 'execa'
import { expect, it } from 'vitest'
import { taken } from './planted.ts'

const runner = new URL('run-planted.ts', import.meta.url).pathname

it('shows each second look that is taken away by an attack that gets through', async () => {
  const args = ['--disable-warning=ExperimentalWarning', runner]
  const { all } = await execa(process.execPath, args, { reject: false, all: true })
  console.log(all)
  const left = (all ?? '').match(/^left out/gm)?.length ?? 0
  const count = taken.length - left
  expect((all ?? '').match(/^(?!met|left out|\s).+/gm)).toEqual([
    `${count} of ${count} looks that were taken away let an attack through.`,
  ])
  expect(count).toBeGreaterThan(20)
}, 600_000)
