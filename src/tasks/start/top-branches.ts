import type { StateFacts } from '../../core/domain/change-state.ts'
import type { Ports } from '../../core/ports.ts'

/** The branches with work of this run that no other such branch contains, oldest first. */
export async function topBranches(
  { tasks: { results } }: StateFacts<'tasks.results'>,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<readonly string[]> {
  const shas = new Map<string, string>()
  for (const { branch, sha, thisRun } of Object.values(results)) {
    if (thisRun && branch !== null && sha !== null) shas.set(branch, sha)
  }
  const works = [...shas]
  const isTop = await Promise.all(
    works.map(async ([, sha], index) => {
      const inside = works.map(async ([, above], at) =>
        above === sha ? at > index : workspace.contains(above, sha),
      )
      return !(await Promise.all(inside)).includes(true)
    }),
  )
  return works.flatMap(([branch], index) => (isTop[index] ? [branch] : []))
}
