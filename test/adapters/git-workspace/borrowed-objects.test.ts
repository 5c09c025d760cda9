import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type GitRepository, makeGitRepository } from '../git-repository.ts'
import { openWorkspace } from '../git-workspace-bench.ts'

const files = { 'src/a.js': 'a\n', 'docs/deep/b.md': 'b\n', 'ROADMAP.md': '# Plan\n' }
const local = ['-c', 'protocol.file.allow=always'] as const

/** A clone of `origin` in which the server's objects are left there. */
function clonePartially(origin: GitRepository, filter: string): { path: string; home: string } {
  origin.git('config', 'uploadpack.allowFilter', 'true')
  origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
  const path = join(origin.home, '..', 'partial')
  origin.git('clone', '--quiet', filter, '--no-checkout', `file://${origin.path}`, path)
  return { path, home: origin.home }
}

describe('a partial clone', () => {
  it.each(['--filter=blob:none', '--filter=tree:0', '--filter=blob:limit=1'])(
    'gets what a commit needs with %s',
    async (filter) => {
      using origin = makeGitRepository(files)
      const workspace = await openWorkspace(clonePartially(origin, filter))
      const { base } = await workspace.refresh()
      const texts = await workspace.readFiles(base.sha, Object.keys(files))
      expect(Object.fromEntries(texts)).toEqual(files)
      const folder = await workspace.checkOut('T-1', base.sha)
      expect(readFileSync(join(folder.path, 'docs/deep/b.md'), 'utf8')).toBe('b\n')
    },
  )

  it('says what it lacks where the server is gone', async () => {
    using origin = makeGitRepository(files)
    const clone = clonePartially(origin, '--filter=blob:none')
    const workspace = await openWorkspace(clone)
    const { base } = await workspace.refresh()
    renameSync(origin.path, `${origin.path} gone`)
    await expect(workspace.listFiles(base.sha)).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringMatching(
        /a partial clone, and 3 objects of .* cannot be fetched from origin/,
      ),
    })
    renameSync(`${origin.path} gone`, origin.path)
    expect(await workspace.listFiles(base.sha)).toHaveLength(3)
  })
})

describe('a submodule', () => {
  const inner = { 'lib.js': 'lib\n', 'more/deep.js': 'deep\n' }

  it('is filled where the user has initialised it, also one inside', async () => {
    using deepest = makeGitRepository({ 'deepest.js': 'deepest\n' })
    using module = makeGitRepository(inner)
    module.git(...local, 'submodule', '--quiet', 'add', deepest.path, 'in')
    module.commit()
    using user = makeGitRepository(files)
    user.git(...local, 'submodule', '--quiet', 'add', module.path, 'vendor/lib')
    user.git(...local, 'submodule', '--quiet', 'update', '--init', '--recursive')
    user.commit()
    const workspace = await openWorkspace(user)
    const { base } = await workspace.refresh()
    const folder = await workspace.checkOut('T-1', base.sha)
    const at = (path: string) => readFileSync(join(folder.path, 'vendor/lib', path), 'utf8')
    expect([at('lib.js'), at('more/deep.js'), at('in/deepest.js')]).toEqual([
      'lib\n',
      'deep\n',
      'deepest\n',
    ])
    expect(await workspace.diff(folder)).toEqual([])
  })

  it('stays empty where the user has not', async () => {
    using module = makeGitRepository(inner)
    using user = makeGitRepository(files)
    user.git(...local, 'submodule', '--quiet', 'add', module.path, 'vendor')
    user.commit()
    renameSync(join(user.path, '.git/modules'), join(user.path, '.git/gone'))
    const workspace = await openWorkspace(user)
    const { base } = await workspace.refresh()
    const { path } = await workspace.checkOut('T-1', base.sha)
    expect(readdirSync(path).toSorted()).toEqual([
      '.gitmodules',
      'ROADMAP.md',
      'docs',
      'src',
      'vendor',
    ])
    expect(readdirSync(join(path, 'vendor'))).toEqual([])
  })

  it.each([
    ['a path outside', '[submodule "m"]\n\tpath = ../../outside\n'],
    ['a name outside', '[submodule "../modules/m"]\n\tpath = module\n'],
    ['a path that is a file', '[submodule "m"]\n\tpath = src/a.js\n'],
    ['a path that is not there', '[submodule "m"]\n\tpath = other\n'],
    ['no configuration', '[[[\n'],
  ])('is left alone with %s', async (_, list) => {
    using module = makeGitRepository(inner)
    using user = makeGitRepository(files)
    user.git(...local, 'submodule', '--quiet', 'add', '--name', 'm', module.path, 'module')
    user.put('.gitmodules', list)
    user.commit()
    const workspace = await openWorkspace(user)
    const { base } = await workspace.refresh()
    const { path } = await workspace.checkOut('T-1', base.sha)
    expect(readdirSync(join(path, 'module'))).toEqual([])
    expect(existsSync(join(path, '../../outside'))).toBe(false)
    expect(readFileSync(join(path, 'src/a.js'), 'utf8')).toBe('a\n')
  })
})
