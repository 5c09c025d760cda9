import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Sources } from '../../src/adapters/sqlite-index/take-in.ts'
import { createSqliteIndex, indexName } from '../../src/adapters/sqlite-index.ts'
import type { CodeIndex } from '../../src/core/ports/code-index.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'
import { makeGitRepository } from './git-repository.ts'
import { openWorkspace } from './git-workspace-bench.ts'

type Texts = Readonly<Record<string, string>>

function makePlace() {
  const root = mkdtempSync(join(tmpdir(), 'executor-index-'))
  const directory = join(root, '.executor')
  const notes: string[] = []
  const read: string[] = []
  const note = (line: string) => notes.push(line)
  const open = (more = {}) =>
    createSqliteIndex({ directory, clock: createFakeClock(), note, ...more })
  const ask = <T>(texts: Texts, question: (index: CodeIndex) => T, index = open()) =>
    index(filesOf(texts), sourcesOf(texts, read), question)
  return {
    ...{ root, directory, notes, read, open, ask, path: join(directory, indexName) },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** A blob is named after its text, as git does it. */
const filesOf = (texts: Texts) =>
  Object.entries(texts).map(([path, text]) => ({
    path,
    blob: `${text.length}:${text.slice(0, 50)}`,
    size: text.length,
  }))

const sourcesOf = (texts: Texts, read: string[] = []): Sources => ({
  async readTexts(paths) {
    read.push(...paths)
    return new Map(paths.flatMap((path) => (path in texts ? [[path, texts[path] ?? '']] : [])))
  },
  listCommits: async () => [],
  readCommits: async () => [],
})

const pathsWith = (word: string) => (index: CodeIndex) =>
  index.partsWith(word).map(({ path }) => path)

const shop = {
  'src/cart.ts':
    "import { price } from './price.ts'\nexport function cartTotal(cart) { return 1 }\n",
  'src/price.ts': 'export const price = (item) => item.cents / 100\n',
  'src/mailer.ts': 'export function sendInvoices(customer) { return customer.address }\n',
  'test/cart.test.ts': "import { cartTotal } from '../src/cart.js'\n",
}

describe('what the index answers', () => {
  it('finds parts by the words of names, their stems and whole names', async () => {
    using place = makePlace()
    const found = await place.ask(shop, (index) =>
      Object.fromEntries(
        ['total', 'carttotal', 'sending', 'invoice', 'nowhere', 'OR', '"', 'a* NEAR'].map(
          (word) => [word, [...new Set(pathsWith(word)(index))].toSorted()],
        ),
      ),
    )
    expect(found).toEqual({
      total: ['src/cart.ts', 'test/cart.test.ts'],
      carttotal: ['src/cart.ts', 'test/cart.test.ts'],
      sending: ['src/mailer.ts'],
      invoice: ['src/mailer.ts'],
      nowhere: [],
      ...{ OR: [], '"': [], 'a* NEAR': [] },
    })
  })

  it('says who imports a file', async () => {
    using place = makePlace()
    const found = await place.ask(shop, (index) => ({
      ofCart: index.importers('src/cart.ts'),
      ofPrice: index.importers('src/price.ts'),
      ofNone: index.importers('src/none.ts'),
    }))
    expect(found).toEqual({
      ofCart: ['test/cart.test.ts'],
      ofPrice: ['src/cart.ts'],
      ofNone: [],
    })
  })

  it('shows a part of a long file, with its lines', async () => {
    using place = makePlace()
    const filler = 'const filler = 0\n'.repeat(99)
    const long = `${filler}export function lastThing() {}\n${filler}`
    const parts = await place.ask({ 'a.ts': long }, (index) => index.partsWith('lastthing'))
    expect(parts).toMatchObject([{ path: 'a.ts' }])
    const [{ first = 0, last = 0 } = {}] = parts ?? []
    expect([first <= 100, last >= 100, last - first < 60]).toEqual([true, true, true])
  })
})

describe('how the index follows the tree', () => {
  it('reads a blob once, and answers for the files that it is asked about alone', async () => {
    using place = makePlace()
    await place.ask(shop, () => null)
    place.read.length = 0
    const moved = { 'src/basket.ts': shop['src/cart.ts'], 'src/price.ts': shop['src/price.ts'] }
    const found = await place.ask(moved, pathsWith('total'))
    expect(place.read).toEqual(['src/basket.ts'])
    expect(found).toEqual(['src/basket.ts'])
  })

  it('drops older trees once they are most of it', async () => {
    using place = makePlace()
    const tree = (from: number) =>
      Object.fromEntries(
        Array.from({ length: 700 }, (_, index) => [`${index}.ts`, `${from} old${from}`]),
      )
    for (const from of [1, 2, 3, 4, 5]) await place.ask(tree(from), () => null)
    using database = new DatabaseSync(place.path)
    const counts = database.prepare(
      `SELECT (SELECT count(*) FROM files) AS files, (SELECT count(*) FROM parts) AS parts,
        (SELECT count(*) FROM words) AS words`,
    )
    const { files, parts, words } = counts.get() ?? {}
    expect(Number(files)).toBeLessThan(3_500)
    expect([parts, words]).toEqual([files, files])
  })

  it('stops reading when it takes too long, and reads the rest the next time', async () => {
    using place = makePlace()
    const clock = createFakeClock()
    const many = Object.fromEntries(
      Array.from({ length: 1_200 }, (_, index) => [`${index}.ts`, `total ${index}`]),
    )
    const slow: Sources = {
      ...sourcesOf(many),
      async readTexts(paths) {
        await clock.sleep(100)
        return sourcesOf(many).readTexts(paths)
      },
    }
    const lookUp = createSqliteIndex({ directory: place.directory, clock, note: () => {} })
    const count = () => lookUp(filesOf(many), slow, (index) => index.partsWith('total').length)
    expect([await count(), await count(), await count(), await count()]).toEqual([
      500, 1_000, 1_200, 1_200,
    ])
  })
})

describe('a bad file or disk', () => {
  const damages: Readonly<Record<string, (place: ReturnType<typeof makePlace>) => void>> = {
    'no database': ({ path }) => writeFileSync(path, 'rubbish'.repeat(1_000)),
    'an empty file': ({ path }) => writeFileSync(path, ''),
    'another schema': ({ path }) => {
      using database = new DatabaseSync(path)
      database.exec('DROP INDEX parts_of; CREATE TABLE more (a)')
    },
    'a broken page': ({ path }) => {
      for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
      const bytes = Buffer.alloc(statSync(path).size - 4096, 0xff)
      const text = Buffer.concat([Buffer.from('SQLite format 3\0'), bytes])
      writeFileSync(path, text)
    },
  }
  it.each(Object.keys(damages))('is made again: %s', async (name) => {
    using place = makePlace()
    await place.ask(shop, () => null)
    damages[name]?.(place)
    expect(await place.ask(shop, pathsWith('invoice'))).toEqual(['src/mailer.ts'])
    expect(place.notes).toEqual([])
  })

  const refusals: Readonly<Record<string, (place: ReturnType<typeof makePlace>) => void>> = {
    'a link in place of the folder': ({ root, directory }) => symlinkSync(root, directory),
    'a link in place of the file': ({ root, directory, path }) => {
      mkdirSync(directory)
      symlinkSync(join(root, 'elsewhere.db'), path)
    },
    'a folder in place of the file': ({ path }) => mkdirSync(path, { recursive: true }),
    'a file in place of the folder': ({ directory }) => writeFileSync(directory, ''),
  }
  it.each(Object.keys(refusals))('is done without, and said once: %s', async (name) => {
    using place = makePlace()
    refusals[name]?.(place)
    const index = place.open()
    const answers = [await place.ask(shop, () => 1, index), await place.ask(shop, () => 1, index)]
    expect(answers).toEqual([null, null])
    expect(place.notes).toEqual([expect.stringContaining('without an index')])
    expect(existsSync(join(place.root, 'elsewhere.db'))).toBe(false)
  })

  it('is done without where another process holds it too long', async () => {
    using place = makePlace()
    await place.ask(shop, () => null)
    using database = new DatabaseSync(place.path)
    database.exec('BEGIN EXCLUSIVE')
    const index = place.open({ patience: 1 })
    expect(await place.ask({ 'new.ts': 'new' }, () => 1, index)).toBe(null)
    expect(place.notes).toEqual([expect.stringContaining('locked')])
  })

  it('passes a bug in the question on', async () => {
    using place = makePlace()
    const asked = place.ask(shop, () => {
      throw new TypeError('a bug')
    })
    await expect(asked).rejects.toThrow('a bug')
  })

  it('keeps itself private', async () => {
    using place = makePlace()
    await place.ask(shop, () => null)
    expect(statSync(place.directory).mode & 0o777).toBe(0o700)
  })
})

describe('runs at once, and killed ones', () => {
  it('has every file once when two write the same tree', async () => {
    using place = makePlace()
    const many = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`${index}.ts`, `total number${index}`]),
    )
    const both = await Promise.all(
      [place.open(), place.open()].map((index) => place.ask(many, pathsWith('total'), index)),
    )
    for (const found of both) expect(new Set(found).size).toBe(900)
    for (const found of both) expect(found).toHaveLength(900)
  })

  it('resumes after a kill while it reads', async () => {
    using place = makePlace()
    const script = join(import.meta.dirname, 'index-and-die.ts')
    const { signal } = spawnSync(process.execPath, [script, place.directory, '850'])
    expect(signal).toBe('SIGKILL')
    const texts = Object.fromEntries(
      Array.from({ length: 850 }, (_, index) => [
        `src/file-${index}.ts`,
        'export const total = 1\n',
      ]),
    )
    const files = Object.keys(texts).map((path, index) => ({ path, blob: `${index}`, size: 23 }))
    const found = await place.open()(files, sourcesOf(texts, place.read), pathsWith('total'))
    expect(found).toHaveLength(850)
    expect(place.read).toHaveLength(350)
    expect(place.notes).toEqual([])
  })
})

describe('the index of a repository', () => {
  it('takes in hostile trees, and commits for what they changed', async () => {
    using repository = makeGitRepository({ 'src/cart.ts': shop['src/cart.ts'] })
    repository.put('minified.js', `var total=1;${'x=total+1;'.repeat(100_000)}`)
    repository.put('lines.js', 'total()\n'.repeat(100_000))
    repository.put('binary.js', Buffer.from([0, 255, 116, 111, 116, 97, 108]))
    repository.put('odd \n"name\'.js', 'const total = 1\n')
    repository.put('-e.js', 'const total = 2\n')
    symlinkSync('/etc/passwd', join(repository.path, 'link.js'))
    repository.git('add', '--all')
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},module`)
    repository.git('commit', '--quiet', '-m', 'Sum the totals\u0001 of carts\u0002')
    const sha = repository.git('rev-parse', 'HEAD')
    const directory = join(repository.home, '.executor')
    const note = (line: string) => expect.fail(line)
    const clock = createFakeClock()
    const workspace = await openWorkspace(repository, { index: { directory, clock, note } })
    const paths = (await workspace.listFiles(sha)).map(({ path }) => path)
    const found = await workspace.lookUp?.(sha, paths, (index) => ({
      total: [...new Set(pathsWith('total')(index))].toSorted(),
      commits: index.commits.map(({ title, paths: changed }) => [title, ...changed]),
    }))
    expect(found).toEqual({
      total: ['-e.js', 'lines.js', 'minified.js', 'odd \n"name\'.js', 'src/cart.ts'],
      commits: [
        [
          'Sum the totals\u0001 of carts\u0002',
          '-e.js',
          'binary.js',
          'lines.js',
          'link.js',
          'minified.js',
          'module',
        ],
        ['start', 'src/cart.ts'],
      ],
    })
  })

  it('answers for the files of the commit alone', async () => {
    using repository = makeGitRepository(shop)
    const sha = repository.git('rev-parse', 'HEAD')
    const directory = join(repository.home, '.executor')
    const index = { directory, clock: createFakeClock(), note: () => {} }
    const workspace = await openWorkspace(repository, { index })
    const found = await workspace.lookUp?.(
      sha,
      ['src/cart.ts', 'src/gone.ts'],
      (given) => given.commits,
    )
    expect(found).toEqual([{ title: 'start', words: ['start'], paths: ['src/cart.ts'] }])
  })
})
