import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkWriting } from '../../../src/adapters/doctor/doctor-folder.ts'

it('writes into each folder, says which cannot be written, and leaves nothing behind', async () => {
  const root = await mkdtemp(join(tmpdir(), 'doctor-folder-'))
  await mkdir(join(root, 'there'))
  await writeFile(join(root, 'file'), '')
  const well = { what: 'one', path: join(root, 'there') }
  const fresh = { what: 'two', path: join(root, 'a/b/c') }
  const wrong = { what: 'three', path: join(root, 'file/below') }
  expect(await checkWriting([well, fresh])).toMatchObject([{ status: 'ok', detail: 'one, two' }])
  expect(await checkWriting([well, wrong, fresh])).toMatchObject([
    {
      status: 'fail',
      detail: `three cannot be written: ${wrong.path}: a file is in the place of a folder`,
      next: expect.stringContaining('Allow writing'),
    },
  ])
  expect((await readdir(root, { recursive: true })).sort()).toEqual(['file', 'there'])
  await rm(root, { recursive: true })
})
