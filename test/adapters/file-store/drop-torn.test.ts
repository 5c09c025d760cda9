import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFileStore } from '../../../src/adapters/file-store.ts'

const uuid = '0b494186-1537-4909-bd44-6509e144e67e'

it('takes away what a kill left beside its place, and nothing else', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'torn-'))
  try {
    mkdirSync(join(directory, 'attempts'))
    const kept = ['state.json', `notes-${uuid}.md`, `lock.${uuid}`]
    const old = `lock.${uuid.replace('0', '1')}`
    const torn = [`state.json.${uuid}`, `attempts/T-1.md.${uuid}`, old]
    for (const name of [...kept, ...torn]) writeFileSync(join(directory, name), '{')
    utimesSync(join(directory, old), 0, 0)
    const lock = await createFileStore({ directory }).acquireLock()
    expect(readdirSync(directory, { recursive: true }).sort()).toEqual(
      ['attempts', 'lock', ...kept].sort(),
    )
    await lock.release()
  } finally {
    rmSync(directory, { recursive: true })
  }
})
