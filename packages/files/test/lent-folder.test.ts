import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder } from '../lent-folder.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lent-'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Makes folders in each other, deeper than the system can name from outside. */
function nest(folder: string, levels: number): void {
  let inner = join(root, 'inner')
  mkdirSync(inner)
  for (let level = 0; level < levels; level++) {
    const around = join(root, `around-${level}`)
    mkdirSync(around)
    writeFileSync(join(around, 'file'), '')
    renameSync(inner, join(around, 'a-name-of-twenty-chars'))
    inner = around
  }
  renameSync(inner, folder)
}

describe('removeFolder', () => {
  it('removes 300 folders in each other, although others remove them at the same time', async () => {
    const folder = join(root, 'deep')
    nest(folder, 300)
    await Promise.all([1, 2, 3].map(() => removeFolder(folder)))
    expect(existsSync(folder)).toBe(false)
  })

  it('removes folders without permissions', async () => {
    const folder = join(root, 'closed')
    mkdirSync(join(folder, 'a/b'), { recursive: true })
    writeFileSync(join(folder, 'a/b/file'), '')
    chmodSync(join(folder, 'a'), 0)
    chmodSync(folder, 0)
    await removeFolder(folder)
    expect(existsSync(folder)).toBe(false)
  })

  it('is content without a folder', async () => {
    await expect(removeFolder(join(root, 'none'))).resolves.toBeUndefined()
  })
})
