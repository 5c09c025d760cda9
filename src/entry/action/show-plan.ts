import * as core from '@actions/core'
import { ExecutorError } from '../../domain/errors.ts'
import { loadRoadmap } from '../../reconcile/load-roadmap.ts'
import { reconcileTasks } from '../../reconcile/reconcile-tasks.ts'
import { boundMarkdown, longestSummary } from '../../safety/bound-text.ts'
import { neutralise } from '../../safety/neutralise.ts'
import type { Session } from '../compose-local.ts'
import { readyTasks } from './ready-tasks.ts'

/** `command: plan` and `report`: how each task stands, as job summary and output; nothing is written. */
export async function showPlan({ ports, redact }: Session): Promise<number> {
  const { workspace, forge, settings } = ports
  const { base, branches } = await workspace.refresh()
  const where = { base, roadmap: settings.roadmap }
  const roadmap = await loadRoadmap(where, ports)
  if (roadmap === null) throw new ExecutorError('no_roadmap', settings.roadmap)
  const errors = roadmap.problems.filter(({ severity }) => severity === 'error')
  for (const { line, column, message, fix } of errors) {
    const place = { file: settings.roadmap, startLine: line, startColumn: column }
    core.error(`${message} ${fix}`, place)
  }
  const { results } = reconcileTasks({
    tasks: roadmap.tasks,
    branches,
    pullRequests: await forge.pullRequests(),
    forge: forge.kind,
    only: null,
  })
  const rows = roadmap.tasks.map(({ id, title, status }) => {
    const result = results[id]
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
  core.setOutput('ready-tasks', JSON.stringify(await readyTasks(where, results, ports)))
  if (errors.length === 0) return 0
  core.setFailed(`${settings.roadmap} has ${errors.length} error(s), see above.`)
  return 1
}
