import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  checkOutBranch,
  describeRepository,
  excludeFromGit,
  originOf,
} from '../../src/adapters/user-checkout.ts'
import { type GitRepository, makeGitRepository } from './git-repository.ts'

describe("the user's repository", () => {
  it('is described from any directory in it', async () => {
    using repository = makeGitRepository({ 'src/a.ts': 'a\n' })
    repository.git('switch', '--quiet', '-c', 'wip/ü')
    const { path } = repository
    for (const place of [path, join(path, 'src'), join(path, 'src/a.ts')]) {
      expect(await describeRepository(place)).toEqual({
        root: path,
        gitDir: join(path, '.git'),
        branch: 'wip/ü',
        dirty: false,
        remoteUrl: null,
      })
    }
  })

  it.each<[string, (repository: GitRepository) => void, object]>([
    ['an edited file', ({ put }) => put('README.md', 'x'), { dirty: true }],
    ['an untracked file', ({ put }) => put('new.md', 'x'), { dirty: true }],
    [
      'a staged file',
      ({ put, git }) => {
        put('new.md', 'x')
        git('add', 'new.md')
      },
      { dirty: true },
    ],
    ['only ignored files', ({ put }) => put('tmp/x', 'x'), { dirty: false }],
    ['a detached HEAD', ({ git }) => git('switch', '-q', '--detach'), { branch: null }],
  ])('is described with %s', async (_, prepare, expected) => {
    using repository = makeGitRepository({ 'README.md': 'a\n', '.gitignore': 'tmp/\n' })
    prepare(repository)
    expect(await describeRepository(repository.path)).toMatchObject(expected)
  })

  it('is described without a byte of its index being written', async () => {
    using repository = makeGitRepository()
    const { path } = repository
    const index = join(path, '.git/index')
    utimesSync(join(path, 'README.md'), 1, 1)
    const before = [readFileSync(index, 'base64'), statSync(index).mtimeMs]
    expect((await describeRepository(path)).dirty).toBe(false)
    expect([readFileSync(index, 'base64'), statSync(index).mtimeMs]).toEqual(before)
  })

  it('is described when bare, without a commit, and when there is none', async () => {
    using repository = makeGitRepository({})
    const { path, git } = repository
    expect(await describeRepository(path)).toMatchObject({ branch: 'main', dirty: false })
    git('init', '--quiet', '--bare', '../bare.git')
    const bare = join(path, '../bare.git')
    expect(await describeRepository(bare)).toMatchObject({ root: bare, gitDir: bare })
    for (const place of [join(path, '..'), join(path, 'none')]) {
      await expect(describeRepository(place)).rejects.toMatchObject({ code: 'not_a_repository' })
    }
  })

  it.each([
    ['https://github.com/ada/engine.git', 'https://github.com/ada/engine.git'],
    ['https://x:secret@github.com/ada/engine', 'https://github.com/ada/engine'],
    ['git@github.com:ada/engine.git', 'git@github.com:ada/engine.git'],
    ['--upload-pack=touch x', '--upload-pack=touch x'],
  ])('has the origin %s', async (url, expected) => {
    using repository = makeGitRepository()
    expect(await originOf(repository.path)).toBeNull()
    repository.git('config', 'remote.origin.url', url)
    expect(await originOf(repository.path)).toBe(expected)
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
    await excludeFromGit(path, '.executor/')
    await excludeFromGit(join(path, '../linked'), '.executor/')
    const exclude = join(path, '.git/info/exclude')
    expect(readFileSync(exclude, 'utf8')).toBe('# mine\n*.log\n.executor/\n')
    put('.executor/state.json', '{}')
    expect((await describeRepository(path)).dirty).toBe(false)
    rmSync(join(path, '.git/info'), { recursive: true })
    await excludeFromGit(path, '.executor/')
    expect(readFileSync(exclude, 'utf8')).toBe('.executor/\n')
  })
})
