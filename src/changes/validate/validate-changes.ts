import { type ChangeSet, contentAfter } from '../../core/domain/change-set.ts'
import type { CodeProblem } from '../../core/domain/problem.ts'
import type { Ports } from '../../core/ports.ts'
import { validateFile } from './validate-file.ts'

/** What the parsers say of every new text of a change. */
export async function validateChanges(
  changes: ChangeSet,
  ports: Pick<Ports, 'syntax'>,
): Promise<readonly CodeProblem[]> {
  const found = await Promise.all(
    changes.map(async (change) => {
      const text = contentAfter(change)
      if (text === undefined) return []
      const before = change.action === 'modify' ? change.before : undefined
      const { problems } = await validateFile({ path: change.path, text, before }, ports)
      return problems.map((problem) => ({ path: change.path, ...problem }))
    }),
  )
  return found.flat()
}
