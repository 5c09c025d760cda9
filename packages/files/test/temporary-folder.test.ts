import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inTemporaryFolder, makeTemporaryFolder } from '../temporary-folder.ts'

let root: string
/** `executor-test-0a1b2c3d-`: the folders of this machine begin with it. */
let start: string
beforeEach(async () => {
  start = basename(await makeTemporaryFolderElsewhere()).replace(/\d+-\w{6}$/, '')
  root = realpathSync(mkdtempSync(join(tmpdir(), 'temporary-')))
  vi.stubEnv('TMPDIR', root)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

const makeTemporaryFolderElsewhere = () => inTemporaryFolder('test', async (folder) => folder)

const { pid: dead } = spawnSync(process.execPath, ['--version'])

it('is a private folder that names its process, and ends with the work in it', async () => {
  const made = await makeTemporaryFolder('check')
  expect(basename(made)).toMatch(new RegExp(`^executor-check-[\\da-f]{8}-${process.pid}-\\w{6}$`))
  expect(await makeTemporaryFolder('check')).not.toBe(made)
  expect(await inTemporaryFolder('net', async (folder) => existsSync(folder))).toBe(true)
  expect(readdirSync(root)).toHaveLength(2)
})

it.each<[string, (start: string) => string, boolean]>([
  ['of a dead process', (own) => `${own}${dead}-a1b2c3`, true],
  ['of another kind', (own) => `${own.replace('-test-', '-net-')}${dead}-a1b2c3`, true],
  ['of a kind of two words', (own) => `${own.replace('-test-', '-dry-run-')}${dead}-a1b2c3`, true],
  ['of this process', (own) => `${own}${process.pid}-a1b2c3`, false],
  ['of a living process', (own) => `${own}${process.ppid}-a1b2c3`, false],
  ['of another machine', () => `executor-test-00000000-${dead}-a1b2c3`, false],
  ['without a machine', () => `executor-net-a1b2c3`, false],
  ['without a process', (own) => `${own}x-a1b2c3`, false],
  ['of every process', (own) => `${own}-1-a1b2c3`, false],
  ['of a longer name', (own) => `${own}${dead}-a1b2c3.events`, false],
  ['of another program', () => `test-${dead}-a1b2c3`, false],
])('is made after a look at a folder %s', async (_, nameOf, isRemoved) => {
  const name = nameOf(start)
  mkdirSync(join(root, name, 'repo.git'), { recursive: true })
  const made = basename(await makeTemporaryFolder('check'))
  expect(readdirSync(root).sort()).toEqual([made, ...(isRemoved ? [] : [name])].sort())
})

it('leaves a link alone, and what it leads to', async () => {
  const left = `${start}${dead}-a1b2c3`
  mkdirSync(join(root, 'work/of-a-person'), { recursive: true })
  symlinkSync(join(root, 'work'), join(root, left))
  await makeTemporaryFolder('check')
  expect(readdirSync(root)).toContain(left)
  expect(readdirSync(join(root, 'work'))).toEqual(['of-a-person'])
})

it('removes a folder that its program has locked, and looks once in a process', async () => {
  const left = (index: number) => join(root, `${start}${dead}-a1b2c${index}`)
  mkdirSync(join(left(1), 'home/locked'), { recursive: true })
  chmodSync(join(left(1), 'home'), 0o000)
  await makeTemporaryFolder('check')
  expect(existsSync(left(1))).toBe(false)
  mkdirSync(left(2))
  await makeTemporaryFolder('check')
  expect(existsSync(left(2))).toBe(true)
})
