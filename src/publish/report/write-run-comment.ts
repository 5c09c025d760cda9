import { proposalMarker } from '../../core/domain/hidden-lines.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import { proposalHash } from '../../core/proposal-hash.ts'
import { fenced, neutralise } from '../../text/markdown/neutralise.ts'
import { fold, paragraphs, writeTable } from '../../text/markdown/write-markdown.ts'
import { buildReport } from './build-report.ts'
import { nextStep, verdictText } from './describe-result.ts'
import { drawStack } from './draw-report.ts'

/** What the sticky comment is found by, together with its author. */
export const reportMarker = '<!-- executor:report -->'

/** The sticky comment on a task's pull request: its own line first, the run folded away. */
export function writeRunComment(state: RunState, id: string): string {
  const own = state.tasks.results[id]
  const others = Object.values(state.tasks.results).filter((result) => result.thisRun)
  const rows = others.map(({ pullRequest, verdict, usage, ...result }) => [
    result.id === id ? '**this**' : result.id,
    verdict,
    pullRequest === null ? '–' : `#${pullRequest.number}`,
    totalTokens(usage),
  ])
  const stack = drawStack(buildReport(state))
  const run = [
    writeTable(['task', 'outcome', 'PR', 'tokens:'], rows),
    stack && fenced(stack, 'mermaid'),
  ]
  const parts = [
    `${reportMarker}\n${headline(own)}`,
    fold(`The run ${state.run.id}: ${others.length} tasks`, paragraphs(run)),
    voteOn(own, state.run.completedAt),
  ]
  return `${paragraphs(parts)}\n`
}

/** What an approval in the conversation is bound to: this head of a finished task, and no later one. */
function voteOn(own: TaskResult | undefined, at: string | null): string {
  const isFinished = own?.verdict === 'in_review' || own?.verdict === 'unverified'
  if (!isFinished || own.sha === null || at === null) return ''
  const { id, fingerprint, sha } = own
  const hash = proposalHash({ kind: 'merge', task: { id, fingerprint }, sha })
  return proposalMarker({ task: id, sha, hash, at })
}

function headline(result: TaskResult | undefined): string {
  if (result === undefined) return 'This task was not part of the run.'
  const { id, verdict, reason, repairs, usage, seconds, pullRequest } = result
  const why = reason === '' ? '' : ` ${neutralise(reason)}`
  const took = `${seconds.toFixed(1)} s, ${totalTokens(usage)} tokens, ${repairs} repairs`
  return `**${id}: ${verdictText(verdict)}** after ${took}.${why} ${nextStep(verdict, pullRequest)}`.trimEnd()
}
