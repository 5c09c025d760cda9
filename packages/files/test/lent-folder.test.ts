import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, takeOut } from '../lent-folder.ts'
import { removeTemporaryFolder } from '../temporary-folder.ts'

let root: string
/** A person's own folder, with a file that nobody may write. */
let outside: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lent-'))
  outside = join(root, 'outside')
  chmodSync(root, 0o777)
  mkdirSync(outside)
  writeFileSync(join(outside, 'kept'), 'kept')
  chmodSync(join(outside, 'kept'), 0o444)
})

afterEach(() => {
  // A process of a test may still be writing when it is told to end.
  rmSync(root, { recursive: true, force: true, maxRetries: 9 })
})

const isRoot = process.getuid?.() === 0
const nobody = 65_534

/** Root needs no permission: it tests as a user who does. */
async function asPerson<T>(act: () => T | Promise<T>): Promise<T> {
  if (!isRoot) return act()
  process.seteuid?.(nobody)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}

/** Makes folders in each other, deeper than the system can name from outside. */
function nest(folder: string, levels: number, name: string | Buffer, mode = 0o755): void {
  const own = join(folder, '..', `nest-${levels}`)
  mkdirSync(own)
  let inner = join(own, 'inner')
  mkdirSync(inner)
  for (let level = 0; level < levels; level++) {
    const around = join(own, `around-${level}`)
    mkdirSync(around)
    writeFileSync(join(around, 'file'), '')
    renameSync(inner, Buffer.concat([Buffer.from(`${around}/`), Buffer.from(name)]))
    // A folder moves only while its own entries may be written.
    if (level > 1) chmodSync(Buffer.concat([Buffer.from(`${around}/`), Buffer.from(name)]), mode)
    inner = around
  }
  renameSync(inner, folder)
}

const bytes = (folder: string, ...name: readonly number[]) =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)])

const longName = 'n'.repeat(255)

/** What a test leaves in its folder. */
const shapes: readonly (readonly [string, (folder: string) => unknown])[] = [
  ['300 folders in each other', (folder) => nest(join(folder, 'deep'), 300, 'a'.repeat(20))],
  [
    'folders in each other whose names are no text',
    (folder) => nest(join(folder, 'deep'), 60, Buffer.alloc(200, 0xff)),
  ],
  [
    'folders in each other that no one may enter',
    (folder) => nest(join(folder, 'deep'), 60, 'd'.repeat(200), 0),
  ],
  [
    'a folder in a folder, both without permissions',
    (folder) => {
      mkdirSync(join(folder, 'a/b'), { recursive: true })
      writeFileSync(join(folder, 'a/b/file'), '')
      chmodSync(join(folder, 'a'), 0)
      chmodSync(folder, 0)
    },
  ],
  [
    'a closed folder whose name is no text',
    (folder) => {
      mkdirSync(bytes(folder, 0xff, 0xfe))
      writeFileSync(Buffer.concat([bytes(folder, 0xff, 0xfe), Buffer.from('/a')]), '')
      chmodSync(bytes(folder, 0xff, 0xfe), 0)
    },
  ],
  [
    'read-only files in a read-only folder',
    (folder) => {
      writeFileSync(join(folder, 'a'), '')
      chmodSync(join(folder, 'a'), 0o444)
      chmodSync(folder, 0o555)
    },
  ],
  ['a pipe', (folder) => spawnSync('mkfifo', [join(folder, 'pipe')])],
  [
    'a socket of a process that has ended',
    (folder) =>
      spawnSync(process.execPath, [
        '-e',
        "require('node:net').createServer().listen('s', () => process.kill(process.pid, 'SIGKILL'))",
        ...[folder],
      ]),
  ],
  [
    'names of control characters, options and patterns',
    (folder) => {
      for (const name of ['a\nb', '\u001b[2J', '-rf', '*', '~', '$HOME', ' ', '..x', 'a\\b'])
        mkdirSync(join(folder, name, name), { recursive: true })
    },
  ],
  [
    'the longest names that there are',
    (folder) => {
      mkdirSync(join(folder, longName))
      writeFileSync(join(folder, longName, longName), '')
    },
  ],
  [
    'links to nothing, to themselves and in a circle',
    (folder) => {
      for (const [to, name] of [
        ['none', 'a'],
        ['b', 'b'],
        ['.', 'c'],
        ['e', 'd'],
        ['d', 'e'],
      ])
        symlinkSync(to ?? '', join(folder, name ?? ''))
    },
  ],
  [
    'links out of a closed folder',
    (folder) => {
      mkdirSync(join(folder, 'in'))
      for (const to of [outside, join(outside, 'kept'), '/', '../..'])
        symlinkSync(to, join(folder, 'in', `to-${to.length}`))
      chmodSync(join(folder, 'in'), 0)
    },
  ],
  [
    '5,000 files',
    (folder) => {
      for (let at = 0; at < 5000; at++) writeFileSync(join(folder, `${at}`), '')
    },
  ],
]

describe('removeFolder', () => {
  it.each(shapes)('removes %s, and touches nothing outside', async (_, leave) => {
    const folder = join(root, 'lent')
    const before = { ...statSync(outside), atimeMs: 0, atime: null }
    await asPerson(async () => {
      mkdirSync(folder)
      leave(folder)
      await removeFolder(folder)
    })
    expect(existsSync(folder)).toBe(false)
    expect({ ...statSync(outside), atimeMs: 0, atime: null }).toEqual(before)
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept')
    expect(statSync(join(outside, 'kept')).mode & 0o777).toBe(0o444)
  })

  it('removes a name for a file outside, and neither the file nor its permissions', async () => {
    const folder = join(root, 'lent')
    mkdirSync(folder)
    linkSync(join(outside, 'kept'), join(folder, 'same'))
    chmodSync(folder, 0)
    await removeFolder(folder)
    expect(lstatSync(join(outside, 'kept'))).toMatchObject({ nlink: 1, mode: 0o100444 })
  })

  it('removes a link that took the place of the folder, and not what it leads to', async () => {
    symlinkSync(outside, join(root, 'lent'))
    await removeFolder(join(root, 'lent'))
    expect(readdirSync(root)).toEqual(['outside'])
    expect(readdirSync(outside)).toEqual(['kept'])
  })

  it('removes 300 folders in each other, although others remove them at the same time', async () => {
    const folder = join(root, 'deep')
    nest(folder, 300, 'a-name-of-twenty-chars')
    await Promise.all([1, 2, 3].map(() => removeFolder(folder)))
    expect(existsSync(folder)).toBe(false)
  })

  it('is content without a folder', async () => {
    await expect(removeFolder(join(root, 'none'))).resolves.toBeUndefined()
  })
})

describe('what resists', () => {
  it('is left where a process goes on writing', async () => {
    const folder = join(root, 'lent')
    mkdirSync(folder)
    const write = 'while :; do mkdir -p "$0/a/b/c"; echo > "$0/a/b/c/file"; echo; done'
    const writer = spawn('sh', ['-c', write, folder], { stdio: ['ignore', 'pipe', 'ignore'] })
    writer.stdout.resume()
    await once(writer.stdout, 'data')
    await expect(removeTemporaryFolder(folder)).resolves.toBeUndefined()
    writer.kill('SIGKILL')
    await once(writer, 'exit')
    await removeFolder(folder)
    expect(existsSync(folder)).toBe(false)
  })

  /** Only root can give a file to someone else; for others, a folder that they may not write does the same. */
  function give(folder: string): () => void {
    mkdirSync(join(folder, 'lent'), { recursive: true })
    writeFileSync(join(folder, 'lent/report.xml'), 'forged')
    if (isRoot) chownSync(folder, 0, 0)
    chmodSync(folder, isRoot ? 0o755 : 0o555)
    return () => chmodSync(folder, 0o755)
  }

  it('is left where it is another user’s', async () => {
    const folder = join(root, 'theirs')
    const back = give(folder)
    await asPerson(() =>
      expect(removeTemporaryFolder(join(folder, 'lent'))).resolves.toBeUndefined(),
    )
    back()
    expect(existsSync(join(folder, 'lent'))).toBe(true)
  })

  it('is no report: it would be read again after the next run', async () => {
    const folder = join(root, 'theirs')
    const back = give(folder)
    if (!isRoot) chmodSync(join(folder, 'lent'), 0o555)
    const taken = await asPerson(() => takeOut(join(folder, 'lent'), ['report.xml']))
    expect(Object.fromEntries(taken)).toEqual({})
    back()
    chmodSync(join(folder, 'lent'), 0o755)
    expect(Object.fromEntries(await takeOut(join(folder, 'lent'), ['report.xml']))).toEqual({
      'report.xml': 'forged',
    })
  })
})
