import { clip, countOf, oneLine } from '../../../packages/text/text.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { NodeName } from '../../core/domain/steps.ts'
import type { WatchedCall } from '../observe/watch-ports.ts'
import type { LiveCounts } from './count-live.ts'

/** Describes the work of a step, apart from the calls that it makes. */
export function describeStep(node: NodeName, { roadmap }: RunState): string {
  if (node !== 'parse_roadmap') return words[node]
  return `reading ${roadmap.path} at ${roadmap.base.branch} ${roadmap.base.sha.slice(0, 7)}`
}

const words: Readonly<Record<Exclude<NodeName, 'parse_roadmap'>, string>> = {
  normalize_roadmap: 'looking for tasks in the roadmap',
  pick_task: 'choosing the next task',
  plan_task: 'preparing the request',
  build_context: 'choosing the files to show',
  execute_task: 'preparing the request',
  run_agent: 'preparing the folder of the agent',
  think: 'preparing the request',
  use_tool: 'using a tool',
  validate_code: 'checking the change',
  repair_code: 'preparing the request',
  write_files: 'writing the files',
  verify_task: 'running the tests',
  repair_test: 'preparing the request',
  reflect: 'preparing the request',
  checkpoint: 'committing',
  classify_failure: 'finding out why it failed',
  propose_recovery: 'looking for another way',
  await_approval: 'asking for approval',
  apply_recovery: 'applying the decision',
  decide_next: 'choosing the next step',
  retry_deferred: 'looking at deferred tasks',
  generate_report: 'writing the report',
}

/** Returns true for steps whose beginning gets a line in a log: they may take long. */
export const isToldOf = (node: NodeName): boolean =>
  node === 'parse_roadmap' ||
  node === 'verify_task' ||
  node === 'checkpoint' ||
  node === 'classify_failure'

const answers: Readonly<Record<string, string>> = {
  normalize: 'which tasks the roadmap has',
  plan: 'for a plan',
  draft: 'for the change',
  think: 'for the next step',
  reflect: 'why its change failed',
  choose_plan: 'which plan is best',
  repair_code: 'for a repair',
  repair_test: 'for a repair',
  classify: 'why it failed',
  recover: 'for another way',
  correct: 'for a command that works',
}

/** `asking gpt-5 for the change`, `installing dependencies (npm ci)`. */
export function describeCall({ kind, facts, shown }: WatchedCall): string {
  if (kind === 'model') {
    const known = answers[String(facts['executor.purpose'])] ?? 'for an answer'
    // Only the change is drawn again, whichever step asks for it.
    const wanted =
      facts['executor.sample'] === undefined ? known : 'for another version of the change'
    return `asking ${facts['gen_ai.request.model']} ${wanted}`
  }
  return `installing dependencies (${shownLine(shown.title ?? shown.line, longestTitle)})`
}

const outside: Readonly<Record<string, string>> = {
  'git refresh': 'fetching',
  'git publish': 'pushing',
  'forge upsert_pull_request': 'opening the pull request',
  'forge upsert_comment': 'commenting',
}

/** Describes the call that a step waits for: ` (npm test)`, ` (pushing)`. */
export function describeInside({ kind, name, shown }: WatchedCall): string {
  const command = shownLine(shown.title ?? shown.line, longestTitle)
  const inside =
    kind === 'command' ? command : (outside[name] ?? name.replace(/^\w+ /, '').replaceAll('_', ' '))
  return ` (${inside})`
}

/** Enough characters to recognize a command line. */
const longestCommand = 120

/** In a label: the output of the command needs room as well. */
const longestTitle = 32

/** Shortens a command to one line. */
export const shownLine = (line: string, most = longestCommand): string =>
  clip(oneLine(line.replace(/^export PATH="[^"]*"; /, '')), most)

/** `12 s`, `2 min 5 s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return whole < 100 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** `12 passed, 1 failed`. */
export function describeLiveCounts({ unit, passed, failed, skipped }: LiveCounts): string {
  const sum = passed + failed + skipped
  const parts = [
    unit === 'files' ? `${countOf(sum, 'file')}` : `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unit === 'tests' && skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return parts.join(', ')
}
