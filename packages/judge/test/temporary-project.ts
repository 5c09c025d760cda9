import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Settings } from '../../../src/core/domain/settings.ts'
import type { Sandbox, SandboxKind } from '../../sandbox/port.ts'
import { createProcessSandbox } from '../../sandbox/process-sandbox.ts'
import type { RepositoryFiles } from '../detect/suite.ts'

export const noTask = { verify: null, accept: [] }

export const plainVerify: Settings['verify'] = {
  mode: 'auto',
  requireTests: false,
  setupCommand: null,
  testCommand: null,
  lintCommand: null,
  memoryMegabytes: null,
  timeoutSeconds: 30,
  installScripts: false,
  registries: [],
}

/** A repository in memory. */
export const repositoryOf = (texts: Readonly<Record<string, string>>): RepositoryFiles => ({
  files: Object.keys(texts),
  read: (path) => texts[path],
})

export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'executor-test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function writeProject(texts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

/** A real sandbox whose PATH starts with the Node that runs this test. */
export async function realSandbox(only: SandboxKind = 'unsandboxed'): Promise<Sandbox> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  return createProcessSandbox({
    mode: 'auto',
    only,
    cacheDirectory: await temporaryFolder(),
    checkout: null,
    environment: { ...process.env, PATH: path },
  })
}
