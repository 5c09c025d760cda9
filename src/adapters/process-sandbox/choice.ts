import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { SandboxAbility } from '../../core/domain/settings.ts'
import type { SandboxKind } from '../../core/domain/test-report.ts'
import { bubblewrap, homeInOwnTree, type Isolation, unsandboxed } from './isolation.ts'
import { otherUser, unshare } from './own-tree.ts'
import { bareRequest, inFolder, runIsolated } from './run.ts'
import type { Toolchain } from './toolchain.ts'
import type { Limits } from './watch.ts'

export interface ChosenIsolation {
  readonly isolation: Isolation
  readonly ability: SandboxAbility
}

interface Wish {
  readonly mode: 'auto' | 'off' | 'strict'
  readonly only: SandboxKind | undefined
  readonly cacheDirectory: string
  readonly limits: Limits
}

const strongKinds: readonly SandboxKind[] = ['bubblewrap', 'other-user']

/**
 * The strongest isolation that really runs `true` here.
 * @throws ExecutorError `sandbox_missing` when the wish allows none that does.
 */
export async function chooseIsolation(wish: Wish, toolchain: Toolchain): Promise<ChosenIsolation> {
  const reasons = wish.mode === 'off' ? ['sandbox: off'] : []
  for (const isolation of candidates(wish, toolchain)) {
    const { kind, network } = isolation
    if (wish.mode === 'strict' && !strongKinds.includes(kind)) {
      reasons.push(`${kind} is not enough`)
      continue
    }
    const problem = kind === 'unsandboxed' ? null : await probe(isolation, toolchain, wish.limits)
    if (problem === null) {
      return { isolation, ability: { kind, network, reason: reasons.join('; ') } }
    }
    reasons.push(`${kind}: ${problem}`)
  }
  throw new ExecutorError('sandbox_missing', reasons.join('; '))
}

/** Strongest first. */
function candidates(wish: Wish, toolchain: Toolchain): readonly Isolation[] {
  if (wish.mode === 'off' || process.platform !== 'linux') return [unsandboxed]
  const isRoot = process.getuid?.() === 0
  const accounts = isRoot ? writeAccounts(wish.cacheDirectory) : '/etc/passwd'
  const tree = { toolchain, memory: wish.limits.memory, accounts: '/etc/passwd' }
  const all = [
    bubblewrap(toolchain, accounts, isRoot, wish.limits.memory),
    bubblewrap(toolchain, accounts, isRoot, null),
    otherUser(tree, isRoot),
    unshare(tree),
    unsandboxed,
  ]
  return all.filter(({ kind }) => wish.only === undefined || wish.only === kind)
}

/** Names the ordinary user that root's commands run as. */
function writeAccounts(directory: string): string {
  const file = join(directory, 'accounts')
  mkdirSync(directory, { recursive: true })
  writeFileSync(file, `runner:x:1000:1000::${homeInOwnTree}:/bin/sh\n`)
  return file
}

/** `null` when a command really runs this way; else why not, in a few words. */
const probe = (
  isolation: Isolation,
  toolchain: Toolchain,
  limits: Limits,
): Promise<string | null> =>
  inFolder('probe', async (folder) => {
    const request = {
      ...bareRequest(folder, { argv: ['true'] }, 10),
      env: { PATH: toolchain.path.join(':') },
    }
    const run = await runIsolated(isolation, request, (text) => text, limits)
    if (run.exitCode === 0) return null
    return run.stderr.trim().split('\n').at(-1)?.slice(0, 200) || `exit code ${run.exitCode}`
  })
