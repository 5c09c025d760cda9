import type { Attempt } from '../../core/domain/attempt.ts'
import { membersOf, type Task } from '../../core/domain/task.ts'
import type { Ports } from '../../core/ports.ts'
import { openTree } from '../../core/tree.ts'
import {
  type BrokenImport,
  findBrokenImports,
  knownImports,
} from '../../model/context/find-broken-imports.ts'
import { suppliersOf } from '../../roadmap/document/order-tasks.ts'

/** Called only when an import does not resolve. */
type OpenTasks = () => Promise<readonly Task[]>
type Needs = Pick<Ports, 'workspace'>

/**
 * Finds imports of files that another open task will create, as sentences in the words of the language's own error.
 * No repair can solve these; the order of tasks can.
 */
export async function findModulesFromLaterTasks(
  ...given: [attempt: Attempt, openTasks: OpenTasks, ports: Needs]
): Promise<readonly string[]> {
  const { later } = await sortBrokenImports(...given)
  return later.map(({ path, line, specifier }) => `${path}:${line} ${missing(path, specifier)}`)
}

/** Finds imports that no task will ever satisfy: a repair must solve these. */
export const findWrongImports = async (
  ...given: [attempt: Attempt, openTasks: OpenTasks, ports: Needs]
): Promise<readonly BrokenImport[]> => (await sortBrokenImports(...given)).wrong

const missing = (path: string, specifier: string): string =>
  /\.pyi?$/.test(path)
    ? `No module named '${absoluteModule(path, specifier)}'`
    : `Cannot find module '${specifier}'`

/** `..label` in `pantry/stock/count.py` is `pantry.label`; a name without leading dots stays. */
function absoluteModule(path: string, specifier: string): string {
  const [dots = ''] = /^\.*/.exec(specifier) ?? []
  const folders = dots === '' ? [] : path.split('/').slice(0, -dots.length)
  return [...folders, specifier.slice(dots.length)].join('.')
}

async function brokenImports(attempt: Attempt, ports: Needs) {
  const { paths, read } = await openTree(attempt.start.sha, ports.workspace)
  const changes = attempt.draft?.changes ?? []
  if (findBrokenImports(changes, new Set(paths), () => false).length === 0) return []
  const isKnown = await knownImports(paths, read)
  return findBrokenImports(changes, new Set(paths), isKnown)
}

async function sortBrokenImports(
  attempt: Attempt,
  openTasks: OpenTasks,
  ports: Needs,
): Promise<{ readonly later: readonly BrokenImport[]; readonly wrong: readonly BrokenImport[] }> {
  const broken = await brokenImports(attempt, ports)
  if (broken.length === 0) return { later: [], wrong: [] }
  const others = (await openTasks()).filter(
    ({ id }) => !membersOf(attempt.task).some((member) => member.id === id),
  )
  const isLater = ({ specifier, suggestion }: BrokenImport) =>
    suggestion === null && suppliersOf(specifier, others).length > 0
  return { later: broken.filter(isLater), wrong: broken.filter((each) => !isLater(each)) }
}
