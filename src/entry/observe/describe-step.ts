import { changesOf } from '../../../packages/change/change.ts'
import { lastLines } from '../../../packages/diagnosis/diagnosis.ts'
import type { Receipt } from '../../../packages/judge/judge.ts'
import { clip, countOf } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import { attemptOf } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { NodeName, OutcomeOf, StepName } from '../../core/domain/steps.ts'
import type { ToolTurn } from '../../core/domain/tool-loop.ts'
import { priceOf, totalTokens } from '../../core/domain/usage.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import { notRun } from '../../graph/tools/tool-result.ts'
import { describeForecast } from '../../model/budget/forecast.ts'
import { partsOf } from '../../model/planning/parts.ts'
import { summariseDestructive } from '../../publish/report/describe-change.ts'
import { describeToolCall } from '../../publish/report/describe-tool-call.ts'
import { describeReceipt } from '../../publish/report/describe-verification.ts'

/** The result of a step that matters to a person; `null` when it went as expected. */
export function describeFinding(
  node: NodeName,
  outcome: OutcomeOf<NodeName>,
  state: RunState,
): string | null {
  if (state.attempt === null) return null
  const { problems, failure, receipt, draft, proposal, classification, destructive } =
    attemptOf(state)
  const { loop, reflections, route } = attemptOf(state)
  switch (`${node} ${outcome}` as StepName) {
    case 'write_files written': {
      const paths = changesOf(draft).map(({ action, path }) => `${action} ${path}`)
      const left = (draft?.warnings ?? []).map(oneLine)
      return paths.length > 0 ? [paths.join(', '), ...left].join('; ') : null
    }
    case 'execute_task part_drafted':
      return describePart(attemptOf(state))
    case 'validate_code invalid':
    case 'validate_code invalid_again': {
      const [first] = problems
      const place = first && first.line > 0 ? `${first.path}:${first.line}` : (first?.path ?? '')
      const parts = ['not written yet', place, first?.message].filter(Boolean)
      return parts.join(': ').replaceAll(/\s+/g, ' ')
    }
    case 'validate_code destructive':
    case 'write_files destructive':
      return `not written yet: the change contains destructive operations: ${summariseDestructive(destructive)}`
    case 'verify_task failed':
    case 'verify_task failed_again':
      return `tests fail: ${oneLine(failure?.message ?? '')}`
    case 'verify_task passed':
    case 'verify_task unverified':
    case 'verify_task already_satisfied':
      return receipt === null ? null : describeVerified(receipt)
    case 'reflect reflected_code':
    case 'reflect reflected_tests':
    case 'reflect reflected_tools': {
      const said = reflections.at(-1) ?? ''
      return said === '' ? null : `why it failed: ${oneLine(said)}`
    }
    case 'use_tool observed':
    case 'use_tool failed_again':
    case 'use_tool finished':
    case 'use_tool claims_done':
    case 'use_tool failed':
    case 'use_tool cannot_run':
      return describeTurn(loop?.turns.at(-1))
    case 'use_tool verified':
      return receipt === null ? null : `⚒ done → ${describeVerified(receipt)}`
    case 'use_tool spent':
      return [describeTurn(loop?.turns.at(-1)), oneLine(failure?.message ?? '')].join('\n    ')
    case 'repair_test flaky':
      return 'the tests failed by chance: the answer is dropped, and they run again'
    case 'classify_failure rerouted':
      return `${route?.reason}: the task is tried once more with ${route?.way}`
    case 'classify_failure joined':
      return describeJoined(attemptOf(state).task.id, state)
    case 'classify_failure classified':
      return `${classification?.reason}: ${oneLine(classification?.explanation ?? '')}`
    case 'propose_recovery approved':
      return `recovery: ${proposal?.strategy}`
    default:
      return null
  }
}

/** `T-1 and T-2 need each other: one change does both`. */
function describeJoined(id: string, { tasks: { joined = {} } }: RunState): string | null {
  const group = Object.values(joined).find(({ members }) => members.includes(id))
  if (group === undefined) return null
  const { members } = group
  return `${members.join(' and ')} need each other: one change does ${members.length === 2 ? 'both' : 'all'}`
}

/** `step 2 of 5 is written`, or why it is asked for again. */
function describePart({ plan, parts }: Attempt): string | null {
  const steps = `of ${partsOf(plan).length}`
  const written = parts?.done.length ?? 0
  return parts?.again
    ? `step ${written + 1} ${steps} is asked for again: ${oneLine(parts.again)}`
    : `step ${written} ${steps} is written`
}

/** In characters, of why a call was refused. */
const longestWhy = 120

/** A tool call and its result in one line: `⚒ grep "total" → 3 in 2 files`. */
function describeTurn(turn: ToolTurn | undefined): string | null {
  if (turn === undefined) return null
  const why = turn.summary === notRun ? `: ${clip(turn.observation, longestWhy)}` : ''
  return oneLine(`⚒ ${describeToolCall(turn)} → ${turn.summary}${why}`)
}

/** The most lines shown from the end of a failed command's output. */
const mostLines = 5

/** The receipt, its warnings and notes, and the end of the output of failures that the change did not cause. */
function describeVerified(receipt: Receipt): string {
  const endings = receipt.commands.flatMap(({ output }) => lastLines(output ?? '', mostLines))
  return [
    describeReceipt(receipt),
    ...[...(receipt.warnings ?? []), ...receipt.notes].map(oneLine),
    ...endings.map((line) => `  ${line.slice(0, 300)}`),
  ].join('\n    ')
}

/** Lists the model's plan, line by line. */
export function describePlan({ attempt }: RunState): readonly string[] {
  const plan = attempt?.plan ?? null
  if (plan === null) return []
  const files = plan.files.length === 0 ? '' : `, in ${plan.files.join(', ')}`
  return [
    `plan: ${plan.complexity} complexity${files}`,
    ...plan.steps.map((step, index) => `  ${index + 1}. ${oneLine(step)}`),
    ...(plan.others ?? []).map((other) => `  instead of ${oneLine(other)}`),
  ]
}

/** Previews a run before it costs money, in a line or two. Not for a dry run, whose lines say the same. */
export function describePreview(state: RunState, { model, limits }: Settings): readonly string[] {
  const { preview, path: roadmap } = state.roadmap
  if (preview === null) return []
  const { warnings, pastTasks: samples } = preview
  const many = countOf(warnings, 'warning')
  const found = warnings === 0 ? [] : [`${roadmap} has ${many}: executor lint shows them.`]
  if (state.run.dryRun || preview.tasks === 0) return found
  const isCapped = [limits.dollars, limits.dollarsPerTask, limits.dollarsPerDay].some(
    (cap) => cap !== null,
  )
  // The price of the run's own model was checked before, unless a resumed run changed its settings.
  const unknown =
    priceOf(model.name, model.prices) === null ? model.name : 'a model that a task names'
  const unpriced =
    preview.dollars === null && isCapped
      ? [`No price is known for ${unknown}, so no limit of dollars can stop it: set prices.`]
      : []
  return [`Forecast: ${describeForecast({ ...preview, samples })}.`, ...unpriced, ...found]
}

/** A finished task on one line: verdict, place, and cost. */
export function describeResult(result: TaskResult): string {
  const { id, title, verdict, reason, pullRequest, branch, usage, seconds, repairs } = result
  const where = pullRequest ? ` ${pullRequest.url}` : branch ? ` on ${branch}` : ''
  const repaired = repairs > 0 ? `, ${countOf(repairs, 'repair')}` : ''
  const cost =
    result.thisRun && result.attempts > 0
      ? ` (${seconds.toFixed(1)} s, ${totalTokens(usage)} tokens${repaired})`
      : ''
  const why = reason === '' ? '' : `\n    ${oneLine(reason)}`
  return `${id} ${verdict.replace('_', ' ')}${where}${cost}  ${title}${why}`
}

/** Describes a task of a dry run on one line. */
export const describePlanned = (result: TaskResult): string =>
  `[DRY RUN] ${result.id} ${result.title} (${describeUsage(result)})`

function describeUsage({ usage }: TaskResult): string {
  const cost = usage.dollars > 0 ? `, $${usage.dollars.toFixed(4)}` : ''
  return `about ${totalTokens(usage)} tokens${cost}`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
