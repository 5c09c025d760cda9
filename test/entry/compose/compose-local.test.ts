import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openWorkspace } from '../../../src/entry/compose/compose-local.ts'
import { makeGitRepository } from '../../adapters/git-repository.ts'
import { someSettings } from '../../fakes/facts.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

const before = process.env.XDG_CACHE_HOME
afterEach(() => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME
  else process.env.XDG_CACHE_HOME = before
})

it.each([
  ['cache', true],
  ['.cache', false],
])('tasks work below no name with a dot at its front: %s', async (name, isInHome) => {
  using repository = makeGitRepository({ 'a.js': 'a()\n' })
  process.env.XDG_CACHE_HOME = join(repository.home, name)
  const workspace = await openWorkspace(repository.path, someSettings(), createFakeClock())
  const { base } = await workspace.refresh()
  const folder = await workspace.checkOut('T-1', base.sha)
  expect(folder.path).not.toMatch(/\/\./)
  expect(folder.path.startsWith(repository.home)).toBe(isInHome)
  const changes = [{ action: 'create', path: 'b/c.js', content: 'c()\n' }] as const
  expect(await workspace.write(folder, changes)).toMatchObject({ status: 'written' })
  expect([...(await workspace.readFolder(folder, ['a.js', 'b/c.js'])).keys()]).toHaveLength(2)
  await workspace.discard('T-1')
  const own = dirname(dirname(folder.path))
  if (!isInHome) {
    expect(basename(dirname(own))).toBe(`roadmap-executor-${process.getuid?.()}`)
    rmSync(own, { recursive: true })
  }
})
