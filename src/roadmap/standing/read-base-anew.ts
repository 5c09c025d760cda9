import { changeState, type StateFacts } from '../../core/domain/change-state.ts'
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
): Promise<StateFacts<'roadmap.base' | 'tasks.heads' | 'tasks.results'>> {
  const { base, branches } = await ports.workspace.refresh()
  const roadmap = await loadRoadmap(changeState(state, { roadmap: { base } }), ports)
  const { results } = reconcileTasks({
    tasks: roadmap?.tasks ?? [],
    branches,
    pullRequests: await ports.forge.pullRequests(),
    forge: ports.forge.kind,
    only: null,
    base: base.branch,
    again: Object.keys({ ...state.asked.answers, ...state.asked.feedback, ...state.asked.grants }),
    onTop: Object.keys(state.asked.feedback),
  })
  return {
    roadmap: { base },
    tasks: {
      heads: Object.fromEntries(branches.map(({ name, sha }) => [name, sha])),
      results: { ...results, ...state.tasks.results },
    },
  }
}
