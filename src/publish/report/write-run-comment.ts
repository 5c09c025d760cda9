import { proposalMarker } from '../../core/domain/proposal-marker.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import { proposalHash } from '../../core/proposal-hash.ts'
import { neutralise } from '../../text/markdown/neutralise.ts'
import { buildReport } from './build-report.ts'
import { drawStack } from './draw-report.ts'
import { nextStep } from './next-step.ts'

/** What the sticky comment is found by, together with its author. */
export const reportMarker = '<!-- executor:report -->'

/** The sticky comment on a task's pull request: its own line first, the run folded away. */
export function writeRunComment(state: RunState, id: string): string {
  const own = state.results[id]
  const others = Object.values(state.results).filter((result) => result.thisRun)
  const rows = others.map(
    (result) =>
      `| ${result.id === id ? '**this**' : result.id} | ${result.verdict} | ${link(result)} | ${totalTokens(result.usage)} |`,
  )
  const table = ['| task | outcome | PR | tokens |', '|---|---|---|--:|', ...rows].join('\n')
  const stack = drawStack(buildReport(state))
  const drawing = stack === '' ? '' : `\n\n\`\`\`mermaid\n${stack}\n\`\`\``
  return `${reportMarker}
${headline(own)}

<details><summary>The run ${state.runId}: ${others.length} tasks</summary>

${table}${drawing}

</details>
${voteOn(own, state.completedAt)}`
}

/** What an approval in the conversation is bound to: this head, and no later one. */
function voteOn(own: TaskResult | undefined, at: string | null): string {
  if (own === undefined || own.sha === null || at === null || !isFinished(own)) return ''
  const { id, fingerprint, sha } = own
  const hash = proposalHash({ kind: 'merge', task: { id, fingerprint }, sha })
  return `\n${proposalMarker({ task: id, sha, hash, at })}\n`
}

const isFinished = ({ verdict }: TaskResult): boolean =>
  verdict === 'in_review' || verdict === 'unverified'

function headline(result: TaskResult | undefined): string {
  if (result === undefined) return 'This task was not part of the run.'
  const { id, verdict, reason, repairs, usage, seconds, pullRequest } = result
  const why = reason === '' ? '' : ` ${neutralise(reason)}`
  return `**${id}: ${verdict.replace('_', ' ')}** after ${seconds.toFixed(1)} s, ${totalTokens(usage)} tokens, ${repairs} repairs.${why} ${nextStep(verdict, pullRequest)}`.trimEnd()
}

const link = ({ pullRequest }: TaskResult): string =>
  pullRequest === null ? '–' : `#${pullRequest.number}`
