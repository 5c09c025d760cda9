import * as core from '@actions/core'
import { findStanding } from '../../reconcile/find-standing.ts'
import { readAdopted } from '../../runs/adopted-issues.ts'
import { boundMarkdown, longestSummary } from '../../safety/bound-text.ts'
import { neutralise } from '../../safety/neutralise.ts'
import type { Session } from '../compose-local.ts'

/** `command: plan` and `report`: how each task stands, as job summary and output; nothing is written. */
export async function showPlan({ ports, redact }: Session): Promise<number> {
  const { workspace, forge, settings } = ports
  const { base, branches } = await workspace.refresh()
  const issues = readAdopted(await workspace.parked())
  const pullRequests = await forge.pullRequests()
  const standing = await findStanding({ base, branches }, pullRequests, issues, ports)
  const errors = standing.problems.filter(({ severity }) => severity === 'error')
  for (const { line, column, message, fix } of errors) {
    const place = { file: settings.roadmap, startLine: line, startColumn: column }
    core.error(`${message} ${fix}`, place)
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
  if (process.env.GITHUB_STEP_SUMMARY) {
    await core.summary.addRaw(boundMarkdown(redact(`## Plan\n${table}\n`), longestSummary)).write()
  }
  core.setOutput('ready-tasks', JSON.stringify(standing.ready))
  if (errors.length === 0) return 0
  core.setFailed(`${settings.roadmap} has ${errors.length} error(s), see above.`)
  return 1
}
