import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { createProcessSandbox } from '../../../src/adapters/process-sandbox.ts'
import { temporaryFolder } from '../../verify/temporary-project.ts'

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
    await sandbox.completeCache('key')
    const done = await (await open({ cacheDirectory })).dependencyCache('key')
    expect([done.ready, await readdir(done.path)]).toEqual([true, ['whole']])
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
