import { openTree } from '../../../packages/change/change.ts'
import { findBrokenImports } from '../../../packages/source/source.ts'
import { membersOf, suppliersOf, type Task } from '../../../packages/task/task.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Ports } from '../../core/ports.ts'

/** Called only when an import does not resolve. */
type OpenTasks = () => Promise<readonly Task[]>
type Needs = Pick<Ports, 'workspace'>
type BrokenImports = Awaited<ReturnType<typeof findBrokenImports>>

/**
 * Finds imports of files that another open task will create, as sentences in the words of the language's own error.
 * No repair can solve these; the order of tasks can.
 */
export async function findModulesFromLaterTasks(
  attempt: Attempt,
  openTasks: OpenTasks,
  { workspace }: Needs,
): Promise<readonly string[]> {
  const start = await openTree(attempt.start.sha, workspace)
  const broken = await findBrokenImports(attempt.draft?.changes ?? [], start)
  const later = await laterImports(broken, attempt, openTasks)
  return later.map(({ path, line, error }) => `${path}:${line} ${error}`)
}

/** Keeps the imports that no task will ever satisfy: a repair must solve these. */
export async function wrongImports(
  broken: BrokenImports,
  attempt: Pick<Attempt, 'task'>,
  openTasks: OpenTasks,
): Promise<BrokenImports> {
  const later = await laterImports(broken, attempt, openTasks)
  return broken.filter((each) => !later.includes(each))
}

async function laterImports(
  broken: BrokenImports,
  { task }: Pick<Attempt, 'task'>,
  openTasks: OpenTasks,
): Promise<BrokenImports> {
  if (broken.length === 0) return []
  const others = (await openTasks()).filter(
    ({ id }) => !membersOf(task).some((member) => member.id === id),
  )
  return broken.filter(
    ({ specifier, suggestion }) => suggestion === null && suppliersOf(specifier, others).length > 0,
  )
}
