import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { temporaryFolder } from '../../judge/test/temporary-project.ts'
import { createProcessSandbox } from '../process-sandbox.ts'

const open = async ({ cacheDirectory = '', checkout = null as string | null }) =>
  createProcessSandbox({
    mode: 'off',
    cacheDirectory: cacheDirectory || (await temporaryFolder()),
    checkout,
  })

describe('the cache of dependencies', () => {
  it('is ready only after it was completed', async () => {
    const cacheDirectory = await temporaryFolder()
    const sandbox = await open({ cacheDirectory })
    const first = await sandbox.dependencyCache('key')
    await writeFile(join(first.path, 'half'), '')
    const again = await sandbox.dependencyCache('key')
    expect([first.ready, again.ready, await readdir(again.path)]).toEqual([false, false, []])
    await writeFile(join(again.path, 'whole'), '')
    expect(await sandbox.completeCache('key', ['whole', 'nothing'])).toBe(true)
    const done = await (await open({ cacheDirectory })).dependencyCache('key')
    expect([done.ready, await readdir(done.path)]).toEqual([true, ['whole']])
  })

  it.each<[string, (entry: string, outside: string) => Promise<unknown>]>([
    ['it is a link', (entry, outside) => symlink(outside, join(entry, 'packages'))],
    ['it is a link with dots', (entry) => symlink('../..', join(entry, 'packages'))],
    ['one above it is a link', (entry, outside) => symlink(outside, join(entry, 'web'))],
    [
      'a link leads to a link',
      async (entry, outside) => {
        await symlink(outside, join(entry, 'far'))
        await symlink('far', join(entry, 'packages'))
      },
    ],
  ])('is not kept where what is to be shown leads out: %s', async (_, make) => {
    const [cacheDirectory, outside] = [await temporaryFolder(), await temporaryFolder()]
    for (const name of ['node_modules', 'secret']) await mkdir(join(outside, name))
    const sandbox = await open({ cacheDirectory })
    const { path } = await sandbox.dependencyCache('key')
    await make(path, outside)
    expect(await sandbox.completeCache('key', ['packages', 'web/node_modules'])).toBe(false)
    expect((await sandbox.dependencyCache('key')).ready).toBe(false)
    expect(await readdir(outside)).toEqual(['node_modules', 'secret'])
  })

  it('drops what a process that died left half done', async () => {
    const cacheDirectory = await temporaryFolder()
    const abandoned = join(cacheDirectory, 'dependencies', 'old.4194305.partial')
    await mkdir(abandoned, { recursive: true })
    await (await open({ cacheDirectory })).dependencyCache('key')
    expect(existsSync(abandoned)).toBe(false)
  })
})

describe('packages that the checkout has installed', () => {
  const lock = (version: string) =>
    JSON.stringify({
      packages: {
        '': { name: 'it' },
        'node_modules/a': { version },
        'node_modules/b': { version: '1.0.0', optional: true },
      },
    })
  const installed = (version: string) =>
    JSON.stringify({ packages: { 'node_modules/a': { version } } })

  test.each([
    ['the same lock, installed', lock('1.0.0'), installed('1.0.0'), true],
    ['another lock in the commit', lock('2.0.0'), installed('1.0.0'), false],
    ['not installed since the lock changed', lock('1.0.0'), installed('0.9.0'), false],
    ['half installed', lock('1.0.0'), '{"packages":{}}', false],
    ['a mark that is no JSON', lock('1.0.0'), 'oops', false],
    ['nothing installed', lock('1.0.0'), null, false],
  ])('%s', async (_name, committed, mark, isUsed) => {
    const checkout = await temporaryFolder()
    await mkdir(join(checkout, 'node_modules'))
    await writeFile(join(checkout, 'package-lock.json'), lock('1.0.0'))
    if (mark !== null) await writeFile(join(checkout, 'node_modules/.package-lock.json'), mark)
    const sandbox = await open({ checkout })
    const found = await sandbox.installed('package-lock.json', committed)
    expect(found).toBe(isUsed ? join(checkout, 'node_modules') : null)
  })

  test('other managers: a finished installation that is not older than the lock', async () => {
    const checkout = await temporaryFolder()
    await mkdir(join(checkout, 'app/node_modules'), { recursive: true })
    await writeFile(join(checkout, 'app/pnpm-lock.yaml'), 'lock')
    await writeFile(join(checkout, 'app/node_modules/.modules.yaml'), '')
    const sandbox = await open({ checkout })
    const modules = join(checkout, 'app/node_modules')
    expect(await sandbox.installed('app/pnpm-lock.yaml', 'lock')).toBe(modules)
    await utimes(join(modules, '.modules.yaml'), 1, 1)
    expect(await sandbox.installed('app/pnpm-lock.yaml', 'lock')).toBeNull()
  })
})
