import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../packages/change/change-set.ts'
import { findProgram } from '../../../packages/files/find-program.ts'
import { createGrep } from '../../../src/adapters/git-workspace/grep.ts'
import { createLineReader } from '../../../src/adapters/git-workspace/grep-lines.ts'
import { createTreeReader } from '../../../src/adapters/git-workspace/trees.ts'
import type { GrepLine, GrepQuery, GrepResult } from '../../../src/core/ports/workspace.ts'
import { type GitRepository, makeGitRepository } from '../git-repository.ts'
import { openWorkspace } from '../git-workspace-bench.ts'

const create = (path: string, content: string) => ({ action: 'create', path, content }) as const

async function open(repository: GitRepository) {
  const workspace = await openWorkspace(repository)
  const { base } = await workspace.refresh()
  return {
    sha: base.sha,
    grep: (query: Partial<GrepQuery>, changes: ChangeSet = []): Promise<GrepResult> =>
      workspace.grep(base.sha, changes, {
        ...{ patterns: ['total'], kind: 'words', ignoresCase: false, under: '', ...query },
      }),
  }
}

const linesOf = (result: GrepResult): readonly GrepLine[] =>
  result.status === 'found' ? result.lines : [{ path: '', line: 0, text: result.reason }]

describe('a query that a model wrote', () => {
  let repository: GitRepository
  let shared: ReturnType<typeof open>
  beforeAll(() => {
    repository = makeGitRepository({ 'src/a.txt': 'total\n' })
    shared = open(repository)
  })
  afterAll(() => repository[Symbol.dispose]())
  const options = [
    ...['-e', '--', '-', '-O', '--open-files-in-pager=touch /tmp/x', '-f/etc/passwd', '--no-index'],
    ...[
      '$(touch x)',
      '`x`',
      '%s',
      '\\',
      '"',
      "'",
      '*',
      '[',
      '(',
      'a{1',
      '^',
      '$',
      '\r',
      'ü',
      '\u{1f680}',
    ],
  ]

  it('is searched for as the text that it is', async () => {
    const lines = options.map((text, index) => `${index}x${text}y`)
    using repository = makeGitRepository({ 'a.txt': `${lines.join('\n')}\n`, 'b.txt': 'none\n' })
    const { grep } = await open(repository)
    const longest = 'x'.repeat(1_000)
    for (const [index, text] of options.entries()) {
      const [found] = linesOf(await grep({ patterns: [`${index}x${text}y`, longest] }))
      expect(found).toEqual({ path: 'a.txt', line: index + 1, text: lines[index] })
      const all = linesOf(await grep({ patterns: [text] })).map((line) => line.text)
      expect(all).toEqual(lines.filter((line) => line.includes(text)))
    }
    expect(readdirSync(repository.path).sort()).toEqual(['.git', 'a.txt', 'b.txt'])
  })

  it.each<[string, Partial<GrepQuery>, RegExp]>([
    ['no pattern', { patterns: [] }, /^there is nothing to search for$/],
    ['an empty pattern', { patterns: ['total', ''] }, /nothing to search for/],
    ['a NUL', { patterns: ['a\0b'] }, /a line break or a NUL/],
    ['a line break', { patterns: ['a\nb'] }, /a line break or a NUL/],
    ['10,000 characters', { patterns: ['x'.repeat(10_000)] }, /longer than 1000 characters/],
    ['30 patterns', { patterns: Array.from({ length: 30 }, () => 'x') }, /more than 20 patterns/],
    ['a wrong expression', { kind: 'expression', patterns: ['('] }, /^Unmatched \( or \\\($/],
    ['an odd range', { kind: 'expression', patterns: ['[z-a]'] }, /^Invalid range end$/],
    ['a quote in it', { kind: 'expression', patterns: ["': ('"] }, /^Unmatched/],
    ['too many repetitions', { kind: 'expression', patterns: ['a{1,99999}'] }, /too big/],
    ['a path outside', { under: '../x' }, /not normalized/],
    ['a path outside, deep', { under: 'src/../../x' }, /not normalized/],
    ['an absolute path', { under: '/etc/passwd' }, /absolute/],
    ['.git', { under: '.git' }, /\.git directory/],
    ['.git in disguise', { under: 'src/.GIT/config' }, /\.git directory/],
    ['magic', { under: ':(top)src' }, /^there is no :\(top\)src$/],
    ['an exclusion', { under: ':!src' }, /there is no :!src/],
    ['an exclusion, short', { under: ':^src' }, /there is no/],
    ['a wildcard', { under: 's*' }, /there is no/],
    ['an option', { under: '--cached' }, /there is no/],
    ['a NUL in the path', { under: 'src\0x' }, /a NUL/],
    ['10,000 characters of path', { under: 'x'.repeat(10_000) }, /there is no x+$/],
  ])('is refused: %s', async (_, query, reason) => {
    const { grep } = await shared
    const result = await grep(query)
    expect(result).toEqual({ status: 'refused', reason: expect.stringMatching(reason) })
  })

  it('may name a folder in other ways, and a file as odd as its name', async () => {
    const odd = ['src/it\'s "ü".txt', 'src/two\nlines', ':(top)x', ':!y', '-e', 'a*', 'src/\\x']
    using repository = makeGitRepository(
      Object.fromEntries([...odd, 'src/a.txt', 'ab'].map((path) => [path, `total of ${path}\n`])),
    )
    const { grep } = await open(repository)
    const all = linesOf(await grep({}))
    expect(all).toHaveLength(9)
    for (const under of ['.', './']) expect(linesOf(await grep({ under }))).toEqual(all)
    for (const under of ['src/', './src', 'src']) {
      expect(linesOf(await grep({ under }))).toHaveLength(4)
    }
    for (const path of odd) {
      const [text] = `total of ${path}`.split('\n')
      expect(linesOf(await grep({ under: path }))).toEqual([{ path, line: 1, text }])
      expect(linesOf(await grep({ under: path }, [create('new.txt', 'total\n')]))).toHaveLength(1)
    }
  })

  it('understands extended expressions', async () => {
    using repository = makeGitRepository({ 'a.ts': 'const total = 1\nlet x = 2\nTOTALLY\n' })
    const { grep } = await open(repository)
    const found = async (query: Partial<GrepQuery>) =>
      linesOf(await grep({ kind: 'expression', ...query })).map(({ line }) => line)
    expect(await found({ patterns: ['^(const|let) [a-z]+ ='] })).toEqual([1, 2])
    expect(await found({ patterns: ['^x', 'tot(al)?ly'], ignoresCase: true })).toEqual([3])
  })
})

describe('files as they may be', () => {
  it('skips what is no text, .executor, and shows a line that is no UTF-8', async () => {
    using repository = makeGitRepository({ '.gitattributes': '*.txt -diff\n', 'a.txt': 'total\n' })
    repository.put('binary', Buffer.from('total\n\0'))
    repository.put('.executor/state.json', 'total\n')
    repository.put('latin', Buffer.from('total \xfc\n', 'latin1'))
    repository.git('config', 'core.quotePath', 'true')
    repository.git('config', 'diff.x.textconv', 'false')
    repository.commit()
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`)
    const link = repository.git('hash-object', '-w', 'a.txt')
    repository.git('update-index', '--add', '--cacheinfo', `120000,${link},link`)
    repository.git('commit', '--quiet', '-m', 'more')
    const { grep } = await open(repository)
    expect(linesOf(await grep({}))).toEqual([
      { path: 'a.txt', line: 1, text: 'total' },
      { path: 'latin', line: 1, text: 'total \uFFFD' },
    ])
  })

  it('cuts long lines, and stops at 200 lines or 64 KB', async () => {
    using repository = makeGitRepository({
      'deep/long.txt': `${'ü'.repeat(300)}total\n${'\u{1f680}'.repeat(3_000_000)}total\n`,
      'many.txt': 'total\n'.repeat(100_000),
      'wide.txt': `${'ü'.repeat(299)}+total\n`.repeat(1_000),
    })
    const { grep } = await open(repository)
    const long = linesOf(await grep({ under: 'deep' }))
    expect(long.map(({ text }) => text)).toEqual([
      `${'ü'.repeat(300)}…`,
      `${'\u{1f680}'.repeat(300)}…`,
    ])
    const many = await grep({ under: 'many.txt' })
    expect(many).toMatchObject({ status: 'found', isCut: true })
    expect(linesOf(many).map(({ line }) => line)).toEqual(
      Array.from({ length: 200 }, (_, n) => n + 1),
    )
    const wide = await grep({ under: 'wide.txt', patterns: ['+'] })
    expect(wide).toMatchObject({ isCut: true })
    expect(linesOf(wide).length).toBeLessThanOrEqual(200)
    expect(JSON.stringify(wide).length).toBeLessThan(80_000)
  })

  it('sees changes of every kind, and leaves no ref behind', async () => {
    using repository = makeGitRepository({
      'a.txt': 'total a\n',
      'b.txt': 'total b\n',
      'c/d.txt': 'total d\n',
    })
    const { grep, sha } = await open(repository)
    const changes: ChangeSet = [
      { action: 'modify', path: 'a.txt', before: 'total a\n', content: 'sum\ntotal A' },
      { action: 'delete', path: 'c/d.txt', before: 'total d\n' },
      create('c', 'total c\n'),
      create('n/e/w "ü"\n.txt', 'total n\n'),
    ]
    const searches = Array.from({ length: 5 }, () => grep({}, changes))
    for (const result of await Promise.all(searches)) {
      expect(linesOf(result).map(({ path, line }) => [path, line])).toEqual([
        ['a.txt', 2],
        ['b.txt', 1],
        ['c', 1],
        ['n/e/w "ü"\n.txt', 1],
      ])
    }
    const refs = readdirSync(join(repository.home, 'repo.git/refs'), { recursive: true })
    expect(refs.filter((name) => String(name).includes('search/'))).toEqual([])
    const wrong = [{ action: 'delete', path: 'none', before: '' }] as const
    await expect(grep({}, wrong)).rejects.toThrow('cannot commit')
    const workspace = await openWorkspace(repository)
    const query = { patterns: ['x'], kind: 'words', ignoresCase: false, under: '' } as const
    await expect(workspace.grep('f'.repeat(sha.length), [], query)).rejects.toThrow('git')
    await expect(workspace.grep('HEAD', [], query)).rejects.toThrow('not an object name')
  })

  it('searches a repository of SHA-256 names', async () => {
    using repository = makeGitRepository({ 'a.txt': 'total\n' }, '--object-format=sha256')
    const { grep } = await open(repository)
    expect(linesOf(await grep({}, [create('b.txt', 'total\n')])).map(({ path }) => path)).toEqual([
      'a.txt',
      'b.txt',
    ])
  })
})

describe('an expression that takes too much', () => {
  const endless = ['(a*)*(a*)*(a*)*\\1\\2\\3b']
  const query = { kind: 'expression', ignoresCase: false, under: '' } as const

  const hasLimits = findProgram('prlimit', (process.env.PATH ?? '').split(':')) !== null

  async function grepWith(
    repository: GitRepository,
    limits: { readonly seconds: number; readonly bytes: number },
    patterns: readonly string[],
  ): Promise<GrepResult> {
    const { sha } = await open(repository)
    const gitDir = join(repository.home, 'repo.git')
    const clone = { home: repository.home, gitDir, work: repository.home }
    const tree = await createTreeReader(clone)(sha)
    const grep = createGrep(clone, { lines: 200, characters: 64_000, ...limits })
    return grep({ sha, tree, changes: [] }, { ...query, patterns })
  }

  it('is ended in time, and keeps what it found', async () => {
    const long = `${'a'.repeat(60_000)}c\n`
    const limits = { seconds: 0.3, bytes: 1024 ** 3 }
    using one = makeGitRepository({ 'a.txt': `ab\n${long}` })
    const reason = 'the search took more than 0.3 seconds'
    expect(await grepWith(one, limits, endless)).toEqual({ status: 'refused', reason })
    using two = makeGitRepository({ 'a.txt': `${'x'.repeat(250)}\n`.repeat(150), 'b.txt': long })
    const cut = await grepWith(two, limits, ['^x', ...endless])
    expect(cut).toMatchObject({ status: 'found', isCut: true })
    expect(linesOf(cut).length).toBeGreaterThan(0)
  })

  it.runIf(hasLimits)('is ended in memory', async () => {
    using repository = makeGitRepository({ 'a.txt': 'total\n' })
    const most = { seconds: 30, bytes: 64 * 1024 ** 2 }
    const huge = ['((((a{1,255}){1,255}){1,255}){1,255})']
    const result = await grepWith(repository, most, huge)
    expect(result).toMatchObject({ status: 'refused', reason: expect.stringMatching(/memory/i) })
  })

  it('may look bad and be none', async () => {
    using repository = makeGitRepository({ 'a.txt': `${'a'.repeat(100_000)}!\naaa\n` })
    const { grep } = await open(repository)
    const found = await grep({
      kind: 'expression',
      patterns: ['^(a+)+$', '^(a|a)*$', '^(.*a){20}$'],
    })
    expect(linesOf(found).map(({ line }) => line)).toEqual([2])
  })
})

it('reads the same lines, wherever the output is cut', () => {
  const sha = 'a'.repeat(40)
  const output = Buffer.from(
    `${sha}:a:b\n.txt\x001\0to:tal\0x\n${sha}:ü\x0012\0\n${sha}:c\x003\0${'ü'.repeat(400)}\r\n`,
  )
  for (let size = 1; size <= output.length; size += 1) {
    const lines: GrepLine[] = []
    const read = createLineReader(sha, (line) => void lines.push(line))
    for (let at = 0; at < output.length; at += size) read(output.subarray(at, at + size))
    expect(lines).toEqual([
      { path: 'a:b\n.txt', line: 1, text: 'to:tal\0x' },
      { path: 'ü', line: 12, text: '' },
      { path: 'c', line: 3, text: `${'ü'.repeat(300)}…` },
    ])
  }
})
