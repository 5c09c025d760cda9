import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeTemporaryFolder } from '../../src/adapters/abandoned.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'abandoned-')))
  vi.stubEnv('TMPDIR', root)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

const { pid: dead } = spawnSync(process.execPath, ['--version'])
const host = hostname().replaceAll(/[^\w.-]/g, '_')
const left = `executor-check-${host}-${dead}-a1b2c3`

it('is a private folder that names its process', async () => {
  const made = await makeTemporaryFolder('check')
  expect(basename(made)).toMatch(new RegExp(`^executor-check-${host}-${process.pid}-\\w{6}$`))
  expect(await makeTemporaryFolder('check')).not.toBe(made)
  expect(readdirSync(root)).toHaveLength(2)
})

it.each([
  ['of a dead process', left, true],
  ['of this process', `executor-check-${host}-${process.pid}-a1b2c3`, false],
  ['of a living process', `executor-check-${host}-${process.ppid}-a1b2c3`, false],
  ['of another host', `executor-check-elsewhere-${dead}-a1b2c3`, false],
  ['of another kind', `executor-home-${host}-${dead}-a1b2c3`, false],
  ['without a process', `executor-check-${host}-x-a1b2c3`, false],
  ['of another program', `check-${dead}-a1b2c3`, false],
])('is made after a look at a folder %s', async (_, name, isRemoved) => {
  mkdirSync(join(root, name, 'repo.git'), { recursive: true })
  const made = basename(await makeTemporaryFolder('check'))
  expect(readdirSync(root).sort()).toEqual([made, ...(isRemoved ? [] : [name])].sort())
})

it('leaves a link alone, and what it leads to', async () => {
  mkdirSync(join(root, 'work/of-a-person'), { recursive: true })
  symlinkSync(join(root, 'work'), join(root, left))
  await makeTemporaryFolder('check')
  expect(readdirSync(root)).toContain(left)
  expect(readdirSync(join(root, 'work'))).toEqual(['of-a-person'])
})
