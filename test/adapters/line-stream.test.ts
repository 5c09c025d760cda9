import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLineStream } from '../../src/adapters/line-stream.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lines-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function open(path: string) {
  const broken: string[] = []
  return { broken, stream: openLineStream(path, (reason) => broken.push(reason)) }
}

describe('a file', () => {
  it.each([
    ['is made', null, 'one\ntwo\n'],
    ['keeps its lines', 'zero\n', 'zero\none\ntwo\n'],
    ['ends a line that a full disk cut', 'ze', 'ze\none\ntwo\n'],
  ])('%s', async (name, before, after) => {
    const path = join(folder, name)
    if (before !== null) writeFileSync(path, before)
    const { stream, broken } = open(path)
    stream.write('one\n')
    stream.write('two\n')
    expect(readFileSync(path, 'utf8')).toBe(after)
    await stream.close()
    expect(broken).toEqual([])
  })

  it('on a full disk ends, and says so once', async () => {
    const { stream, broken } = open('/dev/full')
    stream.write('one\n')
    stream.write('two\n')
    await stream.close()
    expect(broken).toEqual(['ENOSPC'])
  })

  it('in a folder that is not there is refused', () => {
    expect(() => open(join(folder, 'none/file'))).toThrow('ENOENT')
  })
})

describe('a named pipe', () => {
  const { O_RDONLY, O_NONBLOCK } = constants
  const makePipe = (name: string) => {
    const path = join(folder, name)
    execFileSync('mkfifo', [path])
    return path
  }

  it('that no one reads is refused, instead of waited for', () => {
    expect(() => open(makePipe('unread'))).toThrow('ENXIO')
  })

  it('whose reader goes away ends, and says so once', async () => {
    const path = makePipe('left')
    const reader = openSync(path, O_RDONLY | O_NONBLOCK)
    const { stream, broken } = open(path)
    stream.write('one\n')
    const bytes = Buffer.alloc(10)
    expect(bytes.toString('utf8', 0, readSync(reader, bytes))).toBe('one\n')
    closeSync(reader)
    stream.write('two\n')
    stream.write('three\n')
    await stream.close()
    expect(broken).toEqual(['EPIPE'])
  })

  it('whose reader does not read makes nobody wait, and ends when too much is waiting', async () => {
    const path = makePipe('slow')
    const reader = openSync(path, O_RDONLY | O_NONBLOCK)
    const { stream, broken } = open(path)
    const line = `${'x'.repeat(9_999)}\n`
    for (let count = 0; count < 1000; count++) stream.write(line)
    expect(broken).toEqual(['its reader does not read'])
    closeSync(reader)
    await stream.close()
    expect(broken).toHaveLength(1)
  })
})
