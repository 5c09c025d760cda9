import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FileChange } from '../../packages/change/change-set.ts'
import { checkOutBranch, hasChanges } from '../../src/adapters/user-checkout.ts'
import { type GitRepository, makeGitRepository } from './git-repository.ts'
import { disturb, openWorkspace } from './git-workspace-bench.ts'

const create = (path: string): FileChange => ({ action: 'create', path, content: 'ours\n' })

describe('a hostile repository', () => {
  it('starts none of the programs planted in its hooks and configuration', async () => {
    using repository = makeGitRepository({
      'a.txt': 'a\n',
      '.gitattributes': '* filter=x diff=x\n',
    })
    const marker = plantTraps(repository)
    plantFiles(repository)
    expect(trapsWork(repository, marker)).toBe(true)
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T-1', base.sha)
    await workspace.write(folder, [create('b.txt')])
    await disturb(folder, 'a.txt', 'changed\n')
    expect(await workspace.diff(folder)).toHaveLength(2)
    const changes = [create('b.txt')]
    const sha = await workspace.commit({ parents: [base.sha], changes, message: 'm' })
    await workspace.patch(base.sha, sha)
    await workspace.readFiles(sha, ['a.txt'])
    const query = { patterns: ['a'], kind: 'words', ignoresCase: false, under: '' } as const
    expect(await workspace.grep(sha, [create('c.txt')], query)).toMatchObject({ status: 'found' })
    expect(await workspace.publish('agent/T-1', sha, null)).toEqual({ status: 'published' })
    expect(existsSync(marker)).toBe(false)
  })

  it("starts no hook and no fsmonitor for the user's own checkout either", async () => {
    using repository = makeGitRepository()
    repository.git('branch', 'agent/T-1')
    const marker = plantTraps(repository)
    expect(await hasChanges(repository.path)).toBe(false)
    expect(await checkOutBranch(repository.path, 'agent/T-1')).toEqual({ status: 'done' })
    expect(existsSync(marker)).toBe(false)
  })

  it('reads no configuration of a repository that a test planted in the folder', async () => {
    using repository = makeGitRepository()
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T-1', base.sha)
    using planted = makeGitRepository({ 'x.txt': 'x\n', '.gitattributes': '* filter=x\n' })
    const marker = plantTraps(planted)
    plantFiles(planted)
    await rename(planted.path, join(folder.path, 'planted'))
    await writeFile(join(folder.path, '.git'), `gitdir: ${folder.path}/planted/.git\n`)
    const seen = await workspace.diff(folder)
    expect(seen).toEqual([
      {
        status: 'added',
        path: 'planted',
        oldPath: 'planted',
        oldMode: '000000',
        newMode: '160000',
      },
    ])
    expect(existsSync(marker)).toBe(false)
  })

  it('starts nothing by way of the environment it was started in', async () => {
    using repository = makeGitRepository()
    const marker = join(repository.home, '../marker')
    const trap = join(repository.home, '../trap')
    writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${marker}'\n`)
    chmodSync(trap, 0o755)
    const planted: Readonly<Record<string, string>> = {
      GIT_EXTERNAL_DIFF: trap,
      GIT_SSH_COMMAND: trap,
      GIT_ASKPASS: trap,
      GIT_EDITOR: trap,
      GIT_PAGER: trap,
      GIT_PROXY_COMMAND: trap,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: trap,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${trap}'`,
      GIT_DIR: join(repository.home, 'nowhere'),
      GIT_WORK_TREE: '/',
      GIT_INDEX_FILE: join(repository.home, 'index'),
      GIT_OBJECT_DIRECTORY: join(repository.home, 'objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository.home, 'objects'),
      GIT_TRACE: join(repository.home, '../trace'),
    }
    for (const [name, value] of Object.entries(planted)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T-1', base.sha)
    await workspace.write(folder, [create('b.txt')])
    expect(await workspace.diff(folder)).toHaveLength(1)
    const request = { parents: [base.sha], changes: [create('b.txt')], message: 'm' }
    const sha = await workspace.commit(request)
    expect(await workspace.publish('agent/T-1', sha, null)).toEqual({ status: 'published' })
    for (const file of [marker, planted.GIT_TRACE ?? '', planted.GIT_INDEX_FILE ?? ''])
      expect(existsSync(file)).toBe(false)
  })

  it('borrows no objects from where a test says', async () => {
    using repository = makeGitRepository({ 'a.txt': 'a\n' })
    using other = makeGitRepository({ 'secret.txt': 'secret\n' })
    const secret = other.git('rev-parse', 'HEAD')
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T-1', base.sha)
    mkdirSync(join(folder.path, '.git/objects/info'), { recursive: true })
    writeFileSync(join(folder.path, '.git/objects/info/alternates'), `${other.path}/.git/objects\n`)
    writeFileSync(join(folder.path, '.git/HEAD'), `${secret}\n`)
    await workspace.diff(folder)
    await expect(workspace.listFiles(secret)).rejects.toThrow()
    expect((await workspace.readFiles(base.sha, ['secret.txt'])).size).toBe(0)
  })

  it('does not look into what a test put in the place of a submodule', async () => {
    using repository = makeGitRepository()
    const { git } = repository
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`)
    git('commit', '--quiet', '-m', 'a submodule')
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T-1', base.sha)
    using planted = makeGitRepository({ 'x.txt': 'x\n', '.gitattributes': '* filter=x\n' })
    const marker = plantTraps(planted)
    plantFiles(planted)
    await rm(join(folder.path, 'module'), { recursive: true })
    await rename(planted.path, join(folder.path, 'module'))
    await writeFile(join(folder.path, 'module/x.txt'), 'changed')
    expect(await workspace.diff(folder)).toEqual([])
    expect(existsSync(marker)).toBe(false)
    for (const path of ['module/new.txt', 'module']) {
      const result = await workspace.write(folder, [create(path)])
      expect(result).toEqual({ status: 'refused', path, reason: 'module is a submodule' })
    }
  })

  it('is not left by way of a symlink: committed, dangling, or swapped in later', async () => {
    using repository = makeGitRepository({ 'src/a.ts': 'a\n', 'plain.ts': 'p\n' })
    const outside = join(repository.home, '../outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'a.ts'), 'a\n')
    await symlink(outside, join(repository.path, 'directory'))
    await symlink(join(outside, 'a.ts'), join(repository.path, 'file.ts'))
    await symlink(join(outside, 'new.ts'), join(repository.path, 'dangling.ts'))
    const sha = repository.commit()
    const workspace = await openWorkspace(repository)
    const folder = await workspace.checkOut('T-1', sha)
    await rename(join(folder.path, 'src'), join(folder.path, 'old'))
    await symlink(outside, join(folder.path, 'src'))
    await rm(join(folder.path, 'plain.ts'))
    await symlink(join(outside, 'a.ts'), join(folder.path, 'plain.ts'))

    const modify = (path: string, before: string): FileChange[] => [
      { action: 'modify', path, before, content: 'evil\n' },
      { action: 'delete', path, before },
    ]
    const wrong: FileChange[] = [
      create('directory/new.ts'),
      create('directory/deep/new.ts'),
      ...modify('directory/a.ts', 'a\n'),
      ...modify('file.ts', 'a\n'),
      ...modify('plain.ts', 'a\n'),
      ...modify('src/a.ts', 'a\n'),
      create('src/new.ts'),
      create('dangling.ts'),
    ]
    for (const change of wrong) {
      const result = await workspace.write(folder, [create('good.ts'), change])
      const reason = expect.stringContaining('is a symlink')
      expect(result).toEqual({ status: 'refused', path: change.path, reason })
    }
    expect(existsSync(join(folder.path, 'good.ts'))).toBe(false)
    expect(readdirSync(outside)).toEqual(['a.ts'])
    expect(readFileSync(join(outside, 'a.ts'), 'utf8')).toBe('a\n')
    const paths = ['directory/a.ts', 'file.ts', 'src/a.ts', 'plain.ts']
    expect(await workspace.readFolder(folder, paths)).toEqual(new Map())
    const seen = await workspace.diff(folder)
    expect(seen.map(({ path, newMode }) => [path, newMode])).toEqual(
      expect.arrayContaining([
        ['plain.ts', '120000'],
        ['src', '120000'],
      ]),
    )
    await expect(
      workspace.commit({ parents: [sha], changes: [create('directory/x')], message: 'm' }),
    ).rejects.toThrow('directory is not a directory')
  })

  it('does not hang on a pipe, nor write through a hard link', async () => {
    using repository = makeGitRepository({ 'a.ts': 'a\n', 'b.ts': 'b\n' })
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T-1', base.sha)
    const outside = join(repository.home, '../outside')
    writeFileSync(outside, 'b\n')
    await Promise.all(['a.ts', 'b.ts'].map((name) => rm(join(folder.path, name))))
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder.path, 'a.ts')])
    linkSync(outside, join(folder.path, 'b.ts'))
    const to = { action: 'modify', content: 'evil\n' } as const
    expect(await workspace.readFolder(folder, ['a.ts'])).toEqual(new Map())
    expect(await workspace.write(folder, [{ ...to, path: 'a.ts', before: 'a\n' }])).toEqual({
      status: 'refused',
      path: 'a.ts',
      reason: 'it is not a regular file',
    })
    expect(await workspace.write(folder, [{ ...to, path: 'b.ts', before: 'b\n' }])).toEqual({
      status: 'written',
    })
    expect(readFileSync(outside, 'utf8')).toBe('b\n')
  })

  it.each(['.GIT/x', '.git./x', '.git /x', 'GIT~1/x', '.g\u200cit/x', '.git::$INDEX_ALLOCATION/x'])(
    'has no %j written or committed',
    async (path) => {
      using repository = makeGitRepository()
      const workspace = await openWorkspace(repository)
      const { base } = await workspace.refresh()
      const folder = await workspace.checkOut('T-1', base.sha)
      expect(await workspace.write(folder, [create(path)])).toMatchObject({ status: 'refused' })
      const request = { parents: [base.sha], changes: [create(path)], message: 'm' }
      await expect(workspace.commit(request)).rejects.toThrow('.git directory')
    },
  )

  it.each(['../T-1', '', '.', '..', '-x', 'a/b', 'a\nb', 'x'.repeat(200)])(
    'takes %j for no name of a folder',
    async (name) => {
      using repository = makeGitRepository()
      const workspace = await openWorkspace(repository)
      const { base } = await workspace.refresh()
      await expect(workspace.checkOut(name, base.sha)).rejects.toThrow('bad folder name')
      await expect(workspace.discard(name)).rejects.toThrow('bad folder name')
    },
  )

  it('ends no run by a folder that cannot be removed', async () => {
    using repository = makeGitRepository()
    const workspace = await openWorkspace(repository)
    const { base } = await workspace.refresh()
    const { path } = await workspace.checkOut('T-1', base.sha)
    const left = join(path, 'left')
    writeFileSync(left, 'x')
    // Root makes the file immutable where it may; for anybody else, the folder above is closed.
    const isImmutable = spawnSync('chattr', ['+i', left]).status === 0
    using _ = { [Symbol.dispose]: () => void spawnSync('chattr', ['-i', left]) }
    if (!isImmutable) chmodSync(join(path, '..'), 0o555)
    await workspace.discard('T-1')
    chmodSync(join(path, '..'), 0o755)
    const folder = await workspace.checkOut('T-1', base.sha)
    expect(await workspace.write(folder, [create('b')])).toEqual({ status: 'written' })
    expect((await workspace.diff(folder)).map((entry) => entry.path)).toEqual(['b'])
    await workspace.discard('T-1')
    expect(readdirSync(join(path, '..'))).toEqual(isImmutable ? ['T-1'] : [])
  })

  it('gets no command into a commit by way of a message, a name or a path', async () => {
    using repository = makeGitRepository()
    const injection = '\nreset refs/heads/main\n\ncommit refs/heads/evil\n'
    const workspace = await openWorkspace(repository, {
      identity: { name: `Bot <x> ${injection}`, email: `e>${injection}` },
    })
    const { base } = await workspace.refresh()
    const message = `title${injection}data 3\nabc\ndone\n`
    const changes = [create(`a${injection}`)]
    const sha = await workspace.commit({ parents: [base.sha], changes, message })
    await workspace.publish('agent/T-1', sha, null)
    expect(repository.git('log', '-1', '--format=%B', sha)).toBe(message.trim())
    expect(repository.git('ls-tree', '-rz', '--name-only', sha)).toContain(`a${injection}`)
    expect(repository.git('for-each-ref', '--format=%(refname)')).toBe(
      'refs/heads/agent/T-1\nrefs/heads/main',
    )
    expect(await workspace.listFiles(sha)).toHaveLength(2)
  })

  it.each(['--output=/tmp/x', 'HEAD', 'main', '', 'a'.repeat(41)])(
    'takes %j for no commit',
    async (sha) => {
      using repository = makeGitRepository()
      const workspace = await openWorkspace(repository)
      const { base } = await workspace.refresh()
      const uses = [
        () => workspace.listFiles(sha),
        () => workspace.checkOut('T-1', sha),
        () => workspace.patch(base.sha, sha),
        () => workspace.contains(sha, base.sha),
        () => workspace.publish('agent/T-1', base.sha, sha),
        () => workspace.commit({ parents: [base.sha, sha], changes: [], message: 'm' }),
      ]
      for (const use of uses) await expect(use()).rejects.toThrow('not an object name')
    },
  )
})

/** Everything in a repository that git can be made to start; answers the file they would write. */
function plantTraps({ path, home, git }: GitRepository): string {
  const marker = join(home, '../marker')
  const trap = join(home, '../trap')
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`)
  chmodSync(trap, 0o755)
  const hooks = [
    'post-checkout post-index-change reference-transaction pre-receive update post-receive',
    'post-update pre-push pre-commit post-commit post-merge pre-auto-gc push-to-checkout',
  ]
  mkdirSync(join(path, '.git/hooks'), { recursive: true })
  for (const name of hooks.join(' ').split(' ')) {
    writeFileSync(join(path, '.git/hooks', name), `#!/bin/sh\necho ${name} >> '${marker}'\n`)
    chmodSync(join(path, '.git/hooks', name), 0o755)
  }
  const settings = [
    'core.fsmonitor core.sshCommand core.alternateRefsCommand core.pager core.editor',
    'filter.x.clean filter.x.smudge diff.x.textconv diff.x.command diff.external',
    'uploadpack.packObjectsHook credential.helper gpg.program core.gitProxy gpg.ssh.program',
    'merge.x.driver trailer.x.command sequence.editor interactive.diffFilter remote.origin.vcs',
    'remote.origin.uploadpack remote.origin.receivepack filter.x.process core.askPass',
  ]
  for (const key of settings.join(' ').split(' ')) git('config', key, trap)
  return marker
}

/** Settings that lead to other files: includes, attributes, hooks elsewhere, templates, alternates. */
function plantFiles({ path, home, git }: GitRepository): void {
  const trap = join(home, '../trap')
  const elsewhere = join(home, '../elsewhere')
  mkdirSync(join(elsewhere, 'hooks'), { recursive: true })
  for (const name of ['post-checkout', 'reference-transaction', 'pre-push', 'post-index-change']) {
    writeFileSync(join(elsewhere, 'hooks', name), `#!/bin/sh\nexec '${trap}' elsewhere\n`)
    chmodSync(join(elsewhere, 'hooks', name), 0o755)
  }
  const included = `[core]\n\tfsmonitor = ${trap}\n[filter "x"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n`
  writeFileSync(join(elsewhere, 'included'), included)
  writeFileSync(join(elsewhere, 'attributes'), '* filter=x diff=x merge=x\n')
  mkdirSync(join(path, '.git/info'), { recursive: true })
  writeFileSync(join(path, '.git/info/attributes'), '* filter=x diff=x merge=x\n')
  git('config', 'include.path', join(elsewhere, 'included'))
  git('config', 'core.attributesFile', join(elsewhere, 'attributes'))
  git('config', 'init.templateDir', elsewhere)
  git('config', 'submodule.recurse', 'true')
  git('config', 'submodule.x.update', `!${trap}`)
  git('config', 'protocol.ext.allow', 'always')
  git('config', 'url.ext::sh -c touch.insteadOf', 'https://')
  git('config', 'commit.gpgSign', 'true')
  git('config', 'push.gpgSign', 'if-asked')
}

/** That they would have been started by a git without our care. */
function trapsWork({ path, git }: GitRepository, marker: string): boolean {
  writeFileSync(join(path, 'trap.txt'), 'x')
  git('add', 'trap.txt')
  git('reset', '--quiet')
  git('update-ref', 'refs/heads/trap', 'HEAD')
  git('update-ref', '-d', 'refs/heads/trap')
  const text = readFileSync(marker, 'utf8')
  for (const file of [marker, join(path, 'trap.txt')]) rmSync(file)
  return ['reference-transaction', 'post-index-change', '/trap '].every((each) =>
    text.includes(each),
  )
}
