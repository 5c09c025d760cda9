import { writeOutcome } from '../../publish/report/write-outcome.ts'
import { issueTasks } from '../../roadmap/document/issue-tasks.ts'
import { nothingAsked } from '../new-run.ts'
import type { Services } from '../services.ts'
import { type CommandContext, type Order, type Ordered, refused } from './ordered.ts'
import { grantsOf, openIssues } from './run-task.ts'
import { loginText } from './words.ts'

/** `/run [id]`: the task that is named, else the one this is about; on the dashboard all that is ready. */
export async function runOnRequest(
  { command, target, remark }: Order,
  context: CommandContext,
  { ports }: Services,
): Promise<Ordered> {
  const issues = await openIssues(ports, context)
  const named = command.name === 'run' ? command.id : null
  const { tasks } = await context.standing()
  if (named !== null && !tasks.some(({ id }) => id === named)) {
    return refused(`There is no task **${named}** here. \`/status\` on the dashboard lists them.`)
  }
  const own = (): readonly string[] | null => {
    if (target.kind === 'dashboard') return null
    if (target.kind !== 'issue') return [target.id]
    const issue = issues.find(({ number }) => number === target.number)
    return issue === undefined ? [] : issueTasks(issue, ports.settings).tasks.map(({ id }) => id)
  }
  const only = named === null ? own() : [named]
  if (only?.length === 0) {
    return refused('This issue has no tasks yet: the label `executor` adopts it as it is.')
  }
  const granted = 'pull' in target && only?.[0] === target.id ? grantsOf(target) : []
  const grants = granted.length > 0 && only?.[0] !== undefined ? { [only[0]]: granted } : {}
  const shown = only ?? tasks.map(({ id }) => id)
  return {
    status: 'run',
    only,
    asked: { ...nothingAsked, grants, issues },
    threads: [],
    reply: (state) =>
      writeOutcome(
        state,
        shown.filter((id) => only !== null || state.results[id]?.thisRun === true),
        loginText(remark.author),
      ),
  }
}
