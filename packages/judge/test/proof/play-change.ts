import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSystemRandom } from '../../../../src/adapters/system.ts'
import { verifyTask } from '../../../../src/graph/nodes/attempt/verify-task.ts'
import { makeGitRepository } from '../../../../test/adapters/git-repository.ts'
import { openWorkspace } from '../../../../test/adapters/git-workspace-bench.ts'
import { anAttempt, aState, aTask, fakePorts, someSettings } from '../../../../test/fakes/facts.ts'
import { aDraft } from '../../../../test/graph/nodes/bench.ts'
import type { ChangeSet } from '../../../change/change-set.ts'
import type { Sandbox, SandboxRequest } from '../../../sandbox/port.ts'
import type { Receipt } from '../../results/test-report.ts'
import { findReplacedAssertions } from '../../tampering/find-takeovers.ts'
import { realSandbox } from '../temporary-project.ts'
import { has } from '../toolchains/toolchain.ts'

export type Texts = Readonly<Record<string, string>>

export interface Played {
  /** Why the change is never written. */
  readonly refused: string | null
  readonly outcome: string
  readonly receipt: Receipt
  /** What failed. */
  readonly broken: readonly string[]
  /** Lines of the commands that ran for it, in order. */
  readonly ran: readonly string[]
}

const packages = {
  from: join(import.meta.dirname, '../../../../node_modules'),
  ...{ within: null, to: 'node_modules' },
} as const

/**
 * Verifies a change in real git, with the real runner, in this machine's strongest sandbox.
 *
 * @param installed what stands for the project's own packages, besides those of this project
 */
export async function playChange(
  before: Texts,
  after: Texts,
  title = 'Make it right',
  installed: SandboxRequest['mounts'] = [],
): Promise<Played> {
  const repository = makeGitRepository(before)
  onTestFinished(() => repository[Symbol.dispose]())
  const workspace = await openWorkspace(repository)
  const { base } = await workspace.refresh()
  const changes: ChangeSet = Object.entries(after).map(([path, content]) => {
    const was = before[path]
    return was === undefined
      ? { action: 'create', path, content }
      : { action: 'modify', path, before: was, content }
  })
  const task = aTask({ title })
  const attempt = anAttempt({ task, start: base, draft: aDraft({ changes }) })
  const state = aState({ roadmap: { base }, attempt })
  const ran: string[] = []
  const sandbox = withPackages(
    await realSandbox(has('bwrap') ? 'bubblewrap' : 'unsandboxed'),
    ran,
    installed,
  )
  const settings = someSettings()
  const ports = fakePorts({ workspace, sandbox, settings, random: createSystemRandom() })
  const [problem] = findReplacedAssertions(changes, task)
  const { outcome, patch } = await verifyTask(state, ports)
  const { receipt, broken } = patch?.attempt ?? attempt
  if (receipt === null) throw new Error(`Nothing was verified: ${outcome}`)
  const said = broken.map(({ test, message }) => `${test}: ${message.split('\n')[0]}`)
  return { refused: problem?.message ?? null, outcome, receipt, broken: said, ran }
}

const withPackages = (
  sandbox: Sandbox,
  ran: string[],
  installed: SandboxRequest['mounts'],
): Sandbox => ({
  ...sandbox,
  installed: async () => null,
  dependencyCache: async (key) =>
    installed.length === 0
      ? await sandbox.dependencyCache(key)
      : { path: import.meta.dirname, ready: true },
  run(request: SandboxRequest) {
    const { command, mounts } = request
    ran.push('shell' in command ? command.shell : command.argv.join(' '))
    const own = [packages, ...installed]
    const others = mounts.filter(({ to }) => !own.some((each) => each.to === to))
    return sandbox.run({ ...request, mounts: [...others, ...own] })
  },
})
