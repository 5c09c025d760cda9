import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { variable } from './planted-bug.ts'
import { findings } from './table.ts'

const root = join(import.meta.dirname, '../..')

describe.concurrent('a test fails without the mend of', () => {
  it.each(findings)(
    '$of: $name',
    async ({ of: _, name: __, test, only, ...bug }) => {
      const tiers = ['fast', 'machine', 'app'].flatMap((tier) => ['--project', tier])
      const words = only === undefined ? [] : ['-t', only]
      // Where it hangs without the mend, it fails soon.
      const options = [...words, '--testTimeout', '60000']
      const { exitCode, all } = await execa(
        process.execPath,
        ['node_modules/vitest/vitest.mjs', 'run', ...tiers, ...options, test],
        {
          cwd: root,
          reject: false,
          all: true,
          env: { [variable]: JSON.stringify(bug), NO_COLOR: '1' },
        },
      )
      // Not a bug that keeps all of it from running.
      expect(all).toMatch(/^\s+Tests\s+[1-9]\d* failed/m)
      expect(exitCode).toBe(1)
    },
    300_000,
  )
})
