import { execFile } from 'node:child_process'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

const execute = promisify(execFile)
const source = join(import.meta.dirname, '../../src/entry/compiled-code.ts')

const folders: string[] = []
let folder: string
let kept: string

const chunks = {
  'main.cjs': `"use strict";const part=require('./part.cjs');part[process.argv[2]]?.();process.stdout.write(part.said)`,
  'part.cjs': `"use strict";exports.said='one';exports.more=()=>{const words=['a','function','that','few','call'];exports.said=words.join(' ')};exports.other=()=>{exports.said=require('./other.cjs').said}`,
  'other.cjs': `"use strict";exports.said='other'`,
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compiled-'))
  folders.push(folder)
  kept = join(folder, 'compiled')
  await mkdir(kept)
  for (const [name, text] of Object.entries(chunks)) await writeFile(join(folder, name), text)
})
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true }))))

interface Started {
  readonly directory?: string
  readonly command?: string
  /** Of Node. */
  readonly flags?: readonly string[]
}

/** Runs main.cjs in a new process; answers its output. */
async function start(
  word = '',
  { directory = kept, command = 'run', flags = [] }: Started = {},
): Promise<string> {
  const program = `import { runWithCompiledCode } from ${JSON.stringify(source)}
runWithCompiledCode(${JSON.stringify(join(folder, 'main.cjs'))}, ${JSON.stringify({ directory, command })})`
  await writeFile(join(folder, 'start.mjs'), program)
  const args = [...flags, join(folder, 'start.mjs'), word]
  const { stdout, stderr } = await execute(process.execPath, args)
  expect(stderr).toBe('')
  return stdout
}

async function pack(): Promise<string> {
  const [name = 'none', ...others] = await readdir(kept)
  expect(others).toEqual([])
  return join(kept, name)
}

/** The counts, and the size of each chunk's code. */
async function head(): Promise<{ added: string; bytes: Record<string, number> }> {
  const [added = '', ...lines] =
    (await readFile(await pack(), 'latin1')).split('\n\n')[0]?.split('\n') ?? []
  const sizes = lines.map((line) => line.split(' '))
  return { added, bytes: Object.fromEntries(sizes.map(([name, , , size]) => [name, Number(size)])) }
}

describe('compiled code', () => {
  it('grows in the first three processes of a command and is only read after that', async () => {
    for (const added of ['run=1', 'run=2', 'run=3']) {
      expect(await start()).toBe('one')
      expect((await head()).added).toBe(added)
    }
    const { mtimeMs, mode } = await stat(await pack())
    expect(mode & 0o777).toBe(0o600)
    expect(await start()).toBe('one')
    expect((await stat(await pack())).mtimeMs).toBe(mtimeMs)
    expect(await start('', { command: 'plan' })).toBe('one')
    expect((await head()).added).toBe('run=3 plan=1')
  })

  it('includes functions that only one process called', async () => {
    await start()
    const { bytes: first } = await head()
    expect(await start('more')).toBe('a function that few call')
    const { bytes: second } = await head()
    expect(second['part.cjs']).toBeGreaterThan(first['part.cjs'] ?? Number.NaN)
    await start()
    expect((await head()).bytes['part.cjs']).toBe(second['part.cjs'])
  })

  it('counts from one again when a process loads a new chunk, and drops a deleted chunk', async () => {
    for (const _ of [1, 2, 3]) await start()
    expect(await start('other')).toBe('other')
    expect(await head()).toMatchObject({
      added: 'run=1',
      bytes: { 'other.cjs': expect.any(Number) },
    })
    await rm(join(folder, 'other.cjs'))
    await start()
    expect(Object.keys((await head()).bytes)).toEqual(['main.cjs', 'part.cjs'])
  })

  it('is not used for a changed source, even of the same length', async () => {
    await start()
    await writeFile(join(folder, 'part.cjs'), chunks['part.cjs'].replace('one', 'two'))
    expect(await start()).toBe('two')
    expect(await start()).toBe('two')
    expect((await head()).added).toBe('run=2')
  })

  it.each<readonly [string, (whole: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['no entries', () => Buffer.from('\n\n\n\nnoise')],
    ['half of it', (whole) => whole.subarray(0, whole.length / 2)],
    ['a changed last byte', (whole) => Buffer.concat([whole.subarray(0, -1), Buffer.from([7])])],
    [
      'sizes too large',
      (whole) => Buffer.from(whole.toString('latin1').replace(/ (\d+)\n/g, ' 9$1\n'), 'latin1'),
    ],
    [
      'zeros instead of code',
      (whole) => {
        const other = Buffer.from(whole)
        other.fill(0, other.indexOf('\n\n') + 2)
        return other
      },
    ],
  ])('is replaced when the file is damaged: %s', async (_, damage) => {
    await start()
    await writeFile(await pack(), damage(await readFile(await pack())))
    expect(await start('more')).toBe('a function that few call')
    expect((await head()).added).toBe('run=1')
    expect(await start()).toBe('one')
  })

  it.each<readonly [string, (path: string) => Promise<void>]>([
    ['may be written by the group', (path) => chmod(path, 0o660)],
    ['may be written by all', (path) => chmod(path, 0o606)],
    [
      'is a link',
      async (path) => {
        const far = join(folder, 'far')
        await writeFile(far, await readFile(path), { mode: 0o600 })
        await rm(path)
        await symlink(far, path)
      },
    ],
  ])('is not run from a file that %s', async (_, expose) => {
    await start()
    await expose(await pack())
    expect(await start()).toBe('one')
    expect((await head()).added).toBe('run=1')
    expect((await lstat(await pack())).mode & 0o777).toBe(0o600)
  })

  it('keeps the eight files that changed last: other flags, other versions, unfinished ones', async () => {
    for (const number of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const path = join(kept, `v1.0.0-x64-${number}`)
      await writeFile(path, '')
      await utimes(path, 1000 + number, 1000 + number)
    }
    await start()
    const names = await readdir(kept)
    expect(names).toHaveLength(8)
    expect(names).not.toContain('v1.0.0-x64-2')
    expect(names).toContain('v1.0.0-x64-3')
  })

  it('is optional: the directory is missing, or the file cannot be written', async () => {
    const flags = ['--no-warnings', '--permission', '--allow-fs-read=*']
    expect(await start('', { flags })).toBe('one')
    expect(await readdir(kept)).toEqual([])
    expect(await start('', { directory: join(folder, 'not/there') })).toBe('one')
    await start()
    const name = await pack()
    await rm(name)
    await mkdir(name)
    expect(await start()).toBe('one')
    expect(await readdir(kept)).toHaveLength(1)
  })

  it('is saved before a waiting process is killed', async () => {
    const wait = `"use strict";require('./part.cjs').more();const{readdirSync}=require('node:fs');setInterval(()=>{if(readdirSync(${JSON.stringify(kept)}).some((name)=>!name.endsWith(String(process.pid))))process.kill(process.pid,'SIGKILL')},20)`
    await writeFile(join(folder, 'main.cjs'), wait)
    await expect(start()).rejects.toMatchObject({ signal: 'SIGKILL' })
    expect((await head()).added).toBe('run=1')
  })

  it.each([
    [
      '__dirname and __filename',
      `process.stdout.write(__dirname+require('node:path').sep+__filename)`,
    ],
    [
      'require after loading',
      `setTimeout(()=>process.stdout.write(require('node:path').join('a','b')))`,
    ],
    [
      'a position in a stack trace',
      `process.stdout.write(new Error('x').stack.match(/main.cjs:\\S+\\d/)[0])`,
    ],
    ['strict mode', `(function(){process.stdout.write(String(this))})()`],
    ['a circular require', `exports.a=1;process.stdout.write(require('./main.cjs').a+'')`],
    ['a missing package', `try{require('left-pad')}catch({code}){process.stdout.write(code)}`],
  ])('runs a chunk as Node does: %s', async (_, text) => {
    await writeFile(join(folder, 'main.cjs'), `"use strict";${text}`)
    const { stdout } = await execute(process.execPath, [join(folder, 'main.cjs')])
    expect(stdout).not.toBe('')
    expect(await start()).toBe(stdout)
    expect(await start()).toBe(stdout)
    expect((await head()).added).toBe('run=2')
  })
})
