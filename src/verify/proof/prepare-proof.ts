import type { TestReport } from '../../core/domain/test-report.ts'
import type { Ports } from '../../core/ports.ts'
import type { StartCommit } from '../run/baseline.ts'
import type { ChangedTree } from './choose-tests.ts'
import type { TreePorts } from './run-tree.ts'
import { seeCanaries } from './see-canaries.ts'
import { showRed } from './show-red.ts'

/** What is looked at besides the project's own tests: whether they can be believed, and can fail at all. */
export interface Proof {
  /** Begins to look, beside the tests. What these need is to be installed by then. */
  begin(): void
  /** Once the tests have passed. */
  judge(after: TestReport): Promise<Judged>
  /** Ends what nobody asked for. */
  end(): Promise<void>
}

export interface Judged {
  /** Why the tests' report cannot be trusted; `null` where nothing speaks against it. */
  readonly distrust: string | null
  /** Plain sentences on new tests that nothing shows to fail. */
  readonly notes: readonly string[]
}

/** Of a change to the commit that it starts from. */
export function prepareProof(
  start: StartCommit,
  tree: ChangedTree,
  ports: TreePorts & Pick<Ports, 'random'>,
): Proof {
  const needed = new AbortController()
  const look = () => {
    const given = [start, tree, ports, needed.signal] as const
    return Promise.all([seeCanaries(...given), showRed(...given)])
  }
  let begun: ReturnType<typeof look> | undefined
  // Each look in a folder would run a setup command of the project's own, beside that of the tests.
  const isEarly = ports.settings.verify.setupCommand === null && tree.changes.length > 0
  return {
    begin() {
      if (!isEarly) return
      begun ??= look()
      // Whoever judges meets its error; until then nobody listens.
      begun.catch(() => {})
    },
    async judge(after) {
      if (tree.changes.length === 0) return { distrust: null, notes: [] }
      begun ??= look()
      const [canaries, red] = await begun
      const [distrust, notes] = await Promise.all([canaries(after), red(after)])
      return { distrust, notes }
    },
    async end() {
      needed.abort()
      await begun?.catch(() => {})
    },
  }
}
