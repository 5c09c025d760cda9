import { chmodSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type GitRepository, makeGitRepository } from './git-repository.ts'
import { openWorkspace } from './git-workspace-bench.ts'

type Change = (repository: GitRepository) => void

const lines = (first = 'one', last = 'six'): string =>
  `${[first, 'two', 'three', 'four', 'five', last].join('\n')}\n`

const put =
  (path: string, content: string | Buffer): Change =>
  (repository) =>
    repository.put(path, content)
const remove =
  (path: string): Change =>
  (repository) =>
    rmSync(join(repository.path, path), { recursive: true })
const move =
  (from: string, to: string): Change =>
  (repository) =>
    renameSync(join(repository.path, from), join(repository.path, to))
const link =
  (path: string, target: string): Change =>
  (repository) => {
    rmSync(join(repository.path, path), { force: true })
    symlinkSync(target, join(repository.path, path))
  }
const module =
  (sha: string): Change =>
  ({ git }) =>
    void git('update-index', '--add', '--cacheinfo', `160000,${sha},module`)
const all =
  (...changes: readonly Change[]): Change =>
  (repository) => {
    for (const change of changes) change(repository)
  }

/** Two branches from one start; a text is offered for every path that conflicts. */
async function mergeBranches(start: Change, left: Change, right: Change) {
  using repository = makeGitRepository({ 'a.txt': lines() })
  const { git } = repository
  const commitOn = (branch: string, change: Change): string => {
    git('switch', '--quiet', '-c', branch, 'start')
    change(repository)
    git('add', '--all', '--', ':!module')
    git('commit', '--quiet', '-m', branch)
    return git('rev-parse', 'HEAD')
  }
  start(repository)
  git('add', '--all', '--', ':!module')
  git('commit', '--quiet', '--allow-empty', '-m', 'start')
  git('branch', 'start')
  const ours = commitOn('left', left)
  git('reset', '--quiet', '--hard')
  const theirs = commitOn('right', right)
  const workspace = await openWorkspace(repository)
  await workspace.refresh()
  const request = { ours, theirs, message: 'm\n', strategy: 'merge' } as const
  const offered = new Map(['a.txt', 'b.txt', 'c.txt', 'module'].map((path) => [path, 'solved\n']))
  const plain = await workspace.merge({ ...request, resolve: new Map() })
  const solved = await workspace.merge({ ...request, resolve: offered })
  const sha = solved.status === 'merged' ? solved.sha : null
  if (sha !== null) {
    await workspace.publish('agent/T-1', sha, null)
    git('fsck', '--strict')
  }
  const files = sha === null ? [] : git('ls-tree', '-r', sha).split('\n')
  const text = sha === null ? null : (await workspace.readFiles(sha, ['a.txt'])).get('a.txt')
  return { plain, solved, files, text }
}

const nothing: Change = () => {}
const binary = (last: number): Buffer => Buffer.from([0, 1, 2, 0, last])

describe('a merge without a work tree', () => {
  it.each<[string, Change, Change, Change, string[]]>([
    ['a renaming twice', nothing, move('a.txt', 'b.txt'), move('a.txt', 'c.txt'), ['a.txt']],
    ['a renaming and a deletion', nothing, move('a.txt', 'b.txt'), remove('a.txt'), ['b.txt']],
    ['an edit and a deletion', nothing, put('a.txt', lines('1')), remove('a.txt'), ['a.txt']],
    ['two links', nothing, link('b.txt', 'x'), link('b.txt', 'y'), ['b.txt']],
    ['a file and a link', nothing, put('b.txt', 'x'), link('b.txt', 'y'), ['b.txt']],
    ['a file and a folder', nothing, put('b.txt', 'x'), put('b.txt/c', 'y'), ['b.txt']],
    [
      'two commits of another repository',
      module('1'.repeat(40)),
      module('2'.repeat(40)),
      module('3'.repeat(40)),
      ['module'],
    ],
  ])('takes no text for %s', async (_, start, left, right, paths) => {
    for (const sides of [
      [left, right],
      [right, left],
    ] as const) {
      const { plain, solved } = await mergeBranches(start, ...sides)
      expect(plain).toMatchObject({ status: 'conflict' })
      expect(solved).toMatchObject({ status: 'conflict', paths: expect.arrayContaining(paths) })
    }
  })

  it('keeps the mode of a file that it is given a text for', async () => {
    const executable: Change = ({ path }) => chmodSync(join(path, 'a.txt'), 0o755)
    const edit = (word: string) => put('a.txt', lines(word))
    const { plain, files, text } = await mergeBranches(executable, edit('1'), edit('I'))
    expect(plain).toEqual({ status: 'conflict', paths: ['a.txt'] })
    expect(text).toBe('solved\n')
    expect(files).toEqual([expect.stringMatching(/^100755 blob [0-9a-f]+\ta\.txt$/)])
  })

  it('merges far edits of one file, an edit of a renamed one, and a change of mode', async () => {
    const executable: Change = ({ path }) => chmodSync(join(path, 'a.txt'), 0o755)
    const left = all(put('a.txt', lines('1')), executable)
    const right = put('a.txt', lines('one', '6'))
    const { plain, solved, text, files } = await mergeBranches(nothing, left, right)
    expect(plain).toEqual(solved)
    expect(text).toBe(lines('1', '6'))
    expect(files[0]).toMatch(/^100755/)
    const renamed = await mergeBranches(nothing, move('a.txt', 'b.txt'), put('a.txt', lines('1')))
    expect(renamed.files).toEqual([expect.stringMatching(/\tb\.txt$/)])
  })

  it("lets no attribute and no driver of the repository's have a say", async () => {
    const start = all(
      put('.gitattributes', '*.txt merge=union\n'),
      ({ git }) => void git('config', 'merge.union.driver', 'true'),
    )
    const { plain } = await mergeBranches(start, put('a.txt', lines('1')), put('a.txt', lines('I')))
    expect(plain).toEqual({ status: 'conflict', paths: ['a.txt'] })
  })

  it('says that two binary files conflict', async () => {
    const start = put('b.txt', binary(1))
    const { plain } = await mergeBranches(start, put('b.txt', binary(2)), put('b.txt', binary(3)))
    expect(plain).toEqual({ status: 'conflict', paths: ['b.txt'] })
  })

  it('does not join histories that never met', async () => {
    using repository = makeGitRepository()
    const { git, put: write, commit } = repository
    const ours = git('rev-parse', 'HEAD')
    git('switch', '--quiet', '--orphan', 'other')
    write('README.md', 'another\n')
    const theirs = commit()
    const workspace = await openWorkspace(repository)
    const request = { ours, theirs, message: 'm', strategy: 'merge', resolve: new Map() } as const
    expect(await workspace.merge(request)).toEqual({ status: 'conflict', paths: [] })
    expect(await workspace.mergeBase(ours, theirs)).toBeNull()
  })
})

describe('what others put where we park', () => {
  it('is left out, and neither read nor overwritten unseen', async () => {
    using repository = makeGitRepository({ 'attempt.json': 'x'.repeat(4 * 1024 * 1024 + 1) })
    const { git } = repository
    const workspace = await openWorkspace(repository)
    await workspace.park('T-1', 'ours')
    git('update-ref', 'refs/executor/parked/T-2', 'HEAD')
    git('update-ref', 'refs/executor/parked/T-3', git('rev-parse', 'HEAD:attempt.json'))
    git('update-ref', 'refs/executor/parked/T-4/deep', git('rev-parse', 'refs/executor/parked/T-1'))
    expect(await workspace.parked()).toEqual(new Map([['T-1', 'ours']]))
    expect(await workspace.park('T-2', 'mine')).toEqual({ status: 'published' })
    expect(git('rev-list', '--count', 'refs/executor/parked/T-2')).toBe('1')
    expect(git('branch', '--list', '--all')).toBe('* main')
  })
})
