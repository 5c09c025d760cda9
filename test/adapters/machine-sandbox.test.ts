import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMachineSandbox } from '../../src/adapters/machine-sandbox.ts'
import { ExecutorError } from '../../src/core/domain/errors.ts'

let cacheDirectory: string
beforeEach(() => {
  cacheDirectory = mkdtempSync(join(tmpdir(), 'machine-sandbox-'))
})
afterEach(() => rmSync(cacheDirectory, { recursive: true, force: true }))

const command = (folder: string) => ({
  ...{ command: { argv: ['true'] }, folder, directory: '.', env: {}, network: false },
  ...{ mounts: [], timeoutSeconds: 10, collect: [] },
})

it('says which sandbox is missing, and what to do', async () => {
  const sandbox = createMachineSandbox({
    ...{ mode: 'strict', only: 'unsandboxed', checkout: null, cacheDirectory },
  })
  const run = sandbox.run(command(cacheDirectory))
  await expect(run).rejects.toThrow(ExecutorError)
  await expect(run).rejects.toMatchObject({
    ...{ code: 'sandbox_missing', exitCode: 2 },
    message: 'sandbox: strict, but no sandbox is available here: unsandboxed is not strong enough',
  })
})

it('says why an agent cannot have a network of its own', async () => {
  const sandbox = createMachineSandbox({
    ...{ mode: 'auto', only: 'unsandboxed', checkout: null, cacheDirectory },
  })
  const run = sandbox.runReaching(command(cacheDirectory), { port: 1, hosts: [] })
  await expect(run).rejects.toThrow(ExecutorError)
  await expect(run).rejects.toMatchObject({
    ...{ code: 'agent_unconfined', exitCode: 2 },
    message:
      'strategy: agent needs a sandbox with a network of its own, and none is available here: unsandboxed',
  })
})

it('says that the disk refuses the folder of dependencies', async () => {
  // Nobody may make a folder there, on any system.
  const sandbox = createMachineSandbox({
    ...{ mode: 'off', checkout: null, cacheDirectory: '/sys/executor' },
  })
  const refused = sandbox.dependencyCache('key')
  await expect(refused).rejects.toThrow(ExecutorError)
  await expect(refused).rejects.toMatchObject({ code: 'disk_unwritable', exitCode: 4 })
})

it('leaves what is neither the disk nor a missing sandbox a bug', async () => {
  const file = join(cacheDirectory, 'file')
  writeFileSync(file, '')
  const sandbox = createMachineSandbox({
    ...{ mode: 'off', checkout: null, cacheDirectory: file },
  })
  await expect(sandbox.dependencyCache('key')).rejects.toMatchObject({ code: 'ENOTDIR' })
})
