import type { ChangeSet, CodeProblem, Tree } from '../../change/change.ts'
import { findBrokenImports } from '../../source/source.ts'
import type { JudgePorts } from '../judging.ts'
import { findLostImports } from './find-lost-imports.ts'
import { validateChanges } from './validate-file.ts'

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
  return [...wrong, ...(await findLostImports(changes, start))]
}
