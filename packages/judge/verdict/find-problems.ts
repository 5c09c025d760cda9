import type { CodeProblem, Tree } from '../../change/change.ts'
import type { JudgePorts } from '../judging.ts'
import type { TestReport } from '../results/test-report.ts'
import { findBentTests, type ProposedChange } from '../run/guard-tests.ts'
import { findReplacedAssertions } from '../tampering/find-takeovers.ts'
import { findCodeProblems, type KeepWrong } from '../validate/find-code-problems.ts'

/** Without a task, no word tells which of its tests may change: they are not judged. */
type AnyChange = ProposedChange | (Pick<ProposedChange, 'draft'> & { readonly task: null })

export interface Means extends Pick<JudgePorts, 'syntax'> {
  /** The report of the unchanged code's tests; asked for only where the change weakens some. */
  readonly before: () => Promise<TestReport | null>
  readonly keepWrong?: KeepWrong
}

/**
 * Finds the faults of a change without running it: the syntax of every changed file, broken and lost imports,
 * tests that are weakened to pass, and assertions that are replaced. Its paths and sizes are the gate's.
 *
 * @param start the tree that the change starts from
 */
export async function findProblems(
  change: AnyChange,
  start: Pick<Tree, 'paths' | 'read'>,
  { before, ...means }: Means,
): Promise<readonly CodeProblem[]> {
  const changes = change.draft?.changes ?? []
  const problems = await findCodeProblems(changes, start, means)
  if (change.task === null) return problems
  return [
    ...problems,
    ...(await findBentTests(change, before)),
    ...findReplacedAssertions(changes, change.task),
  ]
}
