import type { ChangedTree } from '../compare/find-unrun.ts'
import type { NewTest, TestReport } from '../results/test-report.ts'
import type { StartCommit } from '../run/baseline.ts'
import { findCandidates } from './choose-tests.ts'
import { createRun, type ProofPorts } from './run-changed.ts'
import { seeCanaries } from './see-canaries.ts'
import { showRed } from './show-red.ts'
import { type OldTests, tryOldTests } from './try-old-tests.ts'
import { tryPlainCalls } from './try-plain-calls.ts'

/** Checks the project's tests: whether their report is credible, and whether new ones can fail. */
export interface Proof {
  /** Starts the checks beside the tests. Dependencies must be installed by then. */
  begin(): void
  /** Waits for the checks, once the tests have passed. */
  judge(after: TestReport): Promise<ProofResult>
  /** Aborts checks whose result is not needed, and waits until they have ended. */
  end(): Promise<void>
}

interface ProofResult {
  /** Why the tests' report cannot be trusted; `null` when nothing contradicts it. */
  readonly distrust: string | null
  /** Sentences on new tests that were not seen to fail. */
  readonly notes: readonly string[]
  readonly newTests: readonly NewTest[]
  readonly oldTests: OldTests
  /** Sentences on code that does something else where nothing tests it. */
  readonly outside: readonly string[]
  /** A test that the change adds or edits was red without its code. */
  readonly isShown: boolean
  /** For the reviewer's first look. */
  readonly warnings: readonly string[]
}

const nothingToShow: ProofResult = {
  ...{ distrust: null, notes: [], newTests: [], isShown: false, warnings: [] },
  oldTests: { failed: [], isAdded: false },
  outside: [],
}

/** Prepares the proof of a change against the commit that it starts from. */
export function prepareProof(start: StartCommit, tree: ChangedTree, ports: ProofPorts): Proof {
  const needed = new AbortController()
  const checks: Promise<unknown>[] = []
  /** Node exits on an unhandled rejection, and `judge` may come late or never. */
  const keep = <Result>(check: Promise<Result>): Promise<Result> => {
    check.catch(() => {})
    checks.push(check)
    return check
  }
  const run = createRun(start, tree, ports, needed.signal)
  const look = () => {
    const given = [start, tree, ports, run] as const
    const old = tryOldTests(...given)
    const candidates = keep(findCandidates(tree))
    const outside = keep(tryPlainCalls(...given, candidates))
    return {
      canaries: keep(seeCanaries(...given, candidates)),
      red: keep(showRed(tree, ports, run)),
      old: keep(old),
      outside,
    }
  }
  let begun: ReturnType<typeof look> | undefined
  // Each check would run the project's setup command in its own folder while the tests run.
  const isEarly = ports.settings.verify.setupCommand === null && tree.changes.length > 0
  return {
    begin() {
      if (!isEarly) return
      begun ??= look()
    },
    async judge(after) {
      if (tree.changes.length === 0) return nothingToShow
      begun ??= look()
      const { canaries, red, old } = begun
      const [distrust, { tests: newTests, ...shown }, oldTests, outside] = await Promise.all([
        keep(canaries.then((judge) => judge(after))),
        keep(red.then((judge) => judge(after))),
        keep(old.then((judge) => judge(after))),
        keep(begun.outside.then((judge) => judge(after))),
      ])
      return { distrust, newTests, oldTests, outside, ...shown }
    },
    async end() {
      needed.abort()
      await Promise.allSettled(checks)
    },
  }
}
