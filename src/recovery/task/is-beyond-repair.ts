import type { Attempt, Failure, RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { loadOpenTasks } from '../../roadmap/load-roadmap.ts'
import { isDeclaring } from '../../verify/detect/project-roots.ts'
import { missingModules } from '../../verify/prepare/missing-module.ts'
import { classifyByPattern, type Evidence } from './classify-by-pattern.ts'

/** The other open tasks, and what exists in the attempt's tree. */
export async function lookAround(
  { task, start, draft }: Attempt,
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Omit<Evidence, 'failure'>> {
  const { order } = await loadOpenTasks(state, ports)
  const files = await ports.workspace.listFiles(start.sha)
  const all = [...files, ...(draft?.changes ?? [])].map(({ path }) => path)
  return { others: order.filter(({ id }) => id !== task.id), paths: new Set(all) }
}

/**
 * True when no other code could make the tests pass: a file that another task brings is
 * missing, or a package that the project declares or the task asks for is not installed.
 * A package that only the model thought of is worth a repair.
 */
export async function isBeyondRepair(
  attempt: Attempt,
  failure: Failure,
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<boolean> {
  const { task, start } = attempt
  const around = await lookAround(attempt, state, ports)
  const { paths } = around
  const known = classifyByPattern({ failure, ...around })
  if (known?.reason === 'missing_dependency') return true
  if (known?.installCommand == null) return false
  const manifests = [...paths].filter((path) => isDeclaring(path) && !path.includes('/'))
  const declared = await ports.workspace.readFiles(start.sha, manifests)
  const texts = [task.title, task.details, ...declared.values()]
  const asked = new Set(texts.flatMap((text) => text.split(/[^\w@/.-]+/)))
  return missingModules([failure.message, ...failure.failures, failure.output], (path) =>
    paths.has(path),
  ).some(({ kind, specifier }) => kind === 'package' && asked.has(specifier))
}
