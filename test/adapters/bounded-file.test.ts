import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBoundedFile } from '../../src/adapters/bounded-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bounded-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (directory = folder) =>
  openBoundedFile({
    path: join(directory, 'log'),
    previous: join(directory, 'log.previous'),
    mostBytes: 20,
  })
const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => null)

describe('a bounded file', () => {
  it('is there when the first line is, in a folder that is made for it', async () => {
    const file = open(join(folder, 'new'))
    expect(await read('new/log')).toBeNull()
    file.write('line 1\n')
    expect(await read('new/log')).toBe('line 1\n')
    file.close()
  })

  it('goes on where the last one ended, and never holds more than it may, with the one before', async () => {
    await writeFile(join(folder, 'log'), 'line 1\n')
    const file = open()
    for (let line = 2; line <= 7; line += 1) file.write(`line ${line}\n`)
    file.close()
    expect(await read('log')).toBe('line 7\n')
    expect(await read('log.previous')).toBe('line 5\nline 6\n')
  })

  it('takes a line that is longer than all of it', async () => {
    const file = open()
    file.write(`${'x'.repeat(30)}\n`)
    file.write('line 2\n')
    file.close()
    expect(await read('log.previous')).toHaveLength(31)
    expect(await read('log')).toBe('line 2\n')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a folder is in its place', () => mkdir(join(folder, 'log'))],
    ['it leads elsewhere', () => symlink(join(folder, 'target'), join(folder, 'log'))],
  ])('loses its lines, and nothing else, where %s', async (_, spoil) => {
    await writeFile(join(folder, 'target'), 'untouched')
    await spoil()
    const file = open()
    file.write('line 1\n')
    file.write('line 2\n')
    file.close()
    expect(await read('target')).toBe('untouched')
  })
})
