import { linkTo } from '../../publish/report/describe-result.ts'
import { findStanding } from '../../roadmap/standing/find-standing.ts'
import { readAdopted } from '../../runs/issues/adopted-issues.ts'
import { tableCell, writeTable } from '../../text/markdown/write-markdown.ts'
import type { Session } from '../compose/compose-local.ts'
import type { JobRunner } from './runner.ts'

/** `command: plan` and `report`: how each task stands, as job summary and output; nothing is written. */
export async function showPlan({ ports }: Session, runner: JobRunner): Promise<number> {
  const { workspace, forge, settings } = ports
  const { base, branches } = await workspace.refresh()
  const issues = readAdopted(await workspace.parked())
  const pullRequests = await forge.pullRequests()
  const standing = await findStanding({ base, branches }, pullRequests, issues, ports)
  const errors = standing.problems.filter(({ severity }) => severity === 'error')
  for (const { line, column, message, fix } of errors) {
    const place = { file: settings.roadmap, startLine: line, startColumn: column }
    runner.annotate('error', `${message} ${fix}`, place)
  }
  const rows = standing.tasks.map(({ id, title, status }) => {
    const result = standing.results[id]
    return [id, tableCell(title), result?.verdict ?? status, linkTo(result?.pullRequest)]
  })
  const table = writeTable(['task', 'title', 'stands', 'PR'], rows)
  await runner.summarise(`## Plan\n${table}\n`)
  runner.output('ready-tasks', standing.ready)
  if (errors.length === 0) return 0
  runner.fail(`${settings.roadmap} has ${errors.length} error(s), see above.`)
  return 1
}
