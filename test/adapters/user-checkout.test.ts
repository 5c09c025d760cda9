import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  checkedOutBranch,
  checkOutBranch,
  excludeFromGit,
  findCommit,
  findRepository,
  hasChanges,
  originOf,
  readRange,
} from '../../src/adapters/user-checkout.ts'
import { type GitRepository, makeGitRepository } from './git-repository.ts'

describe("the user's repository", () => {
  it('is found from any directory in it', async () => {
    using repository = makeGitRepository({ 'src/a.ts': 'a\n' })
    const { path } = repository
    const gitDir = join(path, '.git')
    for (const place of [path, join(path, 'src'), join(path, 'src/a.ts')]) {
      expect(await findRepository(place)).toEqual({
        ...{ root: path, workTree: path, gitDir, commonDir: gitDir },
        ...{ format: 'sha1', shallow: false },
      })
    }
    expect(await hasChanges(join(path, 'src'))).toBe(false)
    repository.put('new.ts', 'b\n')
    expect(await hasChanges(join(path, 'src'))).toBe(true)
  })

  it('is on a branch, or on none', async () => {
    using repository = makeGitRepository()
    repository.git('switch', '--quiet', '-c', 'wip/ü')
    const found = await findRepository(repository.path)
    expect(await checkedOutBranch(found)).toBe('wip/ü')
    repository.git('switch', '--quiet', '--detach')
    expect(await checkedOutBranch(found)).toBeNull()
  })

  it.each<[string, (repository: GitRepository) => void, boolean]>([
    ['an edited file', ({ put }) => put('README.md', 'x'), true],
    ['an untracked file', ({ put }) => put('new.md', 'x'), true],
    [
      'a staged file',
      ({ put, git }) => {
        put('new.md', 'x')
        git('add', 'new.md')
      },
      true,
    ],
    ['only ignored files', ({ put }) => put('tmp/x', 'x'), false],
    ['nothing new', () => {}, false],
  ])('says whether it has changes with %s', async (_, prepare, expected) => {
    using repository = makeGitRepository({ 'README.md': 'a\n', '.gitignore': 'tmp/\n' })
    prepare(repository)
    expect(await hasChanges(repository.path)).toBe(expected)
  })

  it('is looked at without a byte of its index being written', async () => {
    using repository = makeGitRepository()
    const { path } = repository
    const index = join(path, '.git/index')
    utimesSync(join(path, 'README.md'), 1, 1)
    const before = [readFileSync(index, 'base64'), statSync(index).mtimeMs]
    expect(await hasChanges(path)).toBe(false)
    expect([readFileSync(index, 'base64'), statSync(index).mtimeMs]).toEqual(before)
  })

  it('is found when bare, without a commit, and when there is none', async () => {
    using repository = makeGitRepository({})
    const { path, git } = repository
    expect(await checkedOutBranch(await findRepository(path))).toBe('main')
    expect(await hasChanges(path)).toBe(false)
    git('init', '--quiet', '--bare', '../bare.git')
    const bare = join(path, '../bare.git')
    expect(await findRepository(bare)).toEqual({
      ...{ root: bare, workTree: null, gitDir: bare, commonDir: bare },
      ...{ format: 'sha1', shallow: false },
    })
    expect(await hasChanges(bare)).toBe(false)
    for (const place of [join(path, '..'), join(path, 'none')]) {
      await expect(findRepository(place)).rejects.toMatchObject({ code: 'not_a_repository' })
    }
  })

  it.each([
    ['https://github.com/ada/engine.git', 'https://github.com/ada/engine.git'],
    ['https://x:secret@github.com/ada/engine', 'https://github.com/ada/engine'],
    ['git@github.com:ada/engine.git', 'git@github.com:ada/engine.git'],
    ['--upload-pack=touch x', '--upload-pack=touch x'],
  ])('has the origin %s', async (url, expected) => {
    using repository = makeGitRepository()
    const found = await findRepository(repository.path)
    expect(await originOf(found)).toBeNull()
    repository.git('config', 'remote.origin.url', url)
    expect(await originOf(found)).toBe(expected)
  })
})

describe('a range', () => {
  it.each([
    ['main..feature', 'main', 'feature', true],
    ['main...feature', 'main', 'feature', false],
    ['v1.0..v1.1', 'v1.0', 'v1.1', true],
    ['main~2..', 'main~2', 'HEAD', true],
    ['...origin/main', 'HEAD', 'origin/main', false],
    ['--all..-x', '--all', '-x', true],
    ['a....b', 'a', '.b', false],
    ['a..b..c', 'a', 'b..c', true],
    ['a\n..b\n', 'a\n', 'b\n', true],
  ])('is %j', (text, from, to, isExact) => {
    expect(readRange(text)).toEqual({ from, to, isExact })
  })

  it.each(['', '..', '...', 'main', 'v1.0', '../p.diff', 'a/../p.diff', '../..'])(
    'is not %j',
    (text) => {
      expect(readRange(text)).toBeNull()
    },
  )
})

describe('finding a commit', () => {
  it.each(['HEAD', 'main', 'refs/heads/main', 'main~0', 'HEAD^{/a..b}'])(
    'finds %s',
    async (name) => {
      using repository = makeGitRepository()
      repository.put('a..b', 'a\n')
      const commit = repository.commit('Start a..b')
      expect(await findCommit(await findRepository(repository.path), name)).toBe(commit)
    },
  )

  it.each(['HEAD', '@', 'HEAD~1', '@~1', 'HEAD^', 'HEAD@{0}'])(
    'finds %s of this checkout, not of origin',
    async (name) => {
      using repository = makeGitRepository()
      const { git, put, path } = repository
      const first = git('rev-parse', 'HEAD')
      put('a', '1')
      git('update-ref', 'refs/remotes/origin/main', repository.commit())
      git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main')
      git('switch', '--quiet', '-c', 'own', first)
      put('b', '1')
      const below = repository.commit()
      put('b', '2')
      const tip = repository.commit()
      const wanted = /1|\^/.test(name) ? below : tip
      expect(await findCommit(await findRepository(path), name)).toBe(wanted)
    },
  )

  it.each([
    ...['', 'nowhere', '^main', '--all', '-h', 'main..main', 'main^!', 'main^@', 'main:README.md'],
    ...['main\0', 'main\n', 'main..^main', 'HEAD^{tree}'],
  ])('finds none for %j', async (name) => {
    using repository = makeGitRepository()
    expect(await findCommit(await findRepository(repository.path), name)).toBeNull()
  })
})

describe('checking out a branch', () => {
  it('switches a clean tree, ignored files and all', async () => {
    using repository = makeGitRepository({ 'a.ts': 'a\n', '.gitignore': 'tmp/\n' })
    const { git, put, path } = repository
    put('tmp/kept', 'x')
    git('switch', '--quiet', '-c', 'agent/T-1')
    put('a.ts', 'b\n')
    repository.commit()
    git('switch', '--quiet', 'main')
    expect(await checkOutBranch(path, 'agent/T-1')).toEqual({ status: 'done' })
    expect(git('symbolic-ref', '--short', 'HEAD')).toBe('agent/T-1')
    expect(readFileSync(join(path, 'a.ts'), 'utf8')).toBe('b\n')
    expect(readFileSync(join(path, 'tmp/kept'), 'utf8')).toBe('x')
  })

  it.each<[string, string, (repository: GitRepository) => void, RegExp]>([
    ['uncommitted changes', 'agent/T-1', ({ put }) => put('README.md', 'x'), /uncommitted/],
    ['an untracked file', 'agent/T-1', ({ put }) => put('x', 'x'), /uncommitted/],
    ['no such branch', 'agent/T-2', () => {}, /agent\/T-2/],
    ['an option for a name', '--discard-changes', () => {}, /discard-changes/],
    ['a commit for a name', 'HEAD~0', () => {}, /branch/],
    [
      'the branch in use elsewhere',
      'agent/T-1',
      ({ git }) => git('worktree', 'add', '--quiet', '../other', 'agent/T-1'),
      /already/,
    ],
  ])('is refused with %s', async (_, branch, prepare, reason) => {
    using repository = makeGitRepository()
    repository.git('branch', 'agent/T-1')
    prepare(repository)
    const before = repository.git('status', '--porcelain')
    expect(await checkOutBranch(repository.path, branch)).toEqual({
      status: 'refused',
      reason: expect.stringMatching(reason),
    })
    expect(repository.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    expect(repository.git('status', '--porcelain')).toBe(before)
  })
})

describe('excluding a path from git', () => {
  it('is done once, beside what is there, for every work tree', async () => {
    using repository = makeGitRepository()
    const { path, git, put } = repository
    put('.git/info/exclude', '# mine\n*.log')
    git('worktree', 'add', '--quiet', '../linked')
    await excludeFromGit(await findRepository(path), '.executor/')
    await excludeFromGit(await findRepository(join(path, '../linked')), '.executor/')
    const exclude = join(path, '.git/info/exclude')
    expect(readFileSync(exclude, 'utf8')).toBe('# mine\n*.log\n.executor/\n')
    put('.executor/state.json', '{}')
    expect(await hasChanges(path)).toBe(false)
    rmSync(join(path, '.git/info'), { recursive: true })
    await excludeFromGit(await findRepository(path), '.executor/')
    expect(readFileSync(exclude, 'utf8')).toBe('.executor/\n')
  })
})
