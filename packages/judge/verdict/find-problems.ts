import type { ChangeSet, CodeProblem, Tree } from '../../change/change.ts'
import { findBrokenImports } from '../../source/source.ts'
import type { JudgePorts } from '../judging.ts'
import type { TestReport } from '../results/test-report.ts'
import { findBentTests, type ProposedChange } from '../run/guard-tests.ts'
import { findReplacedAssertions } from '../tampering/find-takeovers.ts'
import { findLostImports } from '../validate/find-lost-imports.ts'
import { validateChanges } from '../validate/validate-file.ts'

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

/** Keeps the imports that nothing will satisfy. */
export type KeepWrong = (broken: BrokenImports) => Promise<BrokenImports>

type BrokenImports = Awaited<ReturnType<typeof findBrokenImports>>

/**
 * Syntax errors of a change or, if there are none, imports that are lost or do not resolve: a weak model fixes one kind
 * of problem at a time.
 *
 * @param start the tree that the change starts from
 */
export async function findCodeProblems(
  changes: ChangeSet,
  start: Pick<Tree, 'paths' | 'read'>,
  { syntax, keepWrong }: Pick<JudgePorts, 'syntax'> & { readonly keepWrong?: KeepWrong },
): Promise<readonly CodeProblem[]> {
  const problems = await validateChanges(changes, { syntax })
  if (problems.length > 0) return problems
  const broken = await findBrokenImports(changes, start)
  const wrong = broken.length === 0 ? broken : ((await keepWrong?.(broken)) ?? broken)
  const isNew = changes.every(({ action }) => action === 'create')
  return isNew ? wrong : [...wrong, ...(await findLostImports(changes, start))]
}
