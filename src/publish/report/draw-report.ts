import { oneLine } from '../../../packages/text/text.ts'
import { phaseEnd } from '../../core/journal/time-by-phase.ts'
import type { Report, TaskReport } from './build-report.ts'

/** Text for a mermaid label, without characters that mermaid or HTML interpret. */
const plain = (text: string): string =>
  oneLine(text.replaceAll(/[^\p{L}\p{N} .,_/+-]/gu, ' ')).slice(0, 60)

/** A bar for each task of this run that shows when it was worked on. Empty without any. */
export function drawTimeline(report: Report): string {
  const worked = report.tasks.filter(({ thisRun, seconds }) => thisRun && seconds > 0)
  if (worked.length === 0) return ''
  const lines = ['gantt', '  dateFormat X', '  axisFormat %M:%S', '  title Time by task']
  let at = 0
  for (const { id, title, seconds, outcome, phases } of worked) {
    // Without a journal, one task is drawn after the other.
    const from = phases[0]?.at ?? at
    const to = phases.length === 0 ? at + seconds : Math.max(...phases.map(phaseEnd))
    // Milliseconds would be unreadable on the axis; a bar is at least one second wide.
    const start = Math.round(from)
    at = start + Math.max(1, Math.round(to - from))
    const state = outcome === 'failed' ? 'crit, ' : ''
    // The id comes first: mermaid would interpret a title that begins with `section` or `click`.
    lines.push(`  ${plain(`${id} ${title}`)} :${state}${start}, ${at}`)
  }
  return lines.join('\n')
}

/** Tokens by step. */
export function drawCost(report: Report): string {
  const spent = report.nodes.filter(({ tokens }) => tokens > 0)
  if (spent.length === 0) return ''
  const slices = spent.map(({ node, tokens }) => `  "${node}" : ${tokens}`)
  return ['pie showData title Tokens by step', ...slices].join('\n')
}

/** The branches and the branch each was started from: the order to review and merge in. */
export function drawStack(report: Report): string {
  const stacked = report.tasks.filter(({ branch, sha }) => branch !== null && sha !== null)
  if (stacked.length === 0) return ''
  const bySha = new Map(stacked.map((task) => [task.sha, task]))
  const names = new Map(stacked.map((task, index) => [task, `t${index + 1}`]))
  const name = (task: TaskReport) => names.get(task) ?? 'base'
  const lines = ['flowchart LR', `  base(["${plain(report.base.branch)}"])`]
  for (const task of stacked) {
    const number = task.pr === null ? '' : ` PR ${task.pr.number}`
    lines.push(`  ${name(task)}["${task.id}${number}"]`)
  }
  for (const task of stacked) {
    const parent = bySha.get(task.start)
    lines.push(`  ${parent && parent !== task ? name(parent) : 'base'} --> ${name(task)}`)
  }
  return lines.join('\n')
}
