import type { TaskStatus } from '../../../core/domain/task.ts'
import type { TaskResult } from '../../../core/domain/verdict.ts'
import { reconcileTasks } from '../../../roadmap/standing/reconcile-tasks.ts'
import { openRepository } from '../open-repository.ts'
import { paintMark } from '../progress.ts'
import type { Terminal } from '../terminal.ts'

/** `executor status`: the roadmap's boxes at the base commit and the branches, put together. */
export async function status(
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const { roadmap, view } = await openRepository(flags, terminal)
  const { results } = reconcileTasks({
    tasks: roadmap.tasks,
    branches: view.branches,
    pullRequests: [],
    forge: 'local',
    only: null,
    base: view.base.branch,
  })
  const tasks = roadmap.tasks.map(({ id, title, status: box }) => ({
    id,
    title,
    status: statusOf(box, results[id]),
    branch: results[id]?.branch ?? null,
    reason: results[id]?.reason ?? '',
  }))
  if (flags.json) {
    terminal.print(JSON.stringify({ base: view.base, tasks }, null, 2))
    return 0
  }
  for (const { id, title, status: now, branch, reason } of tasks) {
    const result = results[id]
    const mark = result ? paintMark(result.verdict, terminal) : now === 'done' ? '✔' : '·'
    const where = branch === null ? '' : `  ${branch}`
    terminal.print(`${mark} ${id.padEnd(10)} ${now.padEnd(11)} ${title}${where}`)
    if (reason !== '' && result?.verdict === 'waiting') terminal.print(`    ${reason}`)
  }
  const done = tasks.filter((task) => task.status === 'done' || task.status === 'unverified')
  terminal.say(
    `${done.length} of ${tasks.length} done; base ${view.base.branch} ${view.base.sha.slice(0, 7)}`,
  )
  return 0
}

function statusOf(box: TaskStatus, result: TaskResult | undefined): string {
  return result === undefined ? box : result.verdict
}
