import type { RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { loadRoadmap } from '../load-roadmap.ts'
import { reconcileTasks } from './reconcile-tasks.ts'

/**
 * The base as it is after a merge of ours, and what branches and pull requests say of the tasks that
 * it has now: work on one of them may be there since an earlier run.
 */
export async function readBaseAnew(
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'forge' | 'settings'>,
): Promise<Pick<RunState, 'base' | 'heads' | 'results'>> {
  const { base, branches } = await ports.workspace.refresh()
  const roadmap = await loadRoadmap({ ...state, base }, ports)
  const { results } = reconcileTasks({
    tasks: roadmap?.tasks ?? [],
    branches,
    pullRequests: await ports.forge.pullRequests(),
    forge: ports.forge.kind,
    only: null,
    base: base.branch,
    again: Object.keys({ ...state.answers, ...state.feedback, ...state.grants }),
    onTop: Object.keys(state.feedback),
  })
  return {
    base,
    heads: Object.fromEntries(branches.map(({ name, sha }) => [name, sha])),
    results: { ...results, ...state.results },
  }
}
