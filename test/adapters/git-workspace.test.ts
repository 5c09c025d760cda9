import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../packages/change/change-set.ts'
import { contractFiles, testWorkspaceContract } from '../contracts/workspace.ts'
import { type GitRepository, makeGitRepository } from './git-repository.ts'
import { benchOf, disturb, openWorkspace } from './git-workspace-bench.ts'

const fresh: FileChange = { action: 'create', path: 'new/a.ts', content: 'export {}\n' }

testWorkspaceContract('the workspace on a local repository', async (test) => {
  using repository = makeGitRepository(contractFiles)
  await test(benchOf(await openWorkspace(repository), repository))
})

describe('the workspace on a local repository', () => {
  it("leaves the user's tree, index, HEAD and files as they were", async () => {
    using repository = makeGitRepository({ 'a.ts': 'a\n', 'b.ts': 'b\n', '.gitignore': 'tmp/\n' })
    const { git, put, path } = repository
    put('a.ts', 'edited\n')
    put('staged.ts', 'staged\n')
    git('add', 'staged.ts')
    put('staged.ts', 'staged, then edited\n')
    put('untracked.ts', 'x')
    put('tmp/ignored', 'x')
    const before = snapshot(repository)
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T-1', base.sha)
    await workspace.write(folder, [fresh])
    await workspace.diff(folder)
    const sha = await workspace.commit({ parents: [base.sha], changes: [fresh], message: 'work' })
    await workspace.publish('agent/T-1', sha, null)
    expect(snapshot(repository)).toEqual({ ...before, refs: expect.any(String) })
    expect(git('show', '--format=%an %ae %cn %ad|%s', '--date=iso', '--stat', 'agent/T-1')).toMatch(
      /^Bot bot@example.org Bot 2026-01-02 03:04:05 \+0000\|work\n/,
    )
    expect(git('fsck', '--full', '--strict')).not.toMatch(/error|missing/)
    expect(readdirSync(join(path, '.git')).filter((name) => name.endsWith('.lock'))).toEqual([])
  })

  it.each<[string, (repository: GitRepository) => string]>([
    ['a work tree', ({ path }) => path],
    ['a directory in it', ({ path }) => join(path, 'src')],
    ['its .git', ({ path }) => join(path, '.git')],
    [
      'a linked work tree',
      ({ path, git }) => {
        git('worktree', 'add', '--quiet', '-b', 'linked', '../linked')
        return join(path, '../linked')
      },
    ],
    [
      'a bare clone',
      ({ path, git }) => {
        git('clone', '--quiet', '--bare', '.', '../bare.git')
        return join(path, '../bare.git')
      },
    ],
    [
      'a shallow clone',
      ({ path, git, put, commit }) => {
        put('src/second.ts', '')
        commit()
        git('clone', '--quiet', '--depth=1', `file://${path}`, '../shallow')
        return join(path, '../shallow')
      },
    ],
    [
      'a submodule',
      ({ path, git }) => {
        const allow = ['-c', 'protocol.file.allow=always']
        git(...allow, 'submodule', '--quiet', 'add', `${path}/.git`, 'module')
        return join(path, 'module')
      },
    ],
  ])('works from %s', async (_, sourceOf) => {
    using repository = makeGitRepository({ 'src/one.ts': 'one\n' })
    const source = sourceOf(repository)
    await worksFrom(repository, source)
  })

  it('works from a repository with SHA-256 names', async () => {
    using repository = makeGitRepository({ 'src/one.ts': 'one\n' }, '--object-format=sha256')
    await worksFrom(repository, repository.path)
  })

  it.each<[string, string | null, (repository: GitRepository) => void, string]>([
    ['the branch that is checked out', null, ({ git }) => git('switch', '-qc', 'wip/x'), 'wip/x'],
    ['HEAD, when that is no branch', null, ({ git }) => git('switch', '-q', '--detach'), 'HEAD'],
    ['the branch that is named', 'main', ({ git }) => git('switch', '-qc', 'wip'), 'main'],
    [
      "origin's, when there is no local one",
      'release',
      ({ git }) => git('update-ref', 'refs/remotes/origin/release', 'HEAD'),
      'release',
    ],
    [
      'one with a hostile name',
      null,
      ({ git }) => git('switch', '-qc', '$(touch${IFS}x)`"ü\'&|;'),
      '$(touch${IFS}x)`"ü\'&|;',
    ],
  ])('takes for base %s', async (_, base, prepare, branch) => {
    using repository = makeGitRepository()
    prepare(repository)
    const workspace = await openWorkspace(repository, { base })
    expect((await workspace.refresh()).base).toEqual({
      branch,
      sha: repository.git('rev-parse', 'HEAD'),
    })
  })

  it.each<[string, string, (repository: GitRepository) => object]>([
    ['no directory', 'not_a_repository', ({ path }) => ({ source: `${path}/none` })],
    ['no repository', 'not_a_repository', ({ path }) => ({ source: join(path, '../..') })],
    ['no such branch', 'bad_usage', () => ({ base: 'none' })],
    ['an option for a branch', 'bad_usage', () => ({ base: '--all' })],
    ['a pattern for a branch', 'bad_usage', () => ({ base: '*' })],
  ])('says what is wrong with %s', async (_, code, changed) => {
    using repository = makeGitRepository()
    const used = openWorkspace(repository, changed(repository)).then((each) => each.refresh())
    await expect(used).rejects.toMatchObject({ name: 'ExecutorError', code })
  })

  it('says that there is no commit yet', async () => {
    using repository = makeGitRepository({})
    const workspace = await openWorkspace(repository)
    await expect(workspace.refresh()).rejects.toMatchObject({ code: 'no_commits' })
  })

  it('reads text only: no binary, nothing over 1 MB, no other encoding, no link', async () => {
    using repository = makeGitRepository({ 'a.txt': 'a' })
    repository.put('nul.bin', Buffer.from('a\0b'))
    repository.put('latin1.txt', Buffer.from([0x66, 0xfc, 0x72]))
    repository.put('large.txt', 'x'.repeat(1024 * 1024 + 1))
    repository.put('limit.txt', 'x'.repeat(1024 * 1024))
    await symlink('a.txt', join(repository.path, 'link.txt'))
    const sha = repository.commit()
    const workspace = await openWorkspace(repository)
    const paths = ['a.txt', 'nul.bin', 'latin1.txt', 'large.txt', 'limit.txt', 'link.txt']
    const folder = await workspace.checkOut('T-1', sha)
    for (const read of [
      await workspace.readFiles(sha, paths),
      await workspace.readFolder(folder, paths),
    ]) {
      expect([...read.keys()]).toEqual(['a.txt', 'limit.txt'])
    }
  })

  it('keeps executable bits and links, and sees when they change', async () => {
    using repository = makeGitRepository({ 'run.sh': '#!/bin/sh\n', 'plain.txt': 'x\n' })
    chmodSync(join(repository.path, 'run.sh'), 0o755)
    await symlink('plain.txt', join(repository.path, 'link'))
    const sha = repository.commit()
    const workspace = await openWorkspace(repository)
    const folder = await workspace.checkOut('T-1', sha)
    expect(lstatSync(join(folder.path, 'link')).isSymbolicLink()).toBe(true)
    const change = { path: 'run.sh', before: '#!/bin/sh\n', content: '#!/bin/sh\ntrue\n' }
    await workspace.write(folder, [{ action: 'modify', ...change }])
    const modes = { oldMode: '100755', newMode: '100755' }
    expect(await workspace.diff(folder)).toMatchObject([{ status: 'modified', ...modes }])
    const changes = [{ action: 'modify', ...change }] as const
    const next = await workspace.commit({ parents: [sha], changes, message: 'm' })
    expect(await workspace.changedBetween(sha, next)).toMatchObject([{ path: 'run.sh', ...modes }])

    chmodSync(join(folder.path, 'run.sh'), 0o644)
    chmodSync(join(folder.path, 'plain.txt'), 0o755)
    await rm(join(folder.path, 'link'))
    await writeFile(join(folder.path, 'link'), 'a file now')
    await writeFile(join(folder.path, 'tool'), '#!/bin/sh\n', { mode: 0o755 })
    await symlink('tool', join(folder.path, 'to-tool'))
    const seen = await workspace.diff(folder)
    expect(seen.map(({ path, status, newMode }) => [path, status, newMode])).toEqual([
      ['link', 'type_changed', '100644'],
      ['plain.txt', 'modified', '100755'],
      ['run.sh', 'modified', '100644'],
      ['to-tool', 'added', '120000'],
      ['tool', 'added', '100755'],
    ])
  })

  it('makes a new script executable, on disk and in the commit', async () => {
    using repository = makeGitRepository()
    repository.put('a.txt', 'x\n')
    const sha = repository.commit()
    const workspace = await openWorkspace(repository)
    const folder = await workspace.checkOut('T-1', sha)
    const changes = [
      { action: 'create', path: 'bin/tool', content: '#!/bin/sh\n' },
      { action: 'create', path: 'b.txt', content: ' #!/bin/sh\n' },
    ] as const
    await workspace.write(folder, changes)
    const added = [
      { path: 'b.txt', newMode: '100644' },
      { path: 'bin/tool', newMode: '100755' },
    ]
    expect(await workspace.diff(folder)).toMatchObject(added)
    const next = await workspace.commit({ parents: [sha], changes, message: 'm' })
    expect(await workspace.changedBetween(sha, next)).toMatchObject(added)
  })

  it("puts the commit's bytes on disk, whatever .gitattributes say", async () => {
    const attributes = '*.txt text eol=crlf ident\n*.u16 working-tree-encoding=UTF-16\n'
    const text = 'one\n$Id$\ntwo\n'
    using repository = makeGitRepository({ 'a.txt': text, 'b.txt': text })
    repository.put('.gitattributes', attributes)
    const sha = repository.commit()
    const workspace = await openWorkspace(repository)
    const folder = await workspace.checkOut('T-1', sha)
    expect(readFileSync(join(folder.path, 'a.txt'), 'utf8')).toBe(text)
    expect(await workspace.diff(folder)).toEqual([])
    const changes = [{ action: 'modify', path: 'a.txt', before: text, content: 'x\r\n' }] as const
    expect(await workspace.write(folder, changes)).toEqual({ status: 'written' })
    expect(await workspace.diff(folder)).toHaveLength(1)
  })

  it('does not see what .gitignore hides, but commits it when asked to', async () => {
    using repository = makeGitRepository({ '.gitignore': 'dist/\n' })
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T-1', base.sha)
    await disturb(folder, 'dist/out.js', 'x')
    expect(await workspace.diff(folder)).toEqual([])
    const changes = [{ ...fresh, path: 'dist/out.js' }]
    const sha = await workspace.commit({ parents: [base.sha], changes, message: 'm' })
    expect(await workspace.changedBetween(base.sha, sha)).toMatchObject([{ path: 'dist/out.js' }])
  })

  it('undoes what it had written when the file system refuses the rest', async () => {
    using repository = makeGitRepository({ 'src/a.ts': 'a\n', 'b.ts': 'b\n' })
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T-1', base.sha)
    const result = await workspace.write(folder, [
      { action: 'delete', path: 'src/a.ts', before: 'a\n' },
      { action: 'modify', path: 'b.ts', before: 'b\n', content: 'c\n' },
      { action: 'create', path: 'deep/er/c.ts', content: 'c\n' },
      { action: 'create', path: `long/${'x'.repeat(300)}`, content: 'd\n' },
    ])
    expect(result).toMatchObject({ status: 'refused', reason: expect.stringMatching(/too long/) })
    expect(await workspace.diff(folder)).toEqual([])
    expect(readdirSync(folder.path).sort()).toEqual(['b.ts', 'src'])
  })

  it.each<[string, (repository: GitRepository) => void, RegExp]>([
    [
      'is checked out',
      ({ git }) => {
        git('branch', 'agent/T-1')
        git('worktree', 'add', '--quiet', '../their tree', 'agent/T-1')
      },
      /agent\/T-1 is checked out in .*their tree/,
    ],
    [
      'cannot be, below one of a name like it',
      ({ git }) => git('branch', 'agent/T-1/wip'),
      /cannot lock ref|non-empty directory/,
    ],
  ])('does not publish a branch that %s', async (_, prepare, detail) => {
    using repository = makeGitRepository()
    prepare(repository)
    const workspace = await openWorkspace(repository)
    const { base, branches } = await workspace.refresh()
    const sha = await workspace.commit({ parents: [base.sha], changes: [fresh], message: 'm' })
    const before = repository.git('for-each-ref')
    const tipOf = (tips: typeof branches) =>
      tips.find(({ name }) => name === 'agent/T-1')?.sha ?? null
    const result = await workspace.publish('agent/T-1', sha, tipOf(branches))
    expect(result).toMatchObject({
      status: 'refused',
      code: 'branch_refused',
      detail: expect.stringMatching(detail),
    })
    expect(repository.git('for-each-ref')).toBe(before)
  })

  it.each(['agent', 'executor', 'executor/recovery'])(
    'says at once that a branch named %s leaves no room for ours',
    async (name) => {
      using repository = makeGitRepository()
      repository.git('branch', name)
      const workspace = await openWorkspace(repository)
      await expect(workspace.refresh()).rejects.toMatchObject({
        code: 'branch_refused',
        message: expect.stringContaining(`the branch ${name} leaves no room for ${name}/…`),
      })
    },
  )

  it('works beside branches whose names begin as ours', async () => {
    using repository = makeGitRepository()
    for (const name of ['agents', 'executor-ui', 'my/agent']) repository.git('branch', name)
    const { branches } = await (await openWorkspace(repository)).refresh()
    expect(branches).toEqual([])
  })

  it.each([
    ['a stale one is nobody’s', 0, { status: 'published' }],
    ['a fresh one is somebody’s', 4_102_444_800, { code: 'git_failed', exitCode: 5 }],
  ])('finds its branch locked: %s', async (_, seconds, expected) => {
    using repository = makeGitRepository()
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const sha = await workspace.commit({ parents: [base.sha], changes: [fresh], message: 'm' })
    const lock = join(repository.path, '.git/refs/heads/agent/T-1.lock')
    mkdirSync(dirname(lock), { recursive: true })
    await writeFile(lock, '')
    await utimes(lock, seconds, seconds)
    const published = workspace.publish('agent/T-1', sha, null)
    expect(await published.catch((error: unknown) => error)).toMatchObject(expected)
  })

  it('is made once, though many make it at once: nobody loses what he works with', async () => {
    using repository = makeGitRepository()
    const made = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const workspace = await openWorkspace(repository)
        const { base } = await workspace.refresh()
        const { ino } = statSync(join(repository.home, 'repo.git'))
        return { ino, files: await workspace.listFiles(base.sha) }
      }),
    )
    expect(new Set(made.map(({ ino }) => ino)).size).toBe(1)
    expect(made.every(({ files }) => files.length > 0)).toBe(true)
    const left = readdirSync(repository.home).filter((name) => name.startsWith('repo.git.'))
    expect(left).toEqual([])
  })

  it('is opened again after a kill: half-made repository, stale locks, a folder left', async () => {
    using repository = makeGitRepository()
    const first = await openWorkspace(repository)
    const { base } = await first.refresh()
    const left = await first.checkOut('T-1', base.sha)
    await disturb(left, 'left.txt', 'x')
    mkdirSync(join(left.path, 'closed'), { mode: 0o000 })
    const { home } = repository
    await rm(join(home, 'repo.git/config'))
    await writeFile(join(home, 'indexes/T-1.lock'), '')
    const second = await openWorkspace(repository)
    const lock = join(home, 'repo.git/refs/old.lock')
    await writeFile(lock, '')
    await utimes(lock, 0, 0)
    const third = await openWorkspace(repository)
    expect(() => statSync(lock)).toThrow('ENOENT')
    for (const workspace of [second, third]) {
      const folder = await workspace.checkOut('T-1', base.sha)
      expect(await workspace.diff(folder)).toEqual([])
      await workspace.commit({ parents: [base.sha], changes: [fresh], message: 'm' })
    }
  })
})

async function worksFrom(repository: GitRepository, source: string): Promise<void> {
  const workspace = await openWorkspace(repository, { source, remote: source })
  const { base } = await workspace.refresh()
  const folder = await workspace.checkOut('T-1', base.sha)
  expect((await workspace.readFolder(folder, ['src/one.ts'])).get('src/one.ts')).toBe('one\n')
  const sha = await workspace.commit({ parents: [base.sha], changes: [fresh], message: 'm' })
  expect(await workspace.publish('agent/T-1', sha, null)).toEqual({ status: 'published' })
  expect(await workspace.contains(sha, base.sha)).toBe(true)
  const { branches } = await (await openWorkspace(repository, { source, remote: source })).refresh()
  expect(branches).toMatchObject([{ name: 'agent/T-1', sha }])
}

function snapshot({ path, git }: GitRepository): Record<string, unknown> {
  const index = join(path, '.git/index')
  const times = readdirSync(path).map((name) => [name, statSync(join(path, name)).mtimeMs])
  return {
    index: readFileSync(index, 'base64'),
    indexTime: statSync(index).mtimeMs,
    times,
    head: readFileSync(join(path, '.git/HEAD'), 'utf8'),
    config: readFileSync(join(path, '.git/config'), 'utf8'),
    refs: git('for-each-ref'),
    status: git('--no-optional-locks', 'status', '--porcelain'),
  }
}
