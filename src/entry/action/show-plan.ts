import { findStanding } from '../../roadmap/standing/find-standing.ts'
import { readAdopted } from '../../runs/issues/adopted-issues.ts'
import { neutralise } from '../../text/markdown/neutralise.ts'
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
    const link = result?.pullRequest
      ? `[#${result.pullRequest.number}](${result.pullRequest.url})`
      : ''
    const cell = neutralise(title).replaceAll('|', '\\|')
    return `| ${id} | ${cell} | ${result?.verdict ?? status} | ${link} |`
  })
  const table = ['| task | title | stands | PR |', '|---|---|---|---|', ...rows].join('\n')
  await runner.summarise(`## Plan\n${table}\n`)
  runner.output('ready-tasks', standing.ready)
  if (errors.length === 0) return 0
  runner.fail(`${settings.roadmap} has ${errors.length} error(s), see above.`)
  return 1
}
