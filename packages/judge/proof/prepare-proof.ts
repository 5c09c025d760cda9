import type { ChangeSet } from '../../change/change.ts'
import { once } from '../../text/text.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import type { JudgePorts } from '../judging.ts'
import { keepsProject, openProject } from '../prepare/open-project.ts'
import type { NewTest, TestReport } from '../results/test-report.ts'
import type { StartCommit } from '../run/baseline.ts'
import { reportOf, type VerifyOptions, verifyCommit } from '../run/verify-folder.ts'
import { findCandidates } from './choose-tests.ts'
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

export type ProofPorts = Pick<JudgePorts, 'workspace' | 'sandbox' | 'settings' | 'clock' | 'random'>

/** Runs tests or a look on the start commit with these changes, in a folder of its own. */
export type RunChanged = (
  name: string,
  changes: ChangeSet,
  choice: Pick<VerifyOptions, 'files' | 'look'>,
) => Promise<TestReport | null>

/** Runs what the change's own tests run: its suites, unless another manifest makes them others. */
function createRun(
  start: StartCommit,
  tree: ChangedTree,
  ports: ProofPorts,
  signal: AbortSignal,
): RunChanged {
  const project = once(async () =>
    keepsProject(tree.changes) ? openProject(tree, start.task, ports.settings.verify) : undefined,
  )
  return async (name, changes, choice) => {
    const same = { ...choice, project: await project(), signal }
    return reportOf(await verifyCommit(name, start, changes, ports, same))
  }
}

const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to vu za'.split(' ')

/** A random name that looks like a word: `kedimona`. */
export const word = ({ random }: Pick<JudgePorts, 'random'>): string =>
  [...random.hex(4 + Math.floor(random.fraction() * 3))]
    .map((digit) => syllables[Number.parseInt(digit, 16)])
    .join('')
