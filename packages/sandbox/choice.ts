import { randomUUID } from 'node:crypto'
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { findProgram, inTemporaryFolder } from '../files/files.ts'
import { once } from '../text/text.ts'
import {
  bubblewrap,
  homeInOwnTree,
  type Isolation,
  otherUser,
  unsandboxed,
  unshare,
} from './isolation.ts'
import type { SandboxAbility, SandboxKind } from './port.ts'
import { bareRequest, runIsolated } from './run.ts'
import { SandboxError } from './sandbox-error.ts'
import type { Toolchain } from './toolchain.ts'
import type { Limits } from './watch.ts'

interface ChosenIsolation {
  readonly isolation: Isolation
  readonly ability: SandboxAbility
}

interface Wish {
  readonly mode: 'auto' | 'off' | 'strict'
  readonly only: SandboxKind | undefined
  /** Reuses the strong isolation that worked last, which the cache directory remembers. */
  readonly isRemembering: boolean
  readonly cacheDirectory: string
  readonly limits: Limits
}

/** Chooses the isolation for all commands of a process. */
interface Chooser {
  /** @throws SandboxError `isolation` if no allowed isolation works here */
  chosen(): Promise<ChosenIsolation>
  /**
   * Returns true if a command failed because its remembered isolation no longer starts; it then
   * runs again in the one that `chosen` returns.
   */
  mustRunAgain(isolation: Isolation, exitCode: number | null): Promise<boolean>
}

const strongKinds: readonly SandboxKind[] = ['bubblewrap', 'other-user']

/**
 * Chooses the strongest isolation that works here, or the strong one remembered for this machine.
 */
export function createChooser(wish: Wish, toolchain: () => Toolchain): Chooser {
  const { isRemembering, cacheDirectory: directory } = wish
  const tryAll = async (): Promise<ChosenIsolation> => {
    const { place, reasons, ...found } = await tryInTurn(wish, toolchain())
    const isStrong = strongKinds.includes(found.isolation.kind)
    if (isRemembering && isStrong) remember(directory, toolchain(), { place, reasons })
    return found
  }
  const remembered = isRemembering ? once(() => fromMemory(wish, toolchain())) : () => null
  let choice: Promise<ChosenIsolation> | null = null
  let hasStarted = false
  const stillStarts = once(async () => {
    const isolation = remembered()?.isolation
    if (isolation === undefined) return true
    if ((await probe(isolation, toolchain(), wish.limits)) === null) return true
    forget(directory)
    choice = tryAll()
    return false
  })
  return {
    chosen() {
      const known = remembered()
      choice ??= known === null ? tryAll() : Promise.resolve(known)
      return choice
    },
    async mustRunAgain(isolation, exitCode) {
      if (isolation !== remembered()?.isolation) return false
      hasStarted ||= exitCode === 0
      return !hasStarted && !(await stillStarts())
    },
  }
}

function fromMemory(wish: Wish, toolchain: Toolchain): ChosenIsolation | null {
  const known = recall(wish.cacheDirectory, toolchain)
  const isolation = known === null ? undefined : candidates(wish, toolchain)[known.place]
  if (known === null || isolation === undefined || !strongKinds.includes(isolation.kind))
    return null
  return { isolation, ability: abilityOf(isolation, known.reasons) }
}

const abilityOf = ({ kind, network }: Isolation, reasons: readonly string[]): SandboxAbility => ({
  ...{ kind, network },
  reason: reasons.join('; '),
})

async function tryInTurn(wish: Wish, toolchain: Toolchain) {
  const reasons = wish.mode === 'off' ? ['sandbox: off'] : []
  for (const [place, isolation] of candidates(wish, toolchain).entries()) {
    const { kind } = isolation
    if (wish.mode === 'strict' && !strongKinds.includes(kind)) {
      reasons.push(`${kind} is not strong enough`)
      continue
    }
    const problem = kind === 'unsandboxed' ? null : await probe(isolation, toolchain, wish.limits)
    if (problem === null) {
      return { isolation, ability: abilityOf(isolation, reasons), place, reasons }
    }
    reasons.push(`${kind}: ${problem}`)
  }
  throw new SandboxError('isolation', reasons.join('; '))
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

/** Writes a passwd file with the ordinary user that root's commands run as. */
function writeAccounts(directory: string): string {
  const file = join(directory, 'accounts')
  mkdirSync(directory, { recursive: true })
  writeFileSync(file, `runner:x:1000:1000::${homeInOwnTree}:/bin/sh\n`)
  return file
}

/** Returns `null` if a command really runs this way; otherwise the reason in a few words. */
const probe = (
  isolation: Isolation,
  toolchain: Toolchain,
  limits: Limits,
): Promise<string | null> =>
  inTemporaryFolder('probe', async (folder) => {
    const request = {
      ...bareRequest(folder, { argv: ['true'] }, 10),
      env: { PATH: toolchain.path.join(':') },
    }
    const run = await runIsolated(isolation, request, (text) => text, limits)
    if (run.exitCode === 0) return null
    return run.stderr.trim().split('\n').at(-1)?.slice(0, 200) || `exit code ${run.exitCode}`
  })

const schema = z.object({
  machine: z.string(),
  /** Its index among the candidates, strongest first. */
  place: z.int().nonnegative(),
  /** Why the stronger ones were not chosen. */
  reasons: z.array(z.string()),
})

type Remembered = z.infer<typeof schema>

const fileIn = (directory: string): string => join(directory, 'isolation.json')

/** Returns `null` without a memory, or if anything that decides about isolation has changed. */
function recall(directory: string, toolchain: Toolchain): Remembered | null {
  try {
    const found = schema.parse(JSON.parse(readFileSync(fileIn(directory), 'utf8')))
    return found.machine === describeMachine(toolchain) ? found : null
  } catch {
    return null
  }
}

/** If the file cannot be saved, the next run tries again. */
function remember(
  directory: string,
  toolchain: Toolchain,
  found: Omit<Remembered, 'machine'>,
): void {
  const temporary = join(directory, `isolation.${randomUUID()}`)
  try {
    const text = JSON.stringify({ machine: describeMachine(toolchain), ...found })
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, fileIn(directory))
  } catch {
    rmSync(temporary, { force: true })
  }
}

const forget = (directory: string): void => rmSync(fileIn(directory), { force: true })

/** The programs that isolations start. */
const programs = ['bwrap', 'sudo', 'unshare', 'setpriv', 'prlimit']

/** The boot, the kernel, our user and namespaces, and the programs with their sizes and times. */
function describeMachine(toolchain: Toolchain): string {
  const spaces = ['mnt', 'pid', 'user'].map((space) => readlinkSync(`/proc/self/ns/${space}`))
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  const files = programs.map((name) => {
    const path = findProgram(name, toolchain.path)
    if (path === null) return `${name} -`
    const { size, mtimeMs } = statSync(path)
    return `${path} ${size} ${mtimeMs}`
  })
  return [boot, release(), process.getuid?.(), ...spaces, ...files].join('\n')
}
