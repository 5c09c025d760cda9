import type { ChangeSet } from '../../change/change.ts'
import { once } from '../../text/text.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import type { JudgePorts } from '../judging.ts'
import { keepsProject, openProject } from '../prepare/open-project.ts'
import type { TestReport } from '../results/test-report.ts'
import type { StartCommit } from '../run/baseline.ts'
import { reportOf, type VerifyOptions, verifyCommit } from '../run/verify-folder.ts'

export type ProofPorts = Pick<JudgePorts, 'workspace' | 'sandbox' | 'settings' | 'clock' | 'random'>

/** Runs tests or a look on the start commit with these changes, in a folder of its own. */
export type RunChanged = (
  name: string,
  changes: ChangeSet,
  choice: Pick<VerifyOptions, 'files' | 'look'>,
) => Promise<TestReport | null>

/** Runs what the change's own tests run: its suites, unless another manifest makes them others. */
export function createRun(
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
