import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxKind } from '../packages/sandbox/port.ts'
import { createProcessSandbox } from '../packages/sandbox/process-sandbox.ts'

const kinds: readonly SandboxKind[] = ['bubblewrap', 'other-user', 'unshare', 'unsandboxed']

/** The kinds of sandbox that really run a command on this machine, strongest first, and the others. */
export async function sandboxKinds(): Promise<{
  readonly present: readonly SandboxKind[]
  readonly missing: readonly SandboxKind[]
}> {
  const runs = await Promise.all(kinds.map(async (kind) => [kind, await isHere(kind)] as const))
  const where = (wanted: boolean) => runs.filter(([, isRun]) => isRun === wanted)
  return { present: where(true).map(([kind]) => kind), missing: where(false).map(([kind]) => kind) }
}

async function isHere(only: SandboxKind): Promise<boolean> {
  const cacheDirectory = await mkdtemp(join(tmpdir(), 'executor-preflight-'))
  try {
    const sandbox = createProcessSandbox({ mode: 'auto', checkout: null, cacheDirectory, only })
    return (await sandbox.ability().catch(() => null)) !== null
  } finally {
    await rm(cacheDirectory, { recursive: true, force: true })
  }
}
