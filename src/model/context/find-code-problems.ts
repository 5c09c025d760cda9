import { findLostImports } from '../../changes/validate/find-lost-imports.ts'
import { validateChanges } from '../../changes/validate/validate-file.ts'
import type { ChangeSet } from '../../core/domain/change-set.ts'
import type { CodeProblem } from '../../core/domain/problem.ts'
import type { Ports } from '../../core/ports.ts'
import { findBrokenImports, knownImports } from './find-broken-imports.ts'

/** Syntax errors of a change or, if there are none, imports that are lost or do not resolve. */
export async function findCodeProblems(
  changes: ChangeSet,
  paths: readonly string[],
  read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  ports: Pick<Ports, 'syntax'>,
): Promise<readonly CodeProblem[]> {
  const problems = await validateChanges(changes, ports)
  if (problems.length > 0) return problems
  const known = await knownImports(paths, read)
  const broken = findBrokenImports(changes, new Set(paths), known)
  const around = { paths: async () => paths, read }
  return [...broken, ...(await findLostImports(changes, around))]
}
